#!/usr/bin/env node
// Checks the style of the C++ (clang-format) and the types of the TypeScript (tsc).
//
//   npm run lint       reports what is wrong
//   npm run format     puts the C++ into its format
//   npm run tidy       clang-tidy over the engine's sources (slow), as .clang-tidy says

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setUp } from './setup.mjs';
import { SetupError, root, run } from './setup/common.mjs';

// Gives the numbers of files that passed and failed.
export function lint() {
  const sources = cppFiles();
  const badlyFormatted = sources.filter((file) => !succeeds('clang-format', ['--dry-run', '--Werror', file]));
  for (const file of badlyFormatted) console.error(`${file} is not formatted; run: npm run format`);
  const typesFit = succeeds(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.json']);
  return {
    passed: sources.length - badlyFormatted.length + (typesFit ? 1 : 0),
    failed: badlyFormatted.length + (typesFit ? 0 : 1),
  };
}

function cppFiles() {
  return ['src', 'wasm', 'tests', 'docs', 'bench'].flatMap((folder) => {
    if (!fs.existsSync(path.join(root, folder))) return [];
    return fs
      .readdirSync(path.join(root, folder), { recursive: true })
      .filter((file) => /\.(cpp|h)$/.test(file) && !file.split(path.sep).includes('node_modules'))
      .map((file) => path.join(folder, file));
  });
}

function succeeds(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'ignore'] }).status === 0;
}

async function main() {
  const { values } = parseArgs({ options: { fix: { type: 'boolean' }, tidy: { type: 'boolean' } } });
  await setUp('packages', 'lint');
  if (values.fix) return run('clang-format', ['-i', ...cppFiles()], { cwd: root });
  if (values.tidy) return tidy();
  if (lint().failed > 0) process.exitCode = 1;
}

async function tidy() {
  await setUp('tools', 'sources', 'compiler');
  run('cmake', ['--preset', 'debug', '--log-level=WARNING'], { cwd: root });
  const compiled = JSON.parse(fs.readFileSync(path.join(root, 'build/debug/compile_commands.json'), 'utf8'));
  const sources = compiled.map(({ file }) => file).filter((file) => file.startsWith(path.join(root, 'src')));
  run('clang-tidy', ['-p', 'build/debug', '--quiet', ...sources], { cwd: root });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main().catch((error) => {
    if (!(error instanceof SetupError)) throw error;
    console.error(`headlight: ${error.message}`);
    process.exitCode = 1;
  });
}
