import fs from 'node:fs';
import * as esbuild from 'esbuild';

await esbuild.build({ entryPoints: ['main.js'], bundle: true, format: 'esm', outfile: 'site/main.js' });

// The workers and the builds of the engine lie beside the bundle.
const dist = 'node_modules/bert-headlight/dist';
for (const file of fs.readdirSync(dist)) {
  if (/^(threads-)?worker\.js$|\.wasm$/.test(file)) fs.copyFileSync(`${dist}/${file}`, `site/${file}`);
}
