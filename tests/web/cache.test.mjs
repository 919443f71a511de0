// The cache: what is asked for a second time, without a network, after damage, and where storage fails.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { library } from '../support/built.mjs';
import { breaking, notFound, send, serveFiles, startPage, tagged } from '../support/model-server.mjs';
import { makeTinyModel, manifestOf, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const { cachedFiles, clearCache, load, loadTokenizer, prefetch } = library;
/** Of three segments. */
const files = makeTinyModel({ hidden: 256, layers: 4 });
const weights = files['model.safetensors'];
const segmentBytes = 1 << 22;
const packed = { ...files, 'headlight.json': manifestOf(files) };
const other = makeTinyModel({ hidden: 256, layers: 4, seed: 2 });
const scoreOf = async (model) => {
  const [{ score }] = await model.classify('the movie was good');
  model.dispose();
  return score;
};
const scores = { files: await scoreOf(await load(writeFolder(files))), other: await scoreOf(await load(writeFolder(other))) };

const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

/** A server whose files have versions; `asked()` gives the requests since it was called last, as 'GET name'. */
async function open(served, { answers = {}, answer = tagged } = {}) {
  const every = Object.fromEntries(Object.keys(served).map((name) => [name, answer]));
  const server = await serveFiles(served, { answers: Object.assign(answers, { ...every, ...answers }) });
  servers.push(server);
  let seen = 0;
  const asked = () => {
    const from = seen;
    seen = server.requests.length;
    return server.requests.slice(from).map((name, index) => `${server.methods[from + index]} ${name}`);
  };
  return { ...server, answers, asked };
}

const newCache = () => ({ directory: path.join(temporaryFolder(), 'cache') });
const heardBy = (warnings) => ({ info() {}, warn: (message) => warnings.push(message) });
const gets = (requests) => requests.filter((request) => request.startsWith('GET') && files[request.slice(4)]);

test('what was loaded once is loaded again without a byte, and without a network', async () => {
  for (const [served, looks] of [
    [files, undefined],
    [packed, ['HEAD config.json', 'HEAD headlight.json']],
  ]) {
    const server = await open(served);
    const cache = newCache();
    assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
    assert.deepEqual(gets(server.asked()).sort(), Object.keys(files).map((name) => `GET ${name}`).sort());
    assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
    const again = server.asked();
    assert.ok(again.every((request) => request.startsWith('HEAD')), again.join());
    if (looks) assert.deepEqual(again, looks);
    await server.close();
    assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
    const tokenizer = await loadTokenizer(server.url, { cache });
    assert.equal((await tokenizer.tokenize('a film')).ids.length, 4);
    tokenizer.dispose();
  }
});

test('a server that is there and does not answer is not waited for', async () => {
  const cache = newCache();
  const server = await open(packed);
  await scoreOf(await load(server.url, { cache }));
  for (const name of Object.keys(packed)) server.answers[name] = () => {};
  server.asked();
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
  assert.deepEqual(server.asked(), ['HEAD config.json']);
});

test('without a directory Node keeps files in memory, and says so', async () => {
  const server = await open(packed);
  const warnings = [];
  const options = { cache: 'persistent', logger: heardBy(warnings) };
  assert.equal(await scoreOf(await load(server.url, options)), scores.files);
  assert.match(warnings.join(), /kept in memory/);
  await server.close();
  assert.equal(await scoreOf(await load(server.url, options)), scores.files);
  assert.ok((await clearCache()) > weights.length);
  await assert.rejects(load(server.url, options), { code: 'E_NETWORK' });
});

test('a new version on the server replaces what changed, and nothing else', async () => {
  const served = { ...files };
  const server = await open(served);
  const cache = newCache();
  await scoreOf(await load(server.url, { cache }));
  server.asked();
  served['model.safetensors'] = other['model.safetensors'];
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.other);
  assert.deepEqual(gets(server.asked()), ['GET model.safetensors']);

  const pack = { ...packed };
  const packs = await open(pack, { answer: send });
  await scoreOf(await load(packs.url, { cache }));
  packs.asked();
  // This server tells no versions: the manifest does, which is read anew.
  Object.assign(pack, other, { 'headlight.json': manifestOf(other) });
  assert.equal(await scoreOf(await load(packs.url, { cache })), scores.other);
  assert.deepEqual(gets(packs.asked()).sort(), ['GET config.json', 'GET model.safetensors']);
  await packs.close();
  const names = (await cachedFiles({ cache, location: packs.url })).map(({ url }) => url.slice(packs.url.length));
  assert.deepEqual(names.sort(), Object.keys(pack).sort());
});

