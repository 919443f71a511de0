// Emscripten: from PATH where it is new enough, else a newer Debian's packages unpacked into PREFIX/emscripten.
//
// These may need a newer C library than the machine has. So each of their programs is started by the dynamic loader
// that was unpacked beside it, through a wrapper in PREFIX/emscripten/bin; nothing of the system is touched.

import fs from 'node:fs';
import path from 'node:path';
import { SetupError, atLeast, exclusively, output, prefix, run, say, versionOf, which } from './common.mjs';
import { isDebian, unpackPackages } from './debian.mjs';

const minimum = '3.1.69'; // cmake/emscripten.cmake has the same
const suites = ['forky', 'trixie']; // tried in this order

const folder = path.join(prefix, 'emscripten');
const root = path.join(folder, 'root');
const emscripten = path.join(root, 'usr/share/emscripten');
const complete = path.join(folder, 'complete'); // written last

export async function setUpEmscripten() {
  if (which('emcc') && atLeast(versionOf('emcc') ?? '0', minimum)) return;
  if (fs.existsSync(complete)) return;
  if (!isDebian) {
    throw new SetupError(`Emscripten ${minimum} or newer is needed: install the Emscripten SDK and put emcc on PATH`);
  }
  await exclusively('emscripten', async () => {
    if (fs.existsSync(complete)) return;
    for (const suite of suites) {
      say(`getting Emscripten from Debian ${suite} (100 MB to download, 550 MB on disk)`);
      try {
        await unpack(suite);
        tryOut();
        fs.writeFileSync(complete, `Debian ${suite}\n`);
        return say(`Emscripten ${versionOf(path.join(emscripten, 'emcc'))} is in ${folder}`);
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        say(`Debian ${suite}'s Emscripten does not work here: ${error.message}`);
      }
    }
    throw new SetupError('no Emscripten could be set up; put an emcc on PATH');
  });
}

async function unpack(suite) {
  fs.rmSync(folder, { recursive: true, force: true });
  await unpackPackages({ suite, status: notNeeded(), packages: ['emscripten'], into: root });

  // Some versions bring their system libraries, others build each at its first use; both into this folder.
  const cache = path.join(folder, 'cache');
  const brought = path.join(emscripten, 'cache');
  if (fs.existsSync(brought)) fs.cpSync(brought, cache, { recursive: true, verbatimSymlinks: true });
  else fs.mkdirSync(cache);

  // Node looks for Debian's JavaScript packages in a node_modules above the file that imports them.
  fs.symlinkSync('nodejs', path.join(root, 'usr/share/node_modules'));
  writeWrappers();
  const config = { LLVM_ROOT: path.join(folder, 'bin'), BINARYEN_ROOT: folder, NODE_JS: 'node', CACHE: cache };
  const lines = Object.entries(config).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  fs.writeFileSync(path.join(emscripten, '.emscripten'), lines.join(''));
}

// Package records that make apt leave out what Emscripten depends on but does not need here: Node and Python are
// there, and the host compiler's libraries are not for WebAssembly.
function notNeeded() {
  const architecture = output('dpkg', ['--print-architecture']).trim();
  const versions = Array.from({ length: 12 }, (_, i) => i + 10);
  const names = ['nodejs', 'python3', 'ccache', 'binutils', 'debconf', 'libc6-dev'].concat(
    versions.flatMap((n) => ['gcc', 'stdc++', 'objc'].map((library) => `lib${library}-${n}-dev`)),
  );
  const record = (name) => `Package: ${name}
Status: install ok installed
Version: 9999
Architecture: ${architecture}
Multi-Arch: allowed
Maintainer: nobody
Description: counted as installed
`;
  return names.map(record).join('\n');
}

// bin/run starts the program of the name by which it was called; every program is a link to it.
function writeWrappers() {
  const find = (parent, pattern) => {
    const name = fs.readdirSync(parent).find((entry) => pattern.test(entry));
    if (!name) throw new SetupError(`the packages hold nothing like ${path.join(parent, pattern.source)}`);
    return path.join(parent, name);
  };
  const llvm = find(path.join(root, 'usr/lib'), /^llvm-\d+$/);
  const libraries = find(path.join(root, 'usr/lib'), /-linux-gnu$/);
  const loader = find(libraries, /^ld-linux.*\.so/);
  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin);
  // Started this way, clang takes the loader for itself and would look for its headers beside it. With
  // -no-canonical-prefixes it goes by its name instead, bin/clang, and looks in lib/clang. (-cc1, the inner call,
  // has to stay the first argument and needs no headers' place.)
  fs.writeFileSync(
    path.join(bin, 'run'),
    `#!/bin/sh
program=\${0##*/}
case $program in
  wasm-ld* | lld* | clang* | llvm-*) folder='${llvm}/bin' ;;
  *) folder='${root}/usr/bin' ;;
esac
case "$program $1" in
  *' -cc1'*) ;;
  'clang '* | 'clang++ '*) set -- -no-canonical-prefixes "$@" ;;
esac
exec '${loader}' --library-path '${libraries}:${llvm}/lib' --argv0 "$0" "$folder/$program" "$@"
`,
    { mode: 0o755 },
  );
  fs.symlinkSync(path.join(llvm, 'lib'), path.join(folder, 'lib'));
  const programs = [
    ...fs.readdirSync(path.join(llvm, 'bin')).filter((name) => /^(clang|llvm-|lld|wasm-ld)/.test(name)),
    ...fs.readdirSync(path.join(root, 'usr/bin')).filter((name) => name.startsWith('wasm')),
  ];
  for (const name of new Set(programs)) fs.symlinkSync('run', path.join(bin, name));
}

// Compiles, links, optimises and runs a small program; throws if any of it fails.
function tryOut() {
  const work = fs.mkdtempSync(path.join(folder, 'try-'));
  const source = path.join(work, 'try.cpp');
  const program = path.join(work, 'try.js');
  fs.writeFileSync(source, '#include <iostream>\nint main() { std::cout << "It works.\\n"; }\n');
  // With the options of the real build, so that the system libraries it builds on the way are those needed later.
  run(path.join(emscripten, 'em++'), ['-O3', '-fwasm-exceptions', source, '-o', program]);
  if (output(process.execPath, [program]) !== 'It works.\n') throw new SetupError('a test program does not run');
  fs.rmSync(work, { recursive: true });
}
