import fs from 'node:fs';
import resolve from '@rollup/plugin-node-resolve';

const dist = 'node_modules/bert-headlight/dist';

/** The workers and the builds of the engine lie beside the bundle. */
const copyEngine = {
  name: 'copy-engine',
  writeBundle() {
    for (const file of fs.readdirSync(dist)) {
      if (/^(threads-)?worker\.js$|\.wasm$/.test(file)) fs.copyFileSync(`${dist}/${file}`, `site/${file}`);
    }
  },
};

export default {
  input: 'main.js',
  output: { dir: 'site' },
  plugins: [resolve({ browser: true }), copyEngine],
};