test('a download that is killed at its half goes on from there in the next load', async () => {
  const half = Math.floor(weights.length / 2);
  for (const gzip of [false, true]) {
    const { answer, asked } = breaking([half], { gzip });
    const server = await open(packed, { answers: { 'model.safetensors': answer } });
    const cache = newCache();
    await assert.rejects(load(server.url, { cache, retries: 0 }), (error) => /^E_(MODEL_TRUNCATED|NETWORK)$/.test(error.code));
    const begun = (await cachedFiles({ cache })).find(({ url }) => url.endsWith('model.safetensors'));
    assert.equal(begun.complete, false);
    assert.ok(begun.bytes > half - segmentBytes && begun.bytes <= half, `${begun.bytes} of ${half}`);
    const loaded = [];
    assert.equal(
      await scoreOf(await load(server.url, { cache, onProgress: (progress) => loaded.push(progress.loaded) })),
      scores.files,
    );
    // What comes compressed has no size that is told: its last byte comes again, since it may be the file's.
    assert.deepEqual(asked.at(-1), { range: `bytes=${begun.bytes - (gzip ? 1 : 0)}-`, condition: '"1"' });
    assert.deepEqual(
      loaded,
      [...loaded].sort((a, b) => a - b),
    );
    const whole = (await cachedFiles({ cache })).find(({ url }) => url.endsWith('model.safetensors'));
    assert.deepEqual([whole.bytes, whole.complete], [weights.length, true]);
  }
});

test('what was begun of an older version is not gone on with', async () => {
  const served = { ...files };
  let broken = true;
  const answer = (request, response, bytes) => {
    const tag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    breaking(broken ? [5e6] : [], { tag: () => tag }).answer(request, response, bytes);
  };
  const server = await open(served, { answers: { 'model.safetensors': answer } });
  const cache = newCache();
  await assert.rejects(load(server.url, { cache, retries: 0 }));
  served['model.safetensors'] = other['model.safetensors'];
  broken = false;
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.other);
});

test('an aborted load goes on where it stopped', async () => {
  const server = await open(packed);
  const cache = newCache();
  const controller = new AbortController();
  const onProgress = ({ phase, loaded }) => phase === 'weights' && loaded > 5e6 && controller.abort();
  await assert.rejects(prefetch(server.url, { cache, signal: controller.signal, onProgress }), { name: 'AbortError' });
  let begun;
  for (let wait = 0; wait < 50 && !begun; wait++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    begun = (await cachedFiles({ cache })).find(({ url, bytes }) => url.endsWith('model.safetensors') && bytes > segmentBytes);
  }
  assert.ok(begun && !begun.complete);
  let fetched = 0;
  const counting = async (url, options) => {
    const response = await fetch(url, options);
    if (options.method !== 'HEAD') fetched += Number(response.headers.get('Content-Length'));
    return response;
  };
  assert.equal(await scoreOf(await load(server.url, { cache, fetch: counting })), scores.files);
  assert.ok(fetched <= weights.length - begun.bytes, `${fetched} bytes`);
});

