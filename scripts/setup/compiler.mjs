// A C++20 compiler for the native builds: CXX if set, else g++ or clang++ from PATH, else Debian's g++.

import { which } from './common.mjs';
import { install } from './debian.mjs';

export async function setUpCompiler() {
  if (process.env.CXX || which('c++', 'g++', 'clang++')) return;
  install(['g++'], 'no C++ compiler found');
}
