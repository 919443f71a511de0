// Lighthouse, which the npm registry packages; too large to be one of the project's own packages.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { exclusively, prefix, say } from './common.mjs';
import { npm } from './npm.mjs';

const version = '12.8.2';

// Gives the module, and chrome-launcher's.
export async function getLighthouse() {
  const folder = path.join(prefix, `lighthouse-${version}`);
  const module = (name, entry) => path.join(folder, 'node_modules', name, entry);
  const lighthouse = module('lighthouse', 'core/index.js');
  await exclusively('lighthouse', async () => {
    if (fs.existsSync(lighthouse)) return;
    say(`getting Lighthouse ${version} from the npm registry`);
    npm(['install', '--no-save', '--prefix', folder, `lighthouse@${version}`]);
  });
  return {
    version,
    lighthouse: (await import(pathToFileURL(lighthouse))).default,
    launch: (await import(pathToFileURL(module('chrome-launcher', 'dist/index.js')))).launch,
  };
}
