#!/usr/bin/env node
// Finds or gets what building and testing need, and says what it does.
//
//   node scripts/setup.mjs [PART...]
//
// Parts: packages (Node's), tools (CMake, Ninja, Python), sources (C++ libraries), emscripten, compiler (C++), browser (Chromium),
// lint (clang-format, clang-tidy). Without any: all. What is missing goes into $HEADLIGHT_TOOLS, by default
// ~/.cache/headlight; only compiler and browser are installed on the system, with apt-get, and only by root.

import { pathToFileURL } from 'node:url';
import { setUpBrowser } from './setup/browser.mjs';
import { SetupError } from './setup/common.mjs';
import { setUpCompiler } from './setup/compiler.mjs';
import { setUpEmscripten } from './setup/emscripten.mjs';
import { setUpLint } from './setup/lint.mjs';
import { setUpPackages } from './setup/packages.mjs';
import { setUpSources } from './setup/sources.mjs';
import { setUpTools } from './setup/tools.mjs';

const parts = {
  packages: setUpPackages,
  tools: setUpTools,
  sources: setUpSources,
  emscripten: setUpEmscripten,
  compiler: setUpCompiler,
  browser: setUpBrowser,
  lint: setUpLint,
};

// Sets up the named parts and puts their programs on this process's PATH.
export async function setUp(...names) {
  for (const name of names) {
    if (!parts[name]) throw new SetupError(`no part "${name}"; there are ${Object.keys(parts).join(', ')}`);
    await parts[name]();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const names = process.argv.slice(2);
  await setUp(...(names.length > 0 ? names : Object.keys(parts))).catch((error) => {
    if (!(error instanceof SetupError)) throw error;
    console.error(`headlight: ${error.message}`);
    process.exitCode = 1;
  });
}
