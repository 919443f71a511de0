// What Safari and older browsers lack, switched off in Chromium: the library loads and reads without it, or says what is
// missing and works afterwards.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { dist, library } from '../support/built.mjs';
import { launch, readTo, ready, serveApp, visit } from '../support/page.mjs';
import { sendTyped, serveFiles } from '../support/model-server.mjs';
import { makeTinyModel, textOf, writeFolder } from '../support/tiny-model.mjs';

const models = { tiny: makeTinyModel(), larger: makeTinyModel({ hidden: 512, layers: 12, seed: 2 }) };
const site = { '': Buffer.from('<!doctype html><link rel="icon" href="data:,"><title>Lacks</title>') };
for (const name of fs.readdirSync(dist)) {
  if (/\.(js|wasm)$/.test(name)) site[`dist/${name}`] = fs.readFileSync(path.join(dist, name));
}
for (const [model, files] of Object.entries(models)) {
  for (const [name, bytes] of Object.entries(files)) site[`${model}/${name}`] = bytes;
}
const answers = Object.fromEntries(Object.keys(site).map((name) => [name, sendTyped]));
const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'credentialless' };
const several = os.availableParallelism() > 1;
const modes = { worker: {}, 'direct mode': { worker: false } };
const text = 'the movie was good';

let browser, expected;
const servers = [];
before(async () => {
  browser = await launch();
  const model = await library.load(writeFolder(models.tiny));
  [expected] = await model.classify(text);
  model.dispose();
});
after(async () => {
  await browser?.close();
  await Promise.all(servers.map((server) => server.close()));
});

/**
 * A page without what `lack` takes away, from the page and from its workers. `read(options)` loads a model there, reads a
 * text, and gives the score and the platform, or the error; with what the logger heard.
 */
async function open(lack, { headers = {} } = {}) {
  const script = `(${lack})();\n`;
  const own = { ...site };
  for (const name of ['dist/worker.js', 'dist/threads-worker.js']) own[name] = Buffer.concat([Buffer.from(script), site[name]]);
  const withHeaders = (request, response, bytes) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    sendTyped(request, response, bytes);
  };
  const server = await serveFiles(own, { answers: Object.fromEntries(Object.keys(answers).map((name) => [name, withHeaders])) });
  servers.push(server);
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.addInitScript(script);
  await page.goto(server.url);
  await page.evaluate(async () => {
    globalThis.library = await import('./dist/index.js');
    globalThis.read = async ({ source = './tiny', text, ...options }) => {
      const warnings = [];
      const logger = { info() {}, warn: (message) => warnings.push(message) };
      try {
        const model = await library.load(source, { logger, ...options });
        const [{ score }] = await model.classify(text);
        const { platform } = model;
        model.dispose();
        return { score, platform, warnings };
      } catch ({ code, name, message, advice }) {
        return { code: code ?? name, message, advice, warnings };
      }
    };
  });
  const read = (options) => page.evaluate((given) => read(given), { text, ...options });
  const close = async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  };
  return { page, server, read, close };
}

const assertRead = ({ score, ...result }) =>
  assert.ok(Math.abs(score - expected.score) < 2e-5, `${score}: ${JSON.stringify(result)}`);

