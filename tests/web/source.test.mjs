import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { library, importModule } from '../support/built.mjs';
import { send, serveFiles } from '../support/model-server.mjs';
import { writeFolder } from '../support/tiny-model.mjs';

const { openSource } = await importModule('source.js');
const { DirectorySource, FilesSource, UrlSource } = library;

const files = { 'a.txt': Buffer.from('0123456789'), 'empty.txt': Buffer.from('') };
const folder = writeFolder(files);

const read = async (file) => Buffer.from(await new Response(file.stream).arrayBuffer()).toString();

async function checkSource(source, listing) {
  assert.deepEqual((await source.list())?.sort() ?? null, listing);
  assert.equal(await source.open('missing.txt'), null);
  const whole = await source.open('a.txt');
  assert.equal(whole.size, 10);
  assert.equal(await read(whole), '0123456789');
  const part = await source.open('a.txt', { start: 2, end: 5 });
  assert.equal(part.size, 3);
  assert.equal(await read(part), '234');
  assert.equal(await read(await source.open('a.txt', { start: 7 })), '789');
  assert.equal(await read(await source.open('a.txt', { start: 8, end: 100 })), '89');
  assert.equal(await read(await source.open('empty.txt')), '');
}

test('a directory', async () => {
  await checkSource(new DirectorySource(folder), ['a.txt', 'empty.txt']);
  await checkSource(openSource(folder), ['a.txt', 'empty.txt']);
  await checkSource(openSource(pathToFileURL(folder)), ['a.txt', 'empty.txt']);
  await checkSource(openSource(pathToFileURL(folder).href), ['a.txt', 'empty.txt']);
});

test('files', async () => {
  const list = Object.entries(files).map(([name, bytes]) => new File([bytes], name));
  await checkSource(new FilesSource(list), ['a.txt', 'empty.txt']);
  await checkSource(openSource(list), ['a.txt', 'empty.txt']);
});

test('a directory handle', async () => {
  const handle = {
    async *entries() {
      for (const name of Object.keys(files)) yield [name, { kind: 'file' }];
      yield ['folder', { kind: 'directory' }];
    },
    async getFileHandle(name) {
      if (!files[name]) throw new DOMException('none', 'NotFoundError');
      return { getFile: async () => new File([files[name]], name) };
    },
  };
  await checkSource(openSource(handle), ['a.txt', 'empty.txt']);
});

test('an extension, where fetch fails for a file that is missing', async () => {
  const fetch = async (url) => {
    const bytes = files[url.split('/').at(-1)];
    if (!bytes) throw new TypeError('Failed to fetch');
    return new Response(bytes);
  };
  assert.equal(await new UrlSource('chrome-extension://abc/model', { fetch }).open('missing.txt'), null);
  assert.equal(await new UrlSource('moz-extension://abc/model', { fetch }).open('missing.txt'), null);
  assert.equal(await read(await new UrlSource('chrome-extension://abc/model', { fetch }).open('a.txt')), '0123456789');
  await assert.rejects(new UrlSource('https://abc/model', { fetch }).open('missing.txt'), { code: 'E_NETWORK' });
});

test('a URL, of a server that does not know ranges', async () => {
  const server = await serveFiles(files);
  await checkSource(new UrlSource(server.url), null);
  await checkSource(openSource(`${server.url}?x=1`), null);
  await server.close();
});

test('a URL, of a server that knows ranges', async () => {
  const partial = (request, response, bytes) => {
    const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (start === undefined) return send(request, response, bytes);
    const body = bytes.subarray(Number(start), last === '' ? undefined : Number(last) + 1);
    response.writeHead(206, { 'Content-Length': body.length }).end(body);
  };
  const server = await serveFiles(files, { answers: { 'a.txt': partial } });
  await checkSource(new UrlSource(server.url), null);
  await server.close();
});

test('the size of a compressed body is not known', async () => {
  const server = await serveFiles(files, { gzip: true });
  const file = await new UrlSource(server.url).open('a.txt');
  assert.equal(file.size, null);
  assert.equal(await read(file), '0123456789');
  await server.close();
});

test('headers, fetch and cache are the caller’s', async () => {
  const calls = [];
  const fetch = async (url, options) => (calls.push([url, options]), new Response('x'));
  await new UrlSource('http://models.test/m', { fetch, headers: { Authorization: 'Bearer 1' }, cache: 'none' }).open(
    'a.txt',
  );
  const [[url, { headers, cache }]] = calls;
  assert.equal(url, 'http://models.test/m/a.txt');
  assert.deepEqual(headers, { Authorization: 'Bearer 1' });
  assert.equal(cache, 'no-store');
});

test('what is no location is refused', () => {
  for (const location of [undefined, null, 5, {}, () => {}, new URL('javascript:alert(1)'), new URL('data:,')]) {
    assert.throws(() => openSource(location), { code: 'E_INVALID_ARGUMENT' });
  }
});