test('an unfinished copy that has every byte is checked, and not asked for further', async () => {
  const recordOf = (cache) =>
    fs
      .readdirSync(cache.directory)
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(cache.directory, name))
      .find((name) => fs.readFileSync(name, 'utf8').includes('model.safetensors'));
  /** As a load leaves it that is ended before the file was found to be right. */
  const unfinish = (cache, change = {}) => {
    const file = recordOf(cache);
    const record = { ...JSON.parse(fs.readFileSync(file, 'utf8')), complete: false, ...change };
    fs.writeFileSync(file, JSON.stringify(record));
  };
  const isWhole = async (cache) => {
    const { bytes, complete } = (await cachedFiles({ cache })).find(({ url }) => url.endsWith('model.safetensors'));
    return complete && bytes === weights.length;
  };
  for (const served of [files, packed]) {
    const current = { ...served };
    const asked = [];
    const answer = (request, response, bytes) => {
      if (request.method === 'GET') asked.push(request.headers.range);
      tagged(request, response, bytes);
    };
    const server = await open(current, { answers: { 'model.safetensors': answer } });
    const cache = newCache();
    await scoreOf(await load(server.url, { cache }));
    assert.deepEqual(asked.splice(0), [undefined]);
    unfinish(cache);
    assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
    assert.deepEqual(asked.splice(0), []);
    assert.ok(await isWhole(cache));

    unfinish(cache);
    fs.truncateSync(path.join(cache.directory, fs.readdirSync(cache.directory).find((name) => /-1$/.test(name))), 1000);
    assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
    assert.deepEqual(asked.splice(0), [`bytes=${segmentBytes}-`], 'from where it is damaged');
    assert.ok(await isWhole(cache));

    // Where nobody told the size, the last byte comes again: there is nothing after it to ask for.
    unfinish(cache, { bytes: null });
    assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
    assert.deepEqual(asked.splice(0), [`bytes=${weights.length - 1}-`]);
    assert.ok(await isWhole(cache));

    unfinish(cache);
    Object.assign(current, other, served === packed && { 'headlight.json': manifestOf(other) });
    assert.equal(await scoreOf(await load(server.url, { cache })), scores.other);
    assert.deepEqual(asked.splice(0), [undefined], 'another version is downloaded whole');
  }
});

test('a load that is stopped at the last byte leaves all of it to the next, whether its size was told or not', async () => {
  // Two segments, to the byte.
  const even = new Uint8Array(2 * segmentBytes);
  for (const gzip of [false, true]) {
    const { answer, asked } = breaking([], { gzip });
    const server = await open({ ...files, 'model.safetensors': even }, { answers: { 'model.safetensors': answer } });
    const cache = newCache();
    const controller = new AbortController();
    const onProgress = ({ phase }) => phase === 'weights' && lastByte() && controller.abort();
    const lastByte = () =>
      fs.existsSync(cache.directory) && fs.readdirSync(cache.directory).some((name) => name.endsWith('-1'));
    await assert.rejects(prefetch(server.url, { cache, signal: controller.signal, onProgress }), { name: 'AbortError' });
    // It lets go of the copy a moment later.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const begun = (await cachedFiles({ cache })).find(({ url }) => url.endsWith('model.safetensors'));
    assert.deepEqual([begun?.bytes, begun?.complete], [even.length, false]);
    await prefetch(server.url, { cache });
    const from = gzip ? [`bytes=${even.length - 1}-`] : [];
    assert.deepEqual(asked.slice(1).map(({ range }) => range), from);
    await clearCache({ cache });
  }
});

