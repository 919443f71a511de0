// examples/ with the packed package installed: each is built as its package.json says and makes one inference, in
// Chromium or Node.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { library } from '../support/built.mjs';
import { install, run, writeModel } from '../support/packed.mjs';
import { launch } from '../support/page.mjs';
import { temporaryFolder } from '../support/tiny-model.mjs';
import { findBrowser } from '../../scripts/setup/browser.mjs';
import { serve } from '../../scripts/serve.mjs';

let browser;
let best;

before(async () => {
  const folder = temporaryFolder();
  writeModel(folder);
  const model = await library.load(folder);
  [best] = await model.classify('the movie was good');
  browser = await launch();
});

after(() => browser?.close());

/** An example's result; page and Node may run different builds, whose float32 results differ by rounding. */
function checkResult({ label, score, ...rest }, expected) {
  assert.equal(label, best.label);
  assert.ok(Math.abs(score - best.score) < 1e-5, `${score}, not ${best.score}`);
  assert.deepEqual(rest, expected);
}

/** Opens an address and waits for the example's result; `look` sees the page. Gives what the page asked for. */
async function checkPage(url, { context = browser, look } = {}) {
  const page = await context.newPage();
  const errors = [];
  const requests = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => errors.push(`${request.url()} failed`));
  await page.goto(url);
  const output = page.locator('output:not(:empty)');
  await output.waitFor({ state: 'attached', timeout: 60_000 }).catch(() => assert.fail(`${url}: ${errors.join('\n')}`));
  checkResult(JSON.parse(await output.textContent()), { worker: true });
  await look?.(page);
  await page.close();
  return requests;
}

async function checkFolder(folder, options) {
  const server = await serve({ root: folder });
  return checkPage(server.url, options).finally(() => server.close());
}

/** An example with the model where its page looks for it. */
function example(name, { model = 'model', packages = [] } = {}) {
  const folder = install(path.join('examples', name), ...packages);
  writeModel(path.join(folder, model));
  return folder;
}

const build = (folder) => run('npm', ['run', '--silent', 'build'], folder);
const quiet = { NEXT_TELEMETRY_DISABLED: '1' };

/** Starts a server of an example and waits for the line that tells its address. */
async function start(folder, command, args, env = {}) {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = [];
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const address = /http:\/\/(localhost|127\.0\.0\.1):\d+\/?/.exec(line);
        if (address) resolve(address[0]);
      });
    }
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`${command} ${args.join(' ')}\n${lines.join('\n')}`)));
  });
  const stop = async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { url, stop };
}

const program = (folder, ...parts) => path.join(folder, 'node_modules', ...parts);

async function checkViteDev(folder) {
  const server = await start(folder, process.execPath, [program(folder, 'vite/bin/vite.js'), '--port', '0']);
  await checkPage(server.url).finally(server.stop);
}

async function checkViteBuild(folder) {
  build(folder);
  await checkFolder(path.join(folder, 'dist'));
}

test('html: a plain page from a static server', () => checkFolder(example('html')));

test('Vite 8, without optimizeDeps', async (t) => {
  const folder = example('vite', { model: 'public/model' });
  await t.test('dev', () => checkViteDev(folder));
  await t.test('build', () => checkViteBuild(folder));
});

for (const version of ['7.3.8', '6.4.6', '5.4.21']) {
  test(`Vite ${version}`, async (t) => {
    const folder = example('vite-inline', { model: 'public/model', packages: [`vite@${version}`] });
    assert.equal(JSON.parse(fs.readFileSync(program(folder, 'vite/package.json'), 'utf8')).version, version);
    await t.test('bert-headlight/inline, without optimizeDeps: dev', () => checkViteDev(folder));
    await t.test('bert-headlight/inline: build', () => checkViteBuild(folder));

    const main = path.join(folder, 'main.js');
    fs.writeFileSync(main, fs.readFileSync(main, 'utf8').replace('/inline', ''));
    fs.writeFileSync(path.join(folder, 'vite.config.js'), "export default { optimizeDeps: { exclude: ['bert-headlight'] } };\n");
    await t.test('bert-headlight, excluded from optimizeDeps: dev', () => checkViteDev(folder));
    await t.test('bert-headlight: build', () => checkViteBuild(folder));
  });
}

