// The Node packages that package-lock.json names.

import fs from 'node:fs';
import path from 'node:path';
import { root, run, say } from './common.mjs';

export async function setUpPackages() {
  const lock = path.join(root, 'package-lock.json');
  const installed = path.join(root, 'node_modules/.package-lock.json'); // npm's own record, written last
  if (fs.existsSync(installed) && fs.statSync(installed).mtimeMs >= fs.statSync(lock).mtimeMs) return;
  say('installing the Node packages with npm ci');
  run('npm', ['ci'], { cwd: root });
}
