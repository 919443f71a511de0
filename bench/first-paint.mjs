#!/usr/bin/env node
// How long the views take from their maps to the first frame that shows them, in Chromium.
//
//   npm run bench:first-paint [-- --runs N]        needs a built package
//
// Maps of 12 layers and 12 heads over 12, 70 and 512 tokens, made up; medians. "whole": until the last of a view's pictures
// is there, for views that draw on over several frames. "longest": the longest time without a frame. Bytes: of the maps.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { serve } from '../scripts/serve.mjs';
import { root } from '../scripts/setup/common.mjs';
import { launch } from '../tests/support/page.mjs';
import { median } from './statistics.mjs';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '9' } } });
const runs = Number(values.runs);
const lengths = [12, 70, 512];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'headlight-paint-'));
await esbuild.build({
  absWorkingDir: root,
  entryPoints: { page: 'bench/first-paint-page.mjs' },
  outdir: folder,
  bundle: true,
  format: 'esm',
});
fs.writeFileSync(
  path.join(folder, 'index.html'),
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>First paint</title><script type="module" src="page.js"></script><main></main></html>',
);
const server = await serve({ root: folder });
const browser = await launch('--disable-gpu');
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(server.url);
  await page.waitForFunction(() => globalThis.views);
  const names = await page.evaluate(() => Object.keys(globalThis.views));
  console.log('| view | tokens | first paint, ms | whole, ms | longest, ms | nodes |\n|---|---:|---:|---:|---:|---:|');
  for (const name of names) {
    for (const tokens of lengths) {
      const times = [];
      for (let i = 0; i < runs; i++) {
        times.push(await page.evaluate(([view, n]) => globalThis.paint(view, n), [name, tokens]));
      }
      const of = (key) => median(times.map((time) => time[key])).toFixed(key === 'nodes' ? 0 : 1);
      console.log(`| ${name} | ${tokens} | ${['first', 'whole', 'longest', 'nodes'].map(of).join(' | ')} |`);
    }
  }
  console.log(`\nMaps of ${lengths.map((n) => `${n} tokens: ${((144 * n * n * 4) / 1e6).toFixed(1)} MB`).join('; ')}.`);
} finally {
  await browser.close();
  await server.close();
  fs.rmSync(folder, { recursive: true });
}
