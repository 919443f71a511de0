// A Node that computes relaxed SIMD rightly: this one from version 22 on, else one that the npm registry packages.

import fs from 'node:fs';
import path from 'node:path';
import { exclusively, prefix, run, say } from './common.mjs';

const minimum = 22;

// Gives the program's path.
export async function findRelaxedNode() {
  if (Number(process.versions.node.split('.')[0]) >= minimum) return process.execPath;
  const name = `node-linux-${process.arch}`;
  const folder = path.join(prefix, `node-${minimum}`);
  const program = path.join(folder, 'node_modules', name, 'bin/node');
  await exclusively('node', async () => {
    if (fs.existsSync(program)) return;
    say(`getting Node ${minimum} from the npm registry`);
    run('npm', ['install', '--silent', '--no-save', '--prefix', folder, `${name}@${minimum}`]);
  });
  return program;
}
