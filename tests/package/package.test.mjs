// The package as npm would install it: packed, installed into fresh folders, and used there by one inference each.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import * as esbuild from 'esbuild';
import * as vite from 'vite';
import { dist, library, root } from '../support/built.mjs';
import { launch } from '../support/page.mjs';
import { makeTinyModel, temporaryFolder } from '../support/tiny-model.mjs';
import { serve } from '../../scripts/serve.mjs';

const modelFiles = makeTinyModel();
const installed = temporaryFolder();
let browser;
let best;

/** A program's output; its error output where it fails. */
function run(command, args, cwd) {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
  }
}

const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

before(async () => {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', installed], path.dirname(dist)),
  );
  fs.writeFileSync(path.join(installed, 'package.json'), '{"type": "module"}\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--no-save', `./${filename}`], installed);
  writeModel(path.join(installed, 'model'));
  const model = await library.load(path.join(installed, 'model'));
  [best] = await model.classify('the movie was good');
  browser = await launch();
});

after(() => browser?.close());

function writeModel(folder) {
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(modelFiles)) fs.writeFileSync(path.join(folder, name), bytes);
}

/** A copy of a fixture with the package installed. */
function fixture(name) {
  const folder = temporaryFolder();
  fs.cpSync(path.join(root, 'tests/fixtures', name), folder, { recursive: true });
  fs.cpSync(path.join(installed, 'node_modules'), path.join(folder, 'node_modules'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}\n');
  return folder;
}

/** A fixture's result; page and Node may run different builds, whose float32 results differ by rounding. */
function checkResult({ label, score, ...rest }, expected) {
  assert.equal(label, best.label);
  assert.ok(Math.abs(score - best.score) < 1e-5, `${score}, not ${best.score}`);
  assert.deepEqual(rest, expected);
}

/** Opens an address and waits for the fixture's result. */
async function checkPage(url) {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('requestfailed', (request) => errors.push(`${request.url()} failed`));
  await page.goto(url);
  const output = page.locator('output:not(:empty)');
  await output.waitFor({ state: 'attached', timeout: 60_000 }).catch(() => assert.fail(`${url}: ${errors.join('\n')}`));
  checkResult(JSON.parse(await output.textContent()), { worker: true });
  await page.close();
}

async function checkFolder(folder) {
  const server = await serve({ root: folder });
  await checkPage(server.url);
  await server.close();
}

test('a plain page from a static server', async () => {
  const folder = fixture('html');
  writeModel(path.join(folder, 'model'));
  await checkFolder(folder);
});

test('Vite: dev', async () => {
  const folder = fixture('vite');
  writeModel(path.join(folder, 'public/model'));
  const server = await vite.createServer({ root: folder, configFile: false, logLevel: 'error', server: { port: 0 } });
  await server.listen();
  const { port } = server.httpServer.address();
  await checkPage(`http://localhost:${port}/`).finally(() => server.close());
});

test('Vite: build', async () => {
  const folder = fixture('vite');
  writeModel(path.join(folder, 'public/model'));
  await vite.build({ root: folder, configFile: false, logLevel: 'error' });
  await checkFolder(path.join(folder, 'dist'));
});

test('esbuild, with the workers and all builds of the engine copied beside the bundle', async () => {
  const folder = fixture('esbuild');
  const site = path.join(folder, 'site');
  writeModel(path.join(site, 'model'));
  await esbuild.build({
    absWorkingDir: folder,
    entryPoints: ['main.js'],
    bundle: true,
    format: 'esm',
    outfile: 'site/main.js',
    logLevel: 'error',
  });
  fs.copyFileSync(path.join(folder, 'index.html'), path.join(site, 'index.html'));
  for (const name of ['worker.js', 'threads-worker.js', ...['', '-relaxed', '-threads', '-relaxed-threads'].map((build) => `headlight${build}.wasm`)]) {
    fs.copyFileSync(path.join(folder, 'node_modules/bert-headlight/dist', name), path.join(site, name));
  }
  await checkFolder(site);
});

test('Node', () => {
  const folder = fixture('node');
  writeModel(path.join(folder, 'model'));
  checkResult(JSON.parse(run(process.execPath, ['main.mjs'], folder)), { worker: false });
});

test('the command', () => {
  const [label] = run(
    path.join(installed, 'node_modules/.bin/headlight'),
    ['classify', '-m', 'model', 'the movie was good'],
    installed,
  ).split('\t');
  assert.equal(label, best.label);
});

for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
]) {
  test(`TypeScript: strict, ${moduleResolution}`, () => {
    const folder = fixture('typescript');
    writeModel(path.join(folder, 'model'));
    const options = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', '--ignoreConfig'];
    run(
      process.execPath,
      [tsc, ...options, '--module', module, '--moduleResolution', moduleResolution, 'main.ts'],
      folder,
    );
    const script = `await import('./main.js').catch((error) => { if (error.code !== 'E_INVALID_ARGUMENT') throw error; })`;
    run(process.execPath, ['--input-type=module', '--eval', script], folder);
  });
}

test('importing on a server touches nothing', () => {
  const script = `
    const before = Object.getOwnPropertyNames(globalThis).sort().join();
    globalThis.fetch = () => { throw new Error('fetch'); };
    const { load } = await import('bert-headlight');
    if (typeof load !== 'function' || Object.getOwnPropertyNames(globalThis).sort().join() !== before) throw new Error('globals');`;
  assert.equal(run(process.execPath, ['--input-type=module', '--eval', script], installed), '');
});
