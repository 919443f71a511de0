// The Node packages that a folder's package-lock.json names.

import fs from 'node:fs';
import path from 'node:path';
import { root, say } from './common.mjs';
import { npm } from './npm.mjs';

export async function setUpPackages(folder = root) {
  const lock = path.join(folder, 'package-lock.json');
  const installed = path.join(folder, 'node_modules/.package-lock.json'); // npm's own record, written last
  if (fs.existsSync(installed) && fs.statSync(installed).mtimeMs >= fs.statSync(lock).mtimeMs) return;
  say(`installing the Node packages of ${path.relative(root, folder) || 'the project'} with npm ci`);
  npm(['ci'], { cwd: folder });
}