const noRelaxed = () => {
  const isRelaxed = (bytes) => String(new Uint8Array(bytes)).includes('253,147,2');
  const { validate } = WebAssembly;
  WebAssembly.validate = (bytes) => !isRelaxed(bytes) && validate(bytes);
};
const relaxedFails = () => {
  const { compileStreaming } = WebAssembly;
  WebAssembly.compileStreaming = async (response) => {
    if (/relaxed/.test((await response).url)) throw new WebAssembly.CompileError('invalid numeric opcode 0xfd93');
    return compileStreaming(response);
  };
};
const noSharedMemory = () => {
  delete globalThis.SharedArrayBuffer;
  Object.defineProperty(globalThis, 'crossOriginIsolated', { value: undefined });
};
const sharedMemoryRefused = () => {
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct(native, [options]) {
      if (options.shared) throw new RangeError('WebAssembly.Memory(): could not allocate memory');
      return new native(options);
    },
  });
};
const noLocks = () => {
  delete Object.getPrototypeOf(navigator).locks;
};
const noWriting = () => {
  delete FileSystemFileHandle.prototype.createWritable;
  delete FileSystemFileHandle.prototype.createSyncAccessHandle;
};
const noStorage = () => {
  delete Object.getPrototypeOf(navigator).storage;
};
const classicWorkers = () => {
  const { Worker: native } = globalThis;
  if (native) globalThis.Worker = class extends native {
    constructor(url) {
      super(url);
    }
  };
};
/** Memory of 32 MiB at most. */
const littleMemory = () => {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > 32 << 20) throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
    return grow.call(this, pages);
  };
};
const noMemory = () => {
  const { instantiate } = WebAssembly;
  let refused = 0;
  WebAssembly.instantiate = (...args) =>
    refused++ === 0
      ? Promise.reject(new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance'))
      : instantiate.apply(WebAssembly, args);
};

for (const [mode, options] of Object.entries(modes)) {
  test(`${mode}: without relaxed SIMD the build for 128-bit SIMD runs, and no other is asked for`, async () => {
    const { read, server, close } = await open(noRelaxed);
    const result = await read(options);
    assertRead(result);
    assert.equal(result.platform.build, 'simd128');
    assert.match(result.platform.reason, /for this engine has no relaxed SIMD/);
    assert.deepEqual(server.requests.filter((name) => name.endsWith('.wasm')), ['dist/headlight.wasm']);
    const asked = await read({ ...options, build: 'relaxed' });
    assert.equal(asked.code, 'E_WASM');
    await close();
  });

  test(`${mode}: relaxed SIMD that is promised and not kept is passed over`, async () => {
    const { read, close } = await open(relaxedFails);
    const result = await read(options);
    assertRead(result);
    assert.equal(result.platform.build, 'simd128');
    assert.match(result.platform.reason, /does not start.*invalid numeric opcode/);
    await close();
  });

  test(`${mode}: COEP credentialless gives threads; where it is unknown, or shared memory is refused, there is one`, { skip: !several && 'one core' }, async () => {
    const rows = [
      [() => {}, (count) => count > 1, /threads/],
      [noSharedMemory, (count) => count === 1, /the page is not cross-origin isolated/],
      [sharedMemoryRefused, (count) => count === 1, /a build with threads does not start.*could not allocate/],
    ];
    for (const [lack, isRight, reason] of rows) {
      const { read, close } = await open(lack, { headers: isolation });
      const result = await read(options);
      assertRead(result);
      assert.ok(isRight(result.platform.threads), result.platform.reason);
      assert.match(result.platform.reason, reason);
      await close();
    }
  });

  test(`${mode}: without Web Locks a model is read, and kept`, async () => {
    const { read, server, close } = await open(noLocks);
    assertRead(await read({ ...options, cache: 'persistent' }));
    const count = () => server.requests.filter((name) => name.endsWith('.safetensors')).length;
    const before = count();
    assertRead(await read({ ...options, cache: 'persistent' }));
    assert.equal(count(), before + 1, 'one HEAD');
    await close();
  });

  test(`${mode}: storage that neither page nor worker can write, or that is not there, only warns`, async () => {
    for (const [lack, warning] of [
      [noWriting, /createWritable/],
      [noStorage, /storage is not to be had.*kept in memory/],
    ]) {
      const { read, close } = await open(lack);
      const result = await read({ ...options, cache: 'persistent' });
      assertRead(result);
      assert.match(result.warnings.join(), warning);
      await close();
    }
  });

  test(`${mode}: memory that does not grow is E_OUT_OF_MEMORY; what is loaded works on`, async () => {
    const { page, read, close } = await open(littleMemory);
    const result = await page.evaluate(
      async ({ options, text, long }) => {
        const codeOf = (promise) => promise.then(() => 'done', ({ code, advice }) => `${code}: ${advice}`);
        const model = await library.load('./tiny', options);
        const [{ score }] = await model.classify(text);
        const everything = { hiddenStates: true, attentions: true };
        const inputs = Array.from({ length: 40 }, () => long);
        const run = await codeOf(model.forward(inputs, everything));
        const load = await codeOf(library.load('./larger', options));
        const [again] = await model.classify(text);
        return { score, run, load, same: again.score === score };
      },
      { options, text, long: textOf(512) },
    );
    assertRead(result);
    const outOfMemory = "E_OUT_OF_MEMORY: Use a smaller model, precision 'int8' or shorter text, or close other pages.";
    assert.equal(result.load, outOfMemory);
    assert.equal(result.run, outOfMemory);
    assert.ok(result.same);
    assertRead(await read(options));
    await close();
  });
}

test('an engine that gets no memory to start with is E_OUT_OF_MEMORY, and the next load works', async () => {
  const { read, close } = await open(noMemory);
  const failed = await read({ worker: false, build: 'simd128' });
  assert.equal(failed.code, 'E_OUT_OF_MEMORY');
  assert.match(failed.message, /Cannot allocate Wasm memory/);
  assertRead(await read({ worker: false, build: 'simd128' }));
  await close();
});

test('where workers cannot be modules: E_WORKER, and the engine runs on the page’s thread', async () => {
  const { read, close } = await open(classicWorkers);
  const failed = await read({});
  assert.equal(failed.code, 'E_WORKER');
  assert.match(failed.advice, /worker: false/);
  assertRead(await read({ worker: false }));
  await close();
});

test('the page is lit without all of these', async () => {
  const server = await serveApp();
  servers.push(server);
  const { context, page, complaints } = await visit(browser, server, 'LICENSE.txt');
  for (const lack of [noRelaxed, noSharedMemory, noLocks, noStorage]) await context.addInitScript(`(${lack})()`);
  await page.goto(server.url);
  await ready(page);
  await readTo(page, 'The movie was absolutely fantastic!');
  await page.waitForFunction(() => / ms · 1 thread · simd128/.test(document.querySelector('.facts').textContent));
  assert.match(await page.locator('.verdict').textContent(), /POSITIVE/);
  assert.deepEqual(
    complaints.filter((text) => !/404/.test(text)),
    [],
  );
  await context.close();
});
