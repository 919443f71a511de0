// Clang with libFuzzer and its sanitizers.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SetupError, which } from './common.mjs';
import { install } from './debian.mjs';

const names = ['clang++', ...Array.from({ length: 10 }, (_, i) => `clang++-${23 - i}`)];

// Finds a Clang that is at least 15, links fuzzers and compiles C++20, or installs Debian's.
export function setUpFuzzer() {
  let found = findClang();
  if (!found) {
    install(['clang-19', 'libclang-rt-19-dev'], 'no Clang with libFuzzer found');
    found = findClang();
  }
  if (!found) throw new SetupError('Clang links no fuzzers: it needs to be 15 or newer, with compiler-rt');
  process.env.HEADLIGHT_CLANG = found;
}

const findClang = () => names.map((name) => which(name)).find((compiler) => compiler && linksFuzzers(compiler));

function linksFuzzers(compiler) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'headlight-fuzzer-'));
  try {
    const input = `#include <compare>
#include <span>
#if __clang_major__ < 15
#error
#endif
extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, decltype(sizeof 0)) { return 0; }`;
    const args = ['-std=c++20', '-fsanitize=fuzzer,address,undefined', '-x', 'c++', '-', '-o', path.join(folder, 'probe')];
    return spawnSync(compiler, args, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
