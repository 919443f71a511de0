#!/usr/bin/env node
// A server for static files.
//
//   node scripts/serve.mjs [FOLDER] [--port N]
//
// FOLDER: dist/app by default. Port: --port, else $HEADLIGHT_PORT, else 8000; the next free one if it is taken.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { SetupError } from './setup/common.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

// A file's media type, by its name.
export const typeOf = (file) => types[path.extname(file)] ?? 'application/octet-stream';

// Serves the files below `root`. port 0: any free one; another: that, or the next one that is free.
// headers: sent with every answer. mounts: further folders by the path under which they are served, '/models/'.
// Gives the address and close(), which also ends open connections.
export async function serve({ root, port = 0, host = '127.0.0.1', headers = {}, mounts = {} }) {
  const bases = Object.entries({ ...mounts, '/': root }).map(([at, folder]) => [at, fs.realpathSync(folder)]);
  const server = http.createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const [at, base] = bases.find(([prefix]) => request.url.startsWith(prefix)) ?? bases.at(-1);
    answer(base, request, response, at.length - 1);
  });
  const bound = await listen(server, port, host);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

// The --port argument or its defaults, as a number.
export function chosenPort(argument) {
  const text = argument ?? process.env.HEADLIGHT_PORT ?? '8000';
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new SetupError(`not a port: ${text}`);
  return port;
}

async function listen(server, first, host) {
  for (let port = first; ; port++) {
    try {
      await new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve();
        });
      });
      return server.address().port;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || port >= Math.min(first + 100, 65535)) throw error;
    }
  }
}

// skipped: characters of the path that name the mount.
function answer(base, request, response, skipped) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(response, 405, { Allow: 'GET, HEAD' });
  }
  const [pathname, query] = request.url.split(/(?=\?)/, 2);
  let file = fileAt(base, pathname.slice(skipped));
  if (file === null) return refuse(response, 404);

  let stat = fs.statSync(file);
  if (stat.isDirectory()) {
    if (!pathname.endsWith('/')) return refuse(response, 301, { Location: `${path.posix.basename(pathname)}/${query ?? ''}` });
    file = path.join(file, 'index.html');
    if (!fs.existsSync(file)) return refuse(response, 404);
    stat = fs.statSync(file);
  }

  const tag = `"${stat.size.toString(16)}-${Math.trunc(stat.mtimeMs).toString(16)}"`;
  response.setHeader('Content-Type', typeOf(file));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('ETag', tag);
  response.setHeader('Accept-Ranges', 'bytes');
  if (request.headers['if-none-match'] === tag) return response.writeHead(304).end();

  const range = parseRange(request.headers.range, stat.size);
  if (range === 'unsatisfiable') return refuse(response, 416, { 'Content-Range': `bytes */${stat.size}` });
  const { start, end } = range ?? { start: 0, end: stat.size };
  response.setHeader('Content-Length', end - start);
  if (range) response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${stat.size}`);
  response.writeHead(range ? 206 : 200);
  if (request.method === 'HEAD' || start === end) return response.end();
  pipeline(fs.createReadStream(file, { start, end: end - 1 }), response, () => {});
}

// The file or folder that `pathname` names below `base`, links followed; null for anything else.
function fileAt(base, pathname) {
  try {
    const file = fs.realpathSync(path.join(base, decodeURIComponent(pathname)));
    return file === base || file.startsWith(base + path.sep) ? file : null;
  } catch {
    return null; // no such file, or no valid name
  }
}

// One range of bytes as { start, end }, end exclusive; null where the header asks for none that we know.
function parseRange(header, size) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (!match[1] && !match[2])) return null;
  const start = match[1] ? Number(match[1]) : Math.max(0, size - Number(match[2]));
  const end = match[1] && match[2] ? Math.min(size, Number(match[2]) + 1) : size;
  return start < end ? { start, end } : 'unsatisfiable';
}

function refuse(response, status, headers = {}) {
  const text = `${status} ${http.STATUS_CODES[status]}\n`;
  response.writeHead(status, { 'Content-Type': 'text/plain', 'Content-Length': text.length, ...headers }).end(text);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({ options: { port: { type: 'string' } }, allowPositionals: true });
  const root = positionals[0] ?? fileURLToPath(new URL('../dist/app', import.meta.url));
  const { url } = await serve({ root, port: chosenPort(values.port) });
  console.log(`${root} is served at ${url}`);
}
