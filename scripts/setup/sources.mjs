// The sources of the C++ libraries in cmake/dependencies.json, unpacked into PREFIX/sources, where
// cmake/dependencies.cmake looks first. Taken from Debian's source packages, whose archives are the upstream ones;
// where that is not possible, CMake downloads the same archives itself.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { exclusively, prefix, root, run, say } from './common.mjs';
import { downloadSources, isDebian } from './debian.mjs';

const suites = ['trixie', 'forky'];

export async function setUpSources() {
  const libraries = Object.entries(JSON.parse(fs.readFileSync(path.join(root, 'cmake/dependencies.json'), 'utf8')));
  const folderOf = ([name, { version }]) => path.join(prefix, 'sources', `${name}-${version}`);
  const missing = () => libraries.filter((library) => !fs.existsSync(folderOf(library)));
  const names = () =>
    missing()
      .map(([name]) => name)
      .join(', ');
  if (missing().length === 0) return;

  await exclusively('sources', async () => {
    for (const suite of isDebian ? suites : []) {
      if (missing().length === 0) return;
      say(`getting the sources of ${names()} from Debian ${suite}`);
      const packages = missing().map(([, { debian }]) => debian);
      await downloadSources({ suite, packages }, (archives) => {
        for (const library of missing()) {
          const { debian, sha256 } = library[1];
          if (sha256Of(archives[debian]) === sha256) unpack(archives[debian], folderOf(library));
        }
      });
    }
    if (missing().length > 0) say(`CMake will download ${names()}`);
  });
}

function sha256Of(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

// A folder that is there is whole: it gets its name last. CMake unpacks where tar would need bzip2 installed.
function unpack(archive, folder) {
  const partial = `${folder}.partial`;
  fs.rmSync(partial, { recursive: true, force: true });
  fs.mkdirSync(partial, { recursive: true });
  run('cmake', ['-E', 'tar', 'xf', archive], { cwd: partial });
  const [top] = fs.readdirSync(partial);
  fs.renameSync(path.join(partial, top), folder);
  fs.rmdirSync(partial);
}
