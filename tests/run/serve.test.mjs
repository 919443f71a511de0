import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serve } from '../../scripts/serve.mjs';

// fetch() resolves ".." before it asks; this sends the path as it is.
function ask(url, requestPath, options = {}) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path: requestPath, ...options }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    request.on('error', reject).end();
  });
}

describe('serve', () => {
  let folder, server;

  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'headlight-serve-'));
    const root = path.join(folder, 'root');
    fs.mkdirSync(path.join(root, 'below'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'root-beside'));
    fs.writeFileSync(path.join(folder, 'secret.txt'), 'secret');
    fs.writeFileSync(path.join(folder, 'root-beside/secret.txt'), 'secret');
    fs.symlinkSync(path.join(folder, 'secret.txt'), path.join(root, 'link.txt'));
    fs.writeFileSync(path.join(root, 'index.html'), '<p>start');
    fs.writeFileSync(path.join(root, 'below/index.html'), '<p>below');
    fs.writeFileSync(path.join(root, 'a b.txt'), '0123456789');
    fs.writeFileSync(path.join(root, 'empty.txt'), '');
    for (const name of ['m.wasm', 'm.js', 'm.css', 'm.json', 'm.safetensors']) fs.writeFileSync(path.join(root, name), '.');
    server = await serve({ root, headers: { 'Cross-Origin-Opener-Policy': 'same-origin' } });
  });
  after(async () => {
    await server.close();
    fs.rmSync(folder, { recursive: true });
  });

  test('sends files with their type, and the headers asked for', async () => {
    const types = {
      '/': 'text/html; charset=utf-8',
      '/m.wasm': 'application/wasm',
      '/m.js': 'text/javascript; charset=utf-8',
      '/m.css': 'text/css; charset=utf-8',
      '/m.json': 'application/json',
      '/m.safetensors': 'application/octet-stream',
    };
    for (const [name, type] of Object.entries(types)) {
      const { status, headers } = await ask(server.url, name);
      assert.equal(status, 200, name);
      assert.equal(headers['content-type'], type);
      assert.equal(headers['cache-control'], 'no-cache');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    }
    assert.equal((await ask(server.url, '/a%20b.txt?query')).text, '0123456789');
    assert.equal((await ask(server.url, '/empty.txt')).text, '');
  });

  test('sends ranges of bytes', async () => {
    const range = (text) => ask(server.url, '/a%20b.txt', { headers: { Range: text } });
    const cases = { 'bytes=2-4': '234', 'bytes=7-': '789', 'bytes=-2': '89', 'bytes=8-99': '89', 'bytes=-99': '0123456789' };
    for (const [asked, text] of Object.entries(cases)) {
      const answer = await range(asked);
      assert.equal(answer.status, 206, asked);
      assert.equal(answer.text, text);
      assert.equal(Number(answer.headers['content-length']), text.length);
    }
    assert.equal((await range('bytes=2-4')).headers['content-range'], 'bytes 2-4/10');
    for (const asked of ['bytes=10-', 'bytes=5-4', 'bytes=-0']) {
      const answer = await range(asked);
      assert.equal(answer.status, 416, asked);
      assert.equal(answer.headers['content-range'], 'bytes */10');
    }
    assert.equal((await range('lines=1-2')).status, 200);
  });

  test('sends nothing from outside its folder', async () => {
    for (const name of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/../root-beside/secret.txt', '/link.txt']) {
      const { status, text } = await ask(server.url, name);
      assert.equal(status, 404, name);
      assert.doesNotMatch(text, /secret/);
    }
  });

  test('refuses what it does not know', async () => {
    assert.equal((await ask(server.url, '/none')).status, 404);
    assert.equal((await ask(server.url, '/%ff')).status, 404);
    assert.equal((await ask(server.url, '/a%00')).status, 404);
    assert.equal((await ask(server.url, '//')).status, 200);
    assert.equal((await ask(server.url, '/', { method: 'POST' })).status, 405);
  });

  test('sends folders with their slash', async () => {
    const { status, headers } = await ask(server.url, '/below?x');
    assert.equal(status, 301);
    assert.equal(headers.location, 'below/?x');
    assert.equal((await ask(server.url, '/below/')).text, '<p>below');
  });

  test('does not send again what has not changed, nor a body for HEAD', async () => {
    const first = await ask(server.url, '/m.js');
    assert.equal((await ask(server.url, '/m.js', { headers: { 'If-None-Match': first.headers.etag } })).status, 304);
    const head = await ask(server.url, '/a%20b.txt', { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.headers['content-length'], '10');
    assert.equal(head.text, '');
  });

  test('takes the next port where one is taken', async () => {
    const taken = Number(new URL(server.url).port);
    const other = await serve({ root: path.join(folder, 'root'), port: taken });
    const port = Number(new URL(other.url).port);
    assert.ok(port > taken && port <= taken + 100);
    await other.close();
  });
});
