#!/usr/bin/env node
// Finds or gets what building and testing need, and says what it does.
//
//   node scripts/setup.mjs [PART...]
//
// Parts: packages (Node's), tools (CMake, Ninja, Python), sources (C++ libraries), emscripten, compiler (C++), browser (Chromium),
// firefox, lint (clang-format, clang-tidy), fuzzer (Clang with libFuzzer). Without any: all but firefox and fuzzer. What is
// missing goes into $HEADLIGHT_TOOLS, by default ~/.cache/headlight; only compiler, browser and fuzzer are installed on the
// system, with apt-get, and only by root.

import { pathToFileURL } from 'node:url';
import { setUpBrowser, setUpFirefox } from './setup/browser.mjs';
import { SetupError } from './setup/common.mjs';
import { setUpFuzzer } from './setup/fuzzer.mjs';
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
  firefox: setUpFirefox,
  lint: setUpLint,
  fuzzer: setUpFuzzer,
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
  await setUp(...(names.length > 0 ? names : Object.keys(parts).filter((name) => !['firefox', 'fuzzer'].includes(name)))).catch((error) => {
    if (!(error instanceof SetupError)) throw error;
    console.error(`headlight: ${error.message}`);
    process.exitCode = 1;
  });
}