for (const name of ['webpack', 'rollup', 'esbuild']) {
  test(name, async () => {
    const folder = example(name);
    build(folder);
    await checkFolder(folder);
  });
}

/** The element has its properties, and the page hears its events. */
async function lookAtElement(page) {
  const tokens = page.locator('headlight-text .token');
  await tokens.first().waitFor();
  assert.deepEqual(await tokens.allTextContents(), ['the', 'movie', 'was', 'good']);
  const { weights, signed } = await page.evaluate(() => {
    const { weights, signed } = document.querySelector('headlight-text');
    return { weights: [...weights], signed };
  });
  assert.equal(weights.length, 6);
  assert.equal(signed, true);
  await tokens.nth(1).click();
  await page.locator('p:not([part])', { hasText: 'movie' }).waitFor();
}

test('html-element: an element in a plain page, by an import map', () => checkFolder(example('html-element'), { look: lookAtElement }));

for (const name of ['react', 'vue', 'svelte']) {
  test(`${name}: a component around the element`, async () => {
    const folder = example(name, { model: 'public/model' });
    build(folder);
    await checkFolder(path.join(folder, 'dist'), { look: lookAtElement });
  });
}

test('inline: one file under a policy that allows blob: workers; no further script, no .wasm', async () => {
  const folder = example('inline');
  build(folder);
  const requests = await checkFolder(folder);
  const scripts = requests.filter((url) => /\.(js|wasm)$/.test(url)).map((url) => path.basename(url));
  assert.deepEqual(scripts, ['main.js']);
});

test('Next: app router, next build and next start', async (t) => {
  const folder = example('next', { model: 'public/model' });
  const next = program(folder, 'next/dist/bin/next');
  for (const [bundler, options] of Object.entries({ Turbopack: [], webpack: ['--webpack'] })) {
    await t.test(bundler, async () => {
      run(process.execPath, [next, 'build', ...options], folder, { env: { ...process.env, ...quiet } });
      const server = await start(folder, process.execPath, [next, 'start', '--port', '0'], quiet);
      await checkPage(server.url).finally(server.stop);
    });
  }
});

test('extension: loaded in Chromium, under the policy of its manifest', async () => {
  const folder = example('extension');
  const context = await chromium.launchPersistentContext(temporaryFolder(), {
    executablePath: process.env.HEADLIGHT_CHROMIUM ?? findBrowser(),
    ignoreDefaultArgs: ['--disable-extensions'],
    args: ['--no-sandbox', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  });
  // Chromium names an unpacked extension by its folder: hexadecimal digits as letters from a on.
  const digest = createHash('sha256').update(fs.realpathSync(folder)).digest('hex').slice(0, 32);
  const id = [...digest].map((digit) => String.fromCharCode(97 + parseInt(digit, 16))).join('');
  await checkPage(`chrome-extension://${id}/page.html`, { context }).finally(() => context.close());
});

for (const name of ['node', 'node-commonjs']) {
  test(name, () => {
    const output = run('npm', ['start', '--silent'], example(name));
    checkResult(JSON.parse(output), { worker: false });
  });
}

test('node-server: answers /health while both of its threads classify', async () => {
  const folder = example('node-server');
  const server = await start(folder, process.execPath, ['server.mjs'], { PORT: '0' });
  try {
    const post = async (body) => (await fetch(server.url, { method: 'POST', body })).json();
    const health = async () => (await (await fetch(new URL('health', server.url))).json()).running;
    assert.deepEqual(await health(), [0, 0]);
    checkResult(await post('the movie was good'), {});

    const long = 'the movie was good '.repeat(20_000);
    let answered = 0;
    const running = [1, 2].map(() => post(long).then((result) => (answered++, result)));
    let seen;
    do seen = await health();
    while (seen.includes(0) && answered === 0);
    assert.deepEqual(seen, [1, 1]);
    assert.equal(answered, 0);
    const [one, two] = await Promise.all(running);
    assert.deepEqual(one, two);
    assert.deepEqual(await health(), [0, 0]);
  } finally {
    await server.stop();
  }
});
