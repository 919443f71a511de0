// An esbuild plugin: spreadsheets are compressed where they are made. The library would start a worker from a blob for
// large ones, which the page's policy forbids.

import path from 'node:path';

export const zipPlugin = {
  name: 'zip',
  setup(build) {
    build.onLoad({ filter: /[\\/]write-excel-file[\\/]modules[\\/]zip[\\/]zipToArrayBuffer\.js$/ }, ({ path: file }) => ({
      contents: `import zip from './zipToArrayBufferSync.js';\nexport default async (files) => zip(files);\n`,
      resolveDir: path.dirname(file),
    }));
  },
};