test('damaged copies are downloaded again from where the damage begins', async () => {
  const damages = {
    'a changed byte': (file) => {
      const bytes = fs.readFileSync(file);
      bytes[bytes.length >> 1] ^= 1;
      fs.writeFileSync(file, bytes);
    },
    'a short file': (file) => fs.truncateSync(file, 1000),
    'no file': (file) => fs.rmSync(file),
  };
  const server = await open(packed);
  for (const [what, damage] of Object.entries(damages)) {
    const cache = newCache();
    await scoreOf(await load(server.url, { cache }));
    const segment = fs.readdirSync(cache.directory).find((name) => /-1$/.test(name));
    damage(path.join(cache.directory, segment));
    server.asked();
    const warnings = [];
    assert.equal(await scoreOf(await load(server.url, { cache, logger: heardBy(warnings) })), scores.files, what);
    assert.ok(warnings.some((text) => text.includes(`damaged from byte ${segmentBytes} on`)), warnings.join());
    assert.deepEqual(gets(server.asked()), ['GET model.safetensors'], what);
    assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
    assert.deepEqual(gets(server.asked()), [], what);
  }
});

test('a damaged copy whose rest the server has in another version is dropped, and the file downloaded whole', async () => {
  const served = { ...packed };
  // This server tells no versions.
  const server = await open(served, { answer: send });
  const cache = newCache();
  await scoreOf(await load(server.url, { cache }));
  const segment = fs.readdirSync(cache.directory).find((name) => /-1$/.test(name));
  fs.rmSync(path.join(cache.directory, segment));
  served['model.safetensors'] = other['model.safetensors'];
  // Its manifest still tells the old sum: the new file is refused by name, and nothing of it is kept.
  await assert.rejects(load(server.url, { cache }), { code: 'E_MODEL_CORRUPT', file: /model\.safetensors$/ });
  assert.ok(!(await cachedFiles({ cache })).some(({ url }) => url.endsWith('model.safetensors')));
  served['headlight.json'] = manifestOf({ ...other, 'config.json': files['config.json'] });
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.other);
});

test('a record that is no record, and foreign files, do no harm', async () => {
  const server = await open(packed);
  const cache = newCache();
  await scoreOf(await load(server.url, { cache }));
  for (const name of fs.readdirSync(cache.directory)) {
    if (name.endsWith('.json')) fs.writeFileSync(path.join(cache.directory, name), '{"segments": 5');
  }
  fs.writeFileSync(path.join(cache.directory, 'foreign.txt'), 'x');
  assert.deepEqual(await cachedFiles({ cache }), []);
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
  assert.equal((await cachedFiles({ cache })).length, Object.keys(packed).length);
});

test('a copy that is whole and wrong is dropped, and the file downloaded again, once', async () => {
  const server = await open(files);
  const cache = newCache();
  await scoreOf(await load(server.url, { cache }));
  const file = fs
    .readdirSync(cache.directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.join(cache.directory, name))
    .find((name) => fs.readFileSync(name, 'utf8').includes('model.safetensors'));
  const record = JSON.parse(fs.readFileSync(file, 'utf8'));
  record.segments.length = 1;
  record.bytes = segmentBytes;
  fs.writeFileSync(file, JSON.stringify(record));
  server.asked();
  const warnings = [];
  const seen = [];
  const options = { cache, logger: heardBy(warnings), onProgress: ({ loaded }) => seen.push(loaded) };
  assert.equal(await scoreOf(await load(server.url, options)), scores.files);
  assert.match(warnings.join(), /copies of files are damaged/);
  assert.equal(gets(server.asked()).filter((name) => name.endsWith('model.safetensors')).length, 1);
  for (const [index, loaded] of seen.entries()) assert.ok(index === 0 || loaded >= seen[index - 1]);
});

test('a directory that cannot be made only warns', async () => {
  const server = await serveFiles(files);
  for (const directory of ['/proc/models', '/proc/models/of/mine', path.join(import.meta.filename, 'models')]) {
    const warnings = [];
    const model = await load(server.url, { cache: { directory }, logger: heardBy(warnings) });
    assert.equal(await scoreOf(model), scores.files, directory);
    assert.match(warnings.join(), /not kept/);
  }
  await server.close();
});

