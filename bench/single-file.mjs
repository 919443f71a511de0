#!/usr/bin/env node
// What a page as one file takes: its size, and the memory of Chromium's process for it, beside the same page as a folder.
//
//   node bench/single-file.mjs [MODEL]      (after npm run build; Linux)
//
// The largest of five visits. The peak is VmHWM of the renderer: resident bytes at most, shared libraries with them, of which an empty page has as many.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from '../tests/support/page.mjs';
import { serve } from '../scripts/serve.mjs';
import { root } from '../scripts/setup/common.mjs';

const model = process.argv[2] ?? path.join(root, 'models/sentiment-en');
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'headlight-single-'));
process.on('exit', () => fs.rmSync(place, { recursive: true, force: true }));

for (const options of [['-o', path.join(place, 'site')], ['--single-file', '-o', path.join(place, 'one.html')]]) {
  const { status } = spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), 'site', '--model', model, ...options], { stdio: ['ignore', 1, 2] });
  if (status !== 0) process.exit(status);
}
const server = await serve({ root: path.join(place, 'site') });
const file = pathToFileURL(path.join(place, 'one.html')).href;

const withoutWorkers = () => {
  globalThis.Worker = class {
    constructor() {
      throw new DOMException('refused', 'SecurityError');
    }
  };
};

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** Peak and present resident bytes of the largest renderer. */
async function memory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const status = fs.readFileSync(`/proc/${id}/status`, 'utf8');
      const bytes = (name) => 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]);
      return { peak: bytes('VmHWM'), now: bytes('VmRSS') };
    });
  return sizes.sort((a, b) => b.peak - a.peak)[0];
}

/** The memory of one visit, with a browser of its own. */
async function visit(url, script) {
  const browser = await launch();
  const page = await browser.newPage();
  if (script) await page.addInitScript(script);
  await page.goto(url);
  if (url !== 'about:blank') {
    await page.waitForFunction(() => document.querySelector('headlight-app')?.desk.reading?.milliseconds, null, { timeout: 120_000 });
  }
  const sizes = await memory(browser);
  await browser.close();
  return sizes;
}

console.log('| page | peak | after the first verdict |\n|---|---|---|');
for (const [name, url, script] of [
  ['empty', 'about:blank'],
  ['folder, engine in a worker', server.url],
  ['one file, engine in a worker', file],
  ["one file, engine on the page's thread", file, withoutWorkers],
]) {
  const visits = [];
  for (let i = 0; i < 5; i++) visits.push(await visit(url, script));
  const largest = (kind) => megabytes(Math.max(...visits.map((visit) => visit[kind])));
  console.log(`| ${name} | ${largest('peak')} | ${largest('now')} |`);
}
await server.close();
console.log(`\none file: ${megabytes(fs.statSync(path.join(place, 'one.html')).size)}`);
