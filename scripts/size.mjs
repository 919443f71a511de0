#!/usr/bin/env node
// Prints the size of each WebAssembly and JavaScript file of dist/: as it is, by gzip -9 and by brotli -11.
// Fails where one is larger than scripts/size-budget.json allows.
//
//   npm run size

import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root } from './setup/common.mjs';

const dist = path.join(root, 'dist');
const budget = JSON.parse(fs.readFileSync(new URL('size-budget.json', import.meta.url), 'utf8'));
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };

const problems = [];
console.log(`${'file'.padEnd(32)}${['raw', 'gzip', 'brotli'].map((name) => name.padStart(12)).join('')}`);
for (const file of builtFiles()) {
  const data = fs.readFileSync(path.join(dist, file));
  const sizes = {
    raw: data.length,
    gzip: gzipSync(data, { level: 9 }).length,
    brotli: brotliCompressSync(data, brotli).length,
  };
  const columns = Object.values(sizes).map((size) => size.toLocaleString('en').padStart(12));
  console.log(`${file.padEnd(32)}${columns.join('')}`);
  for (const [kind, limit] of Object.entries(budget[file] ?? {})) {
    if (sizes[kind] > limit) problems.push(`${file}: ${sizes[kind]} bytes ${kind}, ${limit} are allowed`);
  }
}
for (const file of Object.keys(budget)) {
  if (!fs.existsSync(path.join(dist, file))) problems.push(`${file} is not built; run: npm run build`);
}
for (const problem of problems) console.error(`size: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;

// The package's files, then the app's own; the app's worker and engine are copies of the package's.
function builtFiles() {
  if (!fs.existsSync(dist)) return [];
  const files = fs.readdirSync(dist, { recursive: true }).filter((file) => /\.(js|wasm)$/.test(file));
  const isCopy = (file) => file.startsWith(`app${path.sep}`) && fs.existsSync(path.join(dist, path.basename(file)));
  return files.filter((file) => !isCopy(file)).sort();
}
