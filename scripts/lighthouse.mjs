#!/usr/bin/env node
// Lighthouse's scores of the built app, on a server that compresses as static hosts do.
//
//   npm run lighthouse [-- --details]      (after npm run build)
//
// Fails below 100 for accessibility and best practices, and below 95 for performance before the model is here: the
// server leaves requests for the model open then. --details: what costs points. The speed of the machine is Lighthouse's
// benchmarkIndex: other work on it costs performance.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { typeOf } from './serve.mjs';
import { findBrowser } from './setup/browser.mjs';
import { getLighthouse } from './setup/lighthouse.mjs';
import { root } from './setup/common.mjs';

const { values } = parseArgs({ options: { details: { type: 'boolean' } } });
const app = path.join(root, 'dist/app');

let withModel = false;
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname.startsWith('/models/') && !withModel) return;
  const file = path.join(app, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  if (!file.startsWith(app + path.sep) || !fs.existsSync(file)) return response.writeHead(404).end();
  const bytes = fs.readFileSync(file);
  const compressed = !pathname.startsWith('/models/') && !/\.png$/.test(file);
  response.writeHead(200, {
    'Content-Type': typeOf(file),
    'Cache-Control': 'max-age=600',
    ...(compressed && { 'Content-Encoding': 'gzip' }),
  });
  response.end(compressed ? gzipSync(bytes) : bytes);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}/`;

const { lighthouse, launch, version } = await getLighthouse();
const categories = ['performance', 'accessibility', 'best-practices'];
const desktop = {
  formFactor: 'desktop',
  screenEmulation: { mobile: false, width: 1350, height: 940, deviceScaleFactor: 1, disabled: false },
  throttling: { rttMs: 40, throughputKbps: 10240, cpuSlowdownMultiplier: 1 },
};

// The median of so many visits by performance.
const runs = 3;

// A new profile each time: nothing is kept of the one before.
async function visit(settings) {
  const chrome = await launch({ chromePath: findBrowser(), chromeFlags: ['--headless=new', '--no-sandbox'] });
  const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: categories, logLevel: 'error', ...settings });
  await chrome.kill();
  return lhr;
}

const problems = [];
console.log(`Lighthouse ${version}, the median of ${runs} visits\n`);
console.log('| | performance | accessibility | best practices | first paint | largest paint | blocked | shift | speed of this machine |\n|---|---|---|---|---|---|---|---|---|');
for (const [name, settings, model] of [
  ['phone, before the model', {}, false],
  ['desktop, before the model', desktop, false],
  ['phone, with the model', {}, true],
  ['desktop, with the model', desktop, true],
]) {
  withModel = model;
  const visits = [];
  for (let i = 0; i < runs; i++) visits.push(await visit(settings));
  const performanceOf = (result) => result.categories.performance.score;
  const lhr = visits.sort((one, other) => performanceOf(one) - performanceOf(other))[runs >> 1];
  const scores = categories.map((category) => Math.round(100 * lhr.categories[category].score));
  const shown = (audit) => lhr.audits[audit].displayValue ?? '';
  const metrics = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map(shown);
  console.log(`| ${[name, ...scores, ...metrics, lhr.environment.benchmarkIndex].join(' | ')} |`);
  const [performance, accessibility, practices] = scores;
  if (accessibility < 100 || practices < 100 || (!model && performance < 95)) problems.push(`${name}: ${scores.join(', ')}`);
  if (values.details) {
    const parts = categories.flatMap((category) => lhr.categories[category].auditRefs);
    for (const { id, weight } of parts) {
      const { score, title, displayValue = '', details } = lhr.audits[id];
      if (score === null || score >= 0.9) continue;
      console.error(`  ${weight ? `-${weight}` : ''} ${title} ${displayValue} ${JSON.stringify(details?.items?.slice(0, 4) ?? []).slice(0, 800)}`);
    }
  }
}
server.closeAllConnections();
server.close();
for (const problem of problems) console.error(`lighthouse: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
