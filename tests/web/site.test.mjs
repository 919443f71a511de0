// headlight site, as a program: what it writes, and what it refuses.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { library } from '../support/built.mjs';
import { fail, headlight, succeed } from '../support/command.mjs';
import { committedGolden } from '../support/golden.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const model = writeFolder(makeTinyModel());
const hostile = '</script><img src=x onerror=alert(1)> & "\'<!--';

const filesOf = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
const siteOf = (html) => JSON.parse(/<script type="application\/json" id="headlight-site">(.*?)<\/script>/s.exec(html)[1]);
const place = temporaryFolder();
const at = (...names) => path.join(place, ...names);

test('a folder: the page, the engine, and the files of the model that are read', async () => {
  fs.writeFileSync(path.join(model, 'README.md'), 'not for the site');
  const said = await succeed(['site', '--model', model, '-o', at('site'), '--title', 'Film', '--example', 'a good film']);
  assert.match(said, /site: \d+\.\d MB\n {2}page +\d\.\d MB {2}\d+ files\n {2}engine .*\n {2}model .* 5 files\n.*http\.server/);
  const files = filesOf(at('site'));
  const name = path.basename(model);
  assert.deepEqual(
    files.filter((file) => file.startsWith('models')),
    ['config.json', 'headlight.json', 'model.safetensors', 'tokenizer_config.json', 'vocab.txt'].map((file) => path.join('models', name, file)),
  );
  for (const file of ['index.html', 'main.js', 'sw.js', 'worker.js', 'headlight.wasm', 'headlight-relaxed-threads.wasm']) {
    assert.ok(files.includes(file), file);
  }
  const { title, model: address, examples, info } = siteOf(fs.readFileSync(at('site/index.html'), 'utf8'));
  assert.deepEqual([title, address, examples], ['Film', `./models/${name}`, [{ text: 'a good film' }]]);
  assert.deepEqual(info, { ...(await library.load(model)).info });
  const copy = await library.load(at('site/models', name));
  assert.deepEqual(await copy.classify('a good film'), await (await library.load(model)).classify('a good film'));
});

test('the service worker keeps every file of the page and the engine as it is, and none of the model', () => {
  const script = fs.readFileSync(at('site/sw.js'), 'utf8');
  const { files, isolate } = JSON.parse(/^self\.headlight = (.*);\n/.exec(script)[1]);
  assert.equal(isolate, false);
  assert.deepEqual(
    files.map(({ url }) => url).sort(),
    filesOf(at('site')).filter((file) => file !== 'sw.js' && !file.startsWith('models')),
  );
  for (const { url, revision } of files) {
    const hash = createHash('sha256').update(fs.readFileSync(at('site', url))).digest('hex');
    assert.ok(hash.startsWith(revision) && revision.length === 16, url);
  }
  assert.equal(script.match(/self\.headlight/g).length, 1);
});

test('title, examples and labels are text, whatever they hold', async () => {
  const files = writeFolder(makeTinyModel({ labels: [hostile, 'other'] }));
  const options = ['--title', hostile, '--example', hostile, '--example', 'two', '--pair', 'other'];
  await succeed(['site', '--model', files, '-o', at('hostile'), ...options]);
  await succeed(['site', '--model', files, '--single-file', '-o', at('hostile.html'), ...options]);
  for (const file of ['hostile/index.html', 'hostile.html']) {
    const html = fs.readFileSync(at(file), 'utf8');
    assert.ok(!html.includes('<img'), file);
    const { title, examples, info } = siteOf(html);
    assert.deepEqual([title, info.labels], [hostile, [hostile, 'other']]);
    assert.deepEqual(examples, [{ text: hostile, pair: 'other' }, { text: 'two', pair: 'other' }]);
  }
  assert.equal(JSON.parse(fs.readFileSync(at('hostile/manifest.webmanifest'), 'utf8')).name, hostile);
});

