// An esbuild plugin: `import entries from 'folder:./tasks'` is an array of the default exports of the folder's files.

import { readdir } from 'node:fs/promises';
import path from 'node:path';

export const folderPlugin = {
  name: 'folder',
  setup(build) {
    build.onResolve({ filter: /^folder:/ }, ({ path: specifier, resolveDir }) => ({
      path: path.resolve(resolveDir, specifier.slice('folder:'.length)),
      namespace: 'folder',
    }));
    build.onLoad({ filter: /.*/, namespace: 'folder' }, async ({ path: folder }) => {
      const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();
      const imports = files.map((name, i) => `import entry${i} from './${name}';`);
      const list = files.map((_, i) => `entry${i}`).join(', ');
      return {
        contents: `${imports.join('\n')}\nexport default [${list}];\n`,
        resolveDir: folder,
        watchDirs: [folder],
      };
    });
  },
};
