// An HTTP server for the files of a model, which can misbehave as servers and networks do.

import { createHash } from 'node:crypto';
import http from 'node:http';
import zlib from 'node:zlib';

/**
 * files: bytes by name. `answers`: by name, a function (request, response, bytes) in place of the usual answer;
 * 'missing' for what is not there. gzip: compress all bodies. Gives { url, requests, methods, close }: the names of the
 * files that were asked for, and by which method. What `files` and `answers` hold may change.
 */
export async function serveFiles(files, { answers = {}, gzip = false } = {}) {
  const requests = [];
  const methods = [];
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname.slice(1));
    requests.push(name);
    methods.push(request.method);
    const bytes = files[name];
    const answer = answers[name] ?? (bytes ? send : (answers.missing ?? notFound));
    answer(request, response, bytes, gzip);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    methods,
    close: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  };
}

export function send(_request, response, bytes, gzip = false) {
  const body = gzip ? zlib.gzipSync(bytes) : bytes;
  response.writeHead(200, { 'Content-Length': body.length, ...(gzip && { 'Content-Encoding': 'gzip' }) }).end(body);
}

/** Answers as `send` does with a page, a script or the engine. */
export function sendTyped(request, response, bytes) {
  const [, extension] = /\.(\w+)$/.exec(new URL(request.url, 'http://localhost').pathname) ?? [];
  const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
  response.setHeader('Content-Type', types[extension] ?? 'text/html');
  send(request, response, bytes);
}

export const notFound = (_request, response) => response.writeHead(404).end('not found');

/** The start page, as hosts of single-page apps send it for every path. */
export const startPage = (_request, response) =>
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>\n<html><title>App</title></html>');

/** Breaks the connection halfway. */
export function breakOff(_request, response, bytes) {
  response.writeHead(200, { 'Content-Length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

/** Sends half and then nothing. */
export function stall(_request, response, bytes) {
  response.writeHead(200, { 'Content-Length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2));
}

/**
 * A server that knows ranges and versions, and breaks the connection after `breaks[i]` bytes of its i-th answer. Gives
 * the answer, and in `asked` the headers of each request. `tag`: the ETag of the i-th answer; without one there is none.
 * `wait`: milliseconds from the last byte to the break.
 */
export function breaking(breaks, { tag = () => '"1"', ranges = true, gzip = false, wait = 20 } = {}) {
  const asked = [];
  const answer = (request, response, bytes) => {
    if (request.method === 'HEAD') return response.writeHead(200, { ETag: tag(asked.length) }).end();
    const { range, 'if-range': condition } = request.headers;
    const count = asked.push({ range, condition }) - 1;
    const version = tag(count);
    const [, start] = (ranges && /^bytes=(\d+)-/.exec(range ?? '')) || [];
    const isPart = start !== undefined && (condition === undefined || condition === version);
    const whole = gzip && !isPart ? zlib.gzipSync(bytes, { level: 0 }) : bytes;
    const body = isPart ? whole.subarray(Number(start)) : whole;
    response.writeHead(isPart ? 206 : 200, {
      'Content-Length': body.length,
      ...(version && { ETag: version }),
      ...(gzip && !isPart && { 'Content-Encoding': 'gzip' }),
      ...(isPart && { 'Content-Range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
    });
    if (count >= breaks.length) return response.end(body);
    response.write(body.subarray(0, breaks[count]), () => setTimeout(() => response.destroy(), wait));
  };
  return { answer, asked };
}

/** Answers with the file's sum as its ETag. */
export function tagged(request, response, bytes) {
  const tag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
  breaking([], { tag: () => tag }).answer(request, response, bytes);
}
