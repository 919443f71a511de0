// clang-format and clang-tidy.

import path from 'node:path';
import { prependToPath } from './common.mjs';
import { fromPyPI } from './pypi.mjs';

// Puts both on PATH.
export async function setUpLint() {
  const folder = await fromPyPI('lint', 'scripts/requirements-lint.txt', 'clang-format and clang-tidy');
  prependToPath(path.join(folder, 'clang_format/data/bin'));
  prependToPath(path.join(folder, 'clang_tidy/data/bin'));
}
