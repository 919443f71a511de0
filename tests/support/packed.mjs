// The package as npm would install it: packed, and installed into copies of folders.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { npm } from '../../scripts/setup/npm.mjs';
import { dist, root } from './built.mjs';
import { makeTinyModel, temporaryFolder } from './tiny-model.mjs';

/** A program's output; its error output where it fails. */
export function run(command, args, cwd, options = {}) {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...options });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
  }
}

let packed;

/** npm's report of the tarball, and where it lies. */
export function pack() {
  if (!packed) {
    const folder = temporaryFolder();
    const [report] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], path.dirname(dist)));
    packed = { ...report, file: path.join(folder, report.filename) };
  }
  return packed;
}

/**
 * A copy of a folder of the project with the packages of its package.json installed, ours from the tarball. One that does
 * not support this Node is an error.
 */
export function install(source, ...packages) {
  const folder = temporaryFolder();
  fs.cpSync(path.join(root, source), folder, {
    recursive: true,
    filter: (file) => path.basename(file) !== 'node_modules',
  });
  npm(['install', '--no-package-lock', '--ignore-scripts', '--engine-strict', pack().file, ...packages], { cwd: folder });
  return folder;
}

export const modelFiles = makeTinyModel();

export function writeModel(folder) {
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(modelFiles)) fs.writeFileSync(path.join(folder, name), bytes);
}
