#!/usr/bin/env node
// What is left of memory after many loads and many calls, in Node and in Chromium (docs/reliability.md).
//
//   node bench/soak.mjs [--loads 100] [--calls 10000] [--node-only]
//
// Prints tables in Markdown: a row after the first, and further on.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import v8 from 'node:v8';
import vm from 'node:vm';

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = process.env.HEADLIGHT_DIST ?? path.join(root, 'dist');
const text = 'The movie was absolutely fantastic!';
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Garbage is collected before each sample: twice, since what one round frees may let go of more. */
async function collect() {
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc');
  for (let round = 0; round < 2; round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Bytes of this process: of JavaScript's objects, of buffers and WebAssembly's memory, and of all. */
export async function memoryOfNode() {
  await collect();
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  return { objects: heapUsed, buffers: Math.max(external, arrayBuffers), process: rss };
}

/** Loads, calls and disposes `count` times; gives a sample after each of the rounds `at`. */
export async function repeatLoads({ load, count, at, sample }) {
  const samples = [];
  for (let round = 1; round <= count; round++) {
    const model = await load();
    await model.classify(text);
    model.dispose();
    if (at.includes(round)) samples.push({ round, ...(await sample()) });
  }
  return samples;
}

/** Calls `count` times, one after the other, each tenth with a text of another length; gives samples as above. */
export async function repeatCalls({ model, count, at, sample }) {
  const samples = [];
  for (let round = 1; round <= count; round++) {
    await model.classify(round % 10 === 0 ? `${text} `.repeat(1 + ((round / 10) % 8)) : text);
    if (!at.includes(round)) continue;
    const { heapBytes, allocatedBytes, openRuns } = await model.counters();
    samples.push({ round, heapBytes, allocatedBytes, openRuns, ...(await sample()) });
  }
  return samples;
}

const roundsOf = (count, ...rounds) => [...new Set([...rounds.filter((round) => round < count), count])];

function print(title, samples) {
  const columns = Object.keys(samples[0]);
  console.log(`\n${title}\n\n| ${columns.join(' | ')} |\n|${columns.map(() => '---:').join('|')}|`);
  for (const row of samples) {
    const cells = columns.map((name) => (/round|openRuns|workers/.test(name) ? row[name].toLocaleString('en') : megabytes(row[name])));
    console.log(`| ${cells.join(' | ')} |`);
  }
}

async function soakNode(loads, calls) {
  const { load } = await import(pathToFileURL(path.join(dist, 'index.js')));
  const folder = path.join(root, 'models/sentiment-en');
  const sample = memoryOfNode;
  const at = roundsOf(loads, 1, 5, 20, 50);
  print('Node, loads', await repeatLoads({ load: () => load(folder), count: loads, at, sample }));
  const model = await load(folder);
  print('Node, calls', await repeatCalls({ model, count: calls, at: roundsOf(calls, 100, 1000), sample }));
  model.dispose();
}

async function soakChromium(loads, calls) {
  const { launch } = await import('../tests/support/page.mjs');
  const { serve } = await import('../scripts/serve.mjs');
  const server = await serve({ root: dist, mounts: { '/models/': path.join(root, 'models') } });
  const browser = await launch();
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  const system = await browser.newBrowserCDPSession();
  await session.send('Performance.enable');
  /** The page's objects, and all of its process (Linux tells it), in which the workers run. */
  const sample = async () => {
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(300);
    const { metrics } = await session.send('Performance.getMetrics');
    const objects = metrics.find(({ name }) => name === 'JSHeapUsedSize').value;
    const { processInfo } = await system.send('SystemInfo.getProcessInfo');
    const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id));
    return { workers: page.workers().length, objects, process: Math.max(...sizes) };
  };
  // Some page of the same origin that does nothing.
  await page.goto(`${server.url}models/ATTRIBUTION.md`);
  await page.evaluate(async () => {
    globalThis.library = await import('/index.js');
  });
  // From the cache after the first: a browser under inspection keeps the bodies of what it downloads.
  const load = async () => {
    await page.evaluate(async () => {
      globalThis.model = await library.load('/models/sentiment-en', { cache: 'persistent' });
    });
    return {
      classify: (given) => page.evaluate((given) => model.classify(given), given),
      counters: () => page.evaluate(() => model.counters()),
      dispose: () => void page.evaluate(() => model.dispose()),
    };
  };
  print('Chromium, loads', await repeatLoads({ load, count: loads, at: roundsOf(loads, 1, 5, 20, 50), sample }));
  const model = await load();
  print('Chromium, calls', await repeatCalls({ model, count: calls, at: roundsOf(calls, 100, 1000), sample }));
  await browser.close();
  await server.close();
}

function residentBytes(id) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: { loads: { type: 'string' }, calls: { type: 'string' }, 'node-only': { type: 'boolean' } },
  });
  const [loads, calls] = [Number(values.loads ?? 100), Number(values.calls ?? 10000)];
  await soakNode(loads, calls);
  if (!values['node-only']) await soakChromium(loads, calls);
}
