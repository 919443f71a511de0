// A Node that computes relaxed SIMD rightly: this one from version 22 on, else one that the npm registry packages.

import fs from 'node:fs';
import path from 'node:path';
import { exclusively, prefix, say } from './common.mjs';
import { npm } from './npm.mjs';

const minimum = '22';

// Gives the program's path. version: 'major' or 'major.minor.patch', for which no other is taken.
export async function findRelaxedNode(version) {
  const mine = process.versions.node;
  if (version ? mine === version : Number(mine.split('.')[0]) >= Number(minimum)) return process.execPath;
  return getNode(version ?? minimum);
}

// The program's path of a version, 'major' or 'major.minor.patch', from the npm registry.
export async function getNode(version) {
  const name = `node-linux-${process.arch}`;
  const folder = path.join(prefix, `node-${version}`);
  const program = path.join(folder, 'node_modules', name, 'bin/node');
  await exclusively('node', async () => {
    if (fs.existsSync(program)) return;
    say(`getting Node ${version} from the npm registry`);
    npm(['install', '--no-save', '--prefix', folder, `${name}@${version}`]);
  });
  return program;
}
