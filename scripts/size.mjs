#!/usr/bin/env node
// Prints the sizes of what users download and install: as it is, by gzip -9 and by brotli -11. Fails where one is larger
// than scripts/size-budget.json allows.
//
//   npm run size [-- --docs]
//
// --docs: also writes the table into docs/packaging.md.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { root } from './setup/common.mjs';

const dist = path.join(root, 'dist');
export const budget = JSON.parse(fs.readFileSync(new URL('size-budget.json', import.meta.url), 'utf8'));
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };

// Entries as a bundler makes them for a page, and files that are loaded or imported as they are.
const bundles = { library: 'index.js', 'element/define, with Lit': 'elements/define.js', views: 'elements/views.js' };
const files = [
  'worker.js',
  'threads-worker.js',
  'headlight.wasm',
  'headlight-relaxed.wasm',
  'headlight-threads.wasm',
  'headlight-relaxed-threads.wasm',
  'inline.js',
  'single-file.js',
];

// Bytes: as it is, by gzip and by brotli.
export const sizesOf = (data) => ({
  raw: data.length,
  gzip: gzipSync(data, { level: 9 }).length,
  brotli: brotliCompressSync(data, brotli).length,
});

// Sizes in bytes by name; of the package: packed, unpacked, and its number of files.
export async function measure() {
  const sizes = {};
  for (const [name, entry] of Object.entries(bundles)) sizes[name] = sizesOf(await minified(entry));
  for (const file of files) sizes[file] = sizesOf(fs.readFileSync(path.join(dist, file)));
  const [{ size, unpackedSize, entryCount }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return { ...sizes, package: { packed: size, unpacked: unpackedSize, files: entryCount } };
}

// An entry with all that it imports at once; what it imports when it is needed is not in it.
async function minified(entry) {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [path.join(dist, entry)],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    external: ['node:*'],
    logLevel: 'error',
  });
  const reached = new Set();
  const reach = (name) => {
    if (reached.has(name)) return;
    reached.add(name);
    const imports = metafile.outputs[name].imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
    for (const { path: imported } of imports) reach(imported);
  };
  reach(Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === `dist/${entry}`));
  const contents = outputFiles.filter((file) => reached.has(path.relative(root, file.path))).map((file) => file.contents);
  return Buffer.concat(contents);
}

// What is larger than the budget allows, in sentences.
export function overBudget(sizes) {
  return Object.entries(budget).flatMap(([name, limits]) =>
    Object.entries(limits).flatMap(([kind, limit]) =>
      sizes[name][kind] <= limit ? [] : [`${name}: ${kind} is ${sizes[name][kind]}, ${limit} are allowed`],
    ),
  );
}

const start = '<!-- npm run size -- --docs -->\n';
const end = '<!-- end -->\n';

// The table of docs/packaging.md, in kilobytes of 1000 bytes.
export function table(sizes) {
  const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
  const { package: whole, ...parts } = sizes;
  const rows = Object.entries(parts).map(([name, { raw, gzip, brotli }]) => [name, ...[raw, gzip, brotli].map(kilobytes)]);
  return [
    ['| | as it is | gzip | brotli |', '|---|--:|--:|--:|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
    `The package is ${kilobytes(whole.packed)} packed and ${kilobytes(whole.unpacked)} in ${whole.files} files unpacked.`,
  ].join('\n\n');
}

const page = path.join(root, 'docs/packaging.md');

// The table as the page has it.
export function writtenTable() {
  const text = fs.readFileSync(page, 'utf8');
  return text.slice(text.indexOf(start) + start.length, text.indexOf(end)).trim();
}

function writeTable(sizes) {
  const text = fs.readFileSync(page, 'utf8');
  const [before, after] = [text.slice(0, text.indexOf(start) + start.length), text.slice(text.indexOf(end))];
  fs.writeFileSync(page, `${before}\n${table(sizes)}\n\n${after}`);
}

async function main() {
  const { values } = parseArgs({ options: { docs: { type: 'boolean' } } });
  if (!fs.existsSync(path.join(dist, 'inline.js'))) throw new Error('dist/ is not built; run: npm run build');
  const { package: whole, ...parts } = await measure();
  console.log(`${'file'.padEnd(32)}${['raw', 'gzip', 'brotli'].map((name) => name.padStart(12)).join('')}`);
  for (const [name, sizes] of Object.entries(parts)) {
    console.log(`${name.padEnd(32)}${Object.values(sizes).map((size) => size.toLocaleString('en').padStart(12)).join('')}`);
  }
  console.log(`\nthe package: ${Object.entries(whole).map(([name, n]) => `${n.toLocaleString('en')} ${name}`).join(', ')}`);
  if (values.docs) writeTable({ ...parts, package: whole });
  const problems = overBudget({ ...parts, package: whole });
  for (const problem of problems) console.error(`size: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main().catch((error) => {
    console.error(`size: ${error.message}`);
    process.exitCode = 1;
  });
}
