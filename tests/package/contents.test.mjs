// What the packed package holds and says of itself: exports, side effects, sizes, and what npm makes of it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import { root } from '../support/built.mjs';
import { install, pack, run } from '../support/packed.mjs';
import { measure, overBudget, table, writtenTable } from '../../scripts/size.mjs';

const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
const entries = Object.entries(manifest.exports);
let folder;
let installed;

before(() => {
  folder = install('examples/html');
  installed = path.join(folder, 'node_modules/bert-headlight');
});

const evaluate = (script, ...options) => run(process.execPath, [...options, '--input-type=module', '--eval', script], folder);
const packedFiles = () => pack().files.map((file) => file.path);

test('exports: types first, every file is there', () => {
  for (const [name, target] of entries) {
    const isCode = !/\.(wasm|json)$/.test(name);
    assert.equal(typeof target, isCode ? 'object' : 'string', name);
    if (isCode) assert.deepEqual(Object.keys(target), ['types', 'default'], name);
    for (const file of isCode ? Object.values(target) : [target]) assert.ok(fs.existsSync(path.join(installed, file)), file);
  }
});

test('exports: each .wasm that is built, by its name', () => {
  const wasm = packedFiles().filter((file) => file.endsWith('.wasm')).map((file) => path.basename(file));
  assert.equal(wasm.length, 4);
  for (const file of wasm) assert.equal(manifest.exports[`./${file}`], `./dist/${file}`);
});

test('exports: all can be imported on a server, where none touches or prints anything', () => {
  const scripts = entries.filter(([name]) => !/\.(wasm|json)$/.test(name)).map(([name]) => path.posix.join('bert-headlight', name));
  assert.equal(scripts.length, 7);
  const script = `
    const before = new Set(Object.getOwnPropertyNames(globalThis));
    globalThis.fetch = () => { throw new Error('fetch'); };
    const added = () => Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name));
    for (const name of ${JSON.stringify(scripts.filter((name) => !/element|worker/.test(name)))}) await import(name);
    if (added().length > 0) throw new Error(added().join());
    for (const name of ['bert-headlight/element', 'bert-headlight/element/define']) await import(name);
    // Lit's own, by which its copies know each other.
    const ours = added().filter((name) => !/^(lit|reactiveElement)\\w+$|^customElements$/.test(name));
    if (ours.length > 0 || globalThis.customElements.get('headlight-text')) throw new Error(added().join());
    for (const name of ['bert-headlight/worker', 'bert-headlight/threads-worker']) await import(name);`;
  assert.equal(evaluate(script), '');
});

test('exports: bert-headlight/inline has the names of the library', () => {
  const script = `
    const names = async (name) => Object.keys(await import(name)).sort().join();
    console.log((await names('bert-headlight')) === (await names('bert-headlight/inline')));`;
  assert.equal(evaluate(script).trim(), 'true');
});

test('the command', () => {
  const help = run(process.execPath, [path.join(installed, manifest.bin.headlight), '--help'], folder);
  assert.match(help, /^Usage: headlight COMMAND/);
});

// ---------------------------------------------------------------------------------------------

const bundlers = {
  esbuild: async (contents) => {
    const { outputFiles } = await esbuild.build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'esm',
      external: ['node:*'],
      logLevel: 'silent',
    });
    return outputFiles[0].text;
  },
  Rollup: async (contents) => {
    const entry = path.join(folder, 'entry.js');
    fs.writeFileSync(entry, contents);
    const { default: resolve } = await import('@rollup/plugin-node-resolve');
    const bundle = await rollup({ input: entry, plugins: [resolve({ browser: true })], onwarn() {} });
    const { output } = await bundle.generate({ inlineDynamicImports: true });
    return output[0].code;
  },
};

for (const [name, bundle] of Object.entries(bundlers)) {
  test(`sideEffects, ${name}: the library brings no element, what is not used is left out, what defines or listens stays`, async () => {
    const library = await bundle(`import { load } from 'bert-headlight'; console.log(load);`);
    assert.match(library, /createLoader/);
    for (const word of ['customElements', 'litElement', 'headlight-text', 'shadowRoot']) assert.ok(!library.includes(word), word);

    const unused = ['', '/inline', '/element', '/views'].map((entry) => `import * as x${entry.slice(1)} from 'bert-headlight${entry}';`);
    assert.doesNotMatch(await bundle(unused.join('\n')), /\S{3}/);

    const defined = await bundle(`import 'bert-headlight/element/define';`);
    assert.match(defined, /customElements\.define/);
    assert.ok(defined.includes('headlight-heatmap'));
    assert.ok(!defined.includes('createLoader'));

    for (const entry of ['worker', 'threads-worker']) assert.match(await bundle(`import 'bert-headlight/${entry}';`), /postMessage/);

    const views = await bundle(`import { headMeasure } from 'bert-headlight/views'; console.log(headMeasure);`);
    assert.ok(!views.includes('litElement') && !views.includes('shadowRoot'));
  });
}

// ---------------------------------------------------------------------------------------------

test('no script runs on installing, nothing native comes along, Lit is all that is depended on', () => {
  const published = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8'));
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish', 'preprepare', 'postprepare']) {
    assert.equal(published.scripts?.[name], undefined, name);
  }
  assert.deepEqual(Object.keys(published.dependencies), ['lit']);
  for (const kind of ['peerDependencies', 'optionalDependencies', 'gypfile']) assert.equal(published[kind], undefined, kind);
  const modules = path.join(folder, 'node_modules');
  const native = fs.readdirSync(modules, { recursive: true }).filter((file) => /\.(node|gyp|so|dll|dylib)$/.test(file));
  assert.deepEqual(native, []);
});

test('the tarball: licence, notices, README and dist/, without models and second copies of the engine', () => {
  const files = packedFiles();
  const beside = files.filter((file) => !file.startsWith('dist/')).sort();
  assert.deepEqual(beside, ['LICENSE', 'README.md', 'THIRD_PARTY_NOTICES', 'package.json']);
  assert.deepEqual(files.filter((file) => /^dist\/app\/.*(models\/|\.wasm$)/.test(file)), []);
});

test('sizes: within their budgets, and as docs/packaging.md tells them', async () => {
  const sizes = await measure();
  assert.deepEqual(overBudget(sizes), []);
  // Within a tenth: the table is not made anew for every byte.
  const numbers = (text) => [...text.matchAll(/(\d+) (?:kB|files)/g)].map(([, digits]) => Number(digits));
  const words = (text) => text.replace(/\d+/g, '');
  assert.equal(words(writtenTable()), words(table(sizes)));
  const actual = numbers(table(sizes));
  numbers(writtenTable()).forEach((number, i) =>
    assert.ok(Math.abs(number - actual[i]) <= 1 + actual[i] / 10, `${number} is ${actual[i]} now: npm run size -- --docs`),
  );
});

test('npm publish --dry-run has nothing to say but that one is not logged in', () => {
  const args = ['publish', '--dry-run', '--loglevel', 'warn'];
  const text = execFileSync('sh', ['-c', `npm ${args.join(' ')} 2>&1`], { cwd: root, encoding: 'utf8' });
  const said = text.split('\n').filter((line) => /npm (warn|error)/.test(line) && !/logged in/.test(line));
  assert.deepEqual(said, []);
  assert.match(text, /\+ bert-headlight@/);
});