test('neither pages nor damaged files are kept', async () => {
  const answers = { missing: startPage };
  const wrong = { ...files, 'model.safetensors': weights.subarray(0, weights.length - 100) };
  const served = { ...wrong };
  const server = await open(served, { answers });
  const cache = newCache();
  delete answers['model.safetensors'];
  delete served['model.safetensors'];
  await assert.rejects(load(server.url, { cache }), { code: 'E_NOT_A_MODEL' });
  answers.missing = notFound;
  await assert.rejects(load(server.url, { cache }), { code: 'E_NOT_FOUND' });
  served['model.safetensors'] = wrong['model.safetensors'];
  await assert.rejects(load(server.url, { cache }), { code: 'E_MODEL_TRUNCATED' });
  assert.deepEqual(
    (await cachedFiles({ cache })).filter(({ url }) => url.endsWith('model.safetensors')),
    [],
  );
  served['model.safetensors'] = weights;
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
  const kept = await cachedFiles({ cache });
  assert.deepEqual(kept.map(({ url }) => url.slice(server.url.length)).sort(), Object.keys(files).sort());
  await server.close();
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
});

test('a host that sends its start page for what is missing, then no network', async () => {
  const server = await open(files, { answers: { missing: startPage } });
  const cache = newCache();
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
  await server.close();
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
  assert.equal((await cachedFiles({ cache })).length, Object.keys(files).length);
});

test('storage that throws is told of once, and the model loads', async () => {
  const server = await open(packed);
  const directory = path.join(temporaryFolder(), 'file');
  fs.writeFileSync(directory, '');
  const warnings = [];
  const model = await load(server.url, { cache: { directory }, logger: heardBy(warnings) });
  assert.equal(await scoreOf(model), scores.files);
  assert.equal(warnings.filter((text) => /files are not kept: the storage failed/.test(text)).length, 1, warnings.join());
});

test('prefetch downloads what load needs; copies are listed and cleared', async () => {
  const server = await open(packed);
  const cache = newCache();
  const seen = [];
  const copies = await prefetch(server.url, { cache, onProgress: (progress) => seen.push(progress) });
  const bytes = Object.values(packed).reduce((sum, { length }) => sum + length, 0);
  assert.equal(seen.at(-1).phase, 'ready');
  assert.deepEqual([seen.at(-1).loaded, seen.at(-1).total], [bytes, bytes]);
  assert.deepEqual(await cachedFiles({ cache }), copies);
  assert.equal(
    copies.reduce((sum, copy) => sum + copy.bytes, 0),
    bytes,
  );
  assert.ok(copies.every(({ complete, saved }) => complete && Date.parse(saved) <= Date.now()));
  await server.close();
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);

  const second = await open(files);
  await prefetch(second.url, { cache });
  assert.equal(await clearCache({ cache, location: server.url }), bytes);
  assert.equal((await cachedFiles({ cache })).length, Object.keys(files).length);
  assert.ok((await clearCache({ cache })) > weights.length);
  assert.deepEqual(fs.readdirSync(cache.directory), []);
  await assert.rejects(load(server.url, { cache }), { code: 'E_NETWORK' });
});

test('two loads at once', async () => {
  const server = await open(packed);
  const cache = newCache();
  const models = await Promise.all([load(server.url, { cache }), load(server.url, { cache })]);
  assert.deepEqual(await Promise.all(models.map(scoreOf)), [scores.files, scores.files]);
  server.asked();
  assert.equal(await scoreOf(await load(server.url, { cache })), scores.files);
  assert.deepEqual(gets(server.asked()), []);
});

test('what is no cache is refused', async () => {
  for (const cache of ['opfs', 5, {}]) await assert.rejects(load('http://localhost:1/', { cache }), { code: 'E_INVALID_ARGUMENT' });
  await assert.rejects(prefetch(writeFolder(files)), { code: 'E_INVALID_ARGUMENT' });
  await assert.rejects(prefetch('http://localhost:1/', { cache: 'none' }), { code: 'E_INVALID_ARGUMENT' });
  await assert.rejects(cachedFiles({ cache: 'default' }), { code: 'E_INVALID_ARGUMENT' });
});
