#!/usr/bin/env node
// Prints a table of golden cases: how far each is from what PyTorch gave, natively and in WebAssembly.
//
//   npm run golden [-- FOLDER]
//
// FOLDER holds cases; without it, ../shared/golden where it is, else the cases that are committed.

import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { cmakeBuild } from './cmake.mjs';
import { setUp } from './setup.mjs';
import { SetupError, root, say } from './setup/common.mjs';

try {
  await setUp('tools', 'sources', 'compiler', 'emscripten');
  const folders = process.argv.slice(2).map((folder) => path.resolve(folder));
  const programs = {
    release: [path.join(root, 'build/release/headlight_golden')],
    wasm: [process.execPath, path.join(root, 'build/wasm/headlight_golden.js')],
  };
  for (const [preset, [program, ...args]] of Object.entries(programs)) {
    say(`building preset ${preset}`);
    cmakeBuild(preset, 'headlight_golden');
    const { status } = spawnSync(program, [...args, ...folders], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`headlight: ${error.message}`);
  process.exitCode = 1;
}