test('one file holds what the folder holds, and a policy that allows no host', async () => {
  await succeed(['site', '--model', model, '--single-file', '-o', at('one.html')]);
  const html = fs.readFileSync(at('one.html'), 'utf8');
  const blocks = [...html.matchAll(/<script type="text\/plain" data-file="(.*?)" data-bytes="(\d+)">(.*?)<\/script>/g)];
  const held = {};
  for (const [, name, bytes, packed] of blocks) {
    const part = gunzipSync(Buffer.from(packed, 'base64'));
    assert.equal(part.length, Number(bytes));
    held[name] = Buffer.concat([held[name] ?? Buffer.alloc(0), part]);
  }
  const name = path.basename(model);
  for (const file of ['config.json', 'model.safetensors', 'tokenizer_config.json', 'vocab.txt']) {
    assert.deepEqual(held[file], fs.readFileSync(path.join(model, file)), file);
  }
  assert.deepEqual(JSON.parse(held['headlight.json']), JSON.parse(fs.readFileSync(at('site/models', name, 'headlight.json'), 'utf8')));
  const policy = /Content-Security-Policy" content="(.*?)">/.exec(html)[1];
  const rules = policy.split('; ').map((rule) => rule.replace(/sha256-[^']*/, 'sha256'));
  assert.deepEqual(rules, [
    "default-src 'none'",
    "script-src 'sha256' 'wasm-unsafe-eval'",
    "style-src 'sha256'",
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  assert.equal(siteOf(html).title, name);
});

test('a large file lies in several blocks', async () => {
  const large = writeFolder(makeTinyModel({ hidden: 512, layers: 2 }));
  const { size } = fs.statSync(path.join(large, 'model.safetensors'));
  assert.ok(size > 2 * (4 << 20));
  await succeed(['site', '--model', large, '--single-file', '-o', at('large.html')]);
  const blocks = fs.readFileSync(at('large.html'), 'utf8').match(/data-file="model\.safetensors"/g);
  assert.equal(blocks.length, Math.ceil(size / (4 << 20)));
});

test('--precision takes the weights of one kind', async () => {
  const both = temporaryFolder();
  fs.cpSync(model, both, { recursive: true });
  const packed = path.join(temporaryFolder(), 'packed');
  const big = writeFolder(makeTinyModel({ hidden: 64 }));
  await succeed(['pack', big, '-o', packed]);
  fs.cpSync(big, both, { recursive: true });
  fs.copyFileSync(path.join(packed, 'model.int8.safetensors'), path.join(both, 'model.int8.safetensors'));
  for (const [precision, weights] of [
    ['auto', 'model.int8.safetensors'],
    ['int8', 'model.int8.safetensors'],
    ['float32', 'model.safetensors'],
  ]) {
    const { files } = JSON.parse(await succeed(['site', '-m', both, '-o', at(precision), '--precision', precision, '--json']));
    const found = Object.keys(files).filter((file) => file.endsWith('.safetensors'));
    assert.deepEqual(found.map((file) => path.basename(file)), [weights]);
    assert.equal(siteOf(fs.readFileSync(at(precision, 'index.html'), 'utf8')).precision, precision);
  }
  await fail(['site', '-m', both, '-o', at('half'), '--precision', 'float16'], 2, /--precision/);
});

test('a pack in parts stays in parts', async () => {
  const packed = path.join(temporaryFolder(), 'packed');
  await succeed(['pack', writeFolder(makeTinyModel({ hidden: 512 })), '-o', packed, '--max-part', '1MiB']);
  const { files } = JSON.parse(await succeed(['site', '-m', packed, '-o', at('parts'), '--json']));
  const parts = Object.keys(files).filter((file) => /\.part-/.test(file));
  assert.ok(parts.length > 2 && parts.every((file) => files[file] <= 1 << 20));
  const [own, copied] = await Promise.all([packed, at('parts/models/packed')].map((folder) => library.load(folder)));
  assert.deepEqual(await copied.classify('a good film'), await own.classify('a good film'));
});

test('--threads is told to the service worker', async () => {
  await succeed(['site', '-m', model, '-o', at('threads'), '--threads']);
  assert.match(fs.readFileSync(at('threads/sw.js'), 'utf8'), /^self\.headlight = \{.*"isolate":true\};\n/);
  await fail(['site', '-m', model, '--single-file', '-o', at('threads.html'), '--threads'], 2, /one thread/);
});

test('it refuses what it should, and leaves nothing behind', async () => {
  const site = at('refused');
  await succeed(['site', '-m', model, '-o', site]);
  const before = fs.readdirSync(place).sort();
  await fail(['site', '-m', model, '-o', site], 1, /E_INVALID_ARGUMENT: .*--force/);
  await succeed(['site', '-m', model, '-o', site, '--force', '--title', 'Again']);
  assert.match(fs.readFileSync(path.join(site, 'index.html'), 'utf8'), /<title>Again</);
  await fail(['site', '-m', model, '--single-file', '-o', at('one.html')], 1, /is there; --force/);
  await succeed(['site', '-m', model, '--single-file', '-o', at('one.html'), '--force']);
  await fail(['site', '-m', path.join(site, 'models', path.basename(model)), '-o', site, '--force'], 1, /holds the folder of the model/);
  const mine = writeFolder({ 'notes.txt': new Uint8Array(1), 'index.html': new TextEncoder().encode('<p>mine</p>') });
  await fail(['site', '-m', model, '-o', mine, '--force'], 1, /is no site; --force replaces sites alone/);
  await fail(['site', '-m', model, '--single-file', '-o', path.join(mine, 'index.html'), '--force'], 1, /is no site/);
  await fail(['site', '-m', model, '-o', '.', '--force'], 1, /holds the current folder/);
  await fail(['site', '-m', at('none'), '-o', at('new')], 1, /E_NOT_FOUND/);
  const { 'vocab.txt': vocabulary, ...rest } = makeTinyModel();
  assert.ok(vocabulary);
  await fail(['site', '-m', writeFolder(rest), '-o', at('new')], 1, /E_/);
  const cut = writeFolder({ ...makeTinyModel(), 'model.safetensors': makeTinyModel()['model.safetensors'].slice(0, -10) });
  await fail(['site', '-m', cut, '-o', at('new')], 1, /E_MODEL_TRUNCATED/);
  await fail(['site', '-m', cut, '--single-file', '-o', at('new.html')], 1, /E_MODEL_TRUNCATED/);
  await fail(['site', '-m', model, '--single-file', '-o', path.join(mine, 'notes.txt', 'below.html')], 1, /cannot be written/);
  await fail(['site', '-m', model], 2, /-o PATH/);
  await fail(['site', '-o', at('new')], 2, /--model/);
  await fail(['site', 'text', '-m', model, '-o', at('new')], 2, /--example/);
  assert.deepEqual(fs.readdirSync(place).sort(), before);
});

test('it leaves nothing behind when it is interrupted', async () => {
  const large = writeFolder(makeTinyModel({ layers: 6, hidden: 512 }));
  for (const [output, ...more] of [[at('cut')], [at('cut.html'), '--single-file']]) {
    const before = fs.readdirSync(place).sort();
    const interrupted = headlight(['site', '-m', large, '-o', output, ...more], {
      during(child) {
        const watcher = fs.watch(place, () => {
          watcher.close();
          child.kill('SIGINT');
        });
        child.on('close', () => watcher.close());
      },
    });
    const { code } = await interrupted;
    if (code !== 0) assert.equal(code, 130);
    assert.deepEqual(fs.readdirSync(place).sort().filter((name) => !before.includes(name) && name !== path.basename(output)), []);
    assert.equal(fs.existsSync(output), code === 0);
  }
});

test('what the page does not ask for stays behind', async () => {
  const source = path.join(committedGolden, 'modernbert-mlm');
  await succeed(['site', '-m', source, '-o', at('mlm')]);
  const files = filesOf(at('mlm/models/modernbert-mlm'));
  assert.ok(files.includes('tokenizer.json') && !files.includes('golden.json') && !files.includes('golden.safetensors'), files.join());
});
