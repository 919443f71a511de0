// CMake, Ninja and Python (Emscripten is written in it): from PATH where they are new enough, else Debian's packages
// unpacked into PREFIX/tools, else, for CMake and Ninja, PyPI's.

import fs from 'node:fs';
import path from 'node:path';
import { SetupError, atLeast, exclusively, prefix, prependToPath, run, say, versionOf } from './common.mjs';
import { isDebian, unpackPackages } from './debian.mjs';

const tools = [
  { program: 'cmake', minimum: '3.24', debian: 'cmake', pypi: 'cmake==3.31.6' },
  { program: 'ninja', minimum: '1.10', debian: 'ninja-build', pypi: 'ninja==1.11.1.4' },
  { program: 'python3', minimum: '3.10', debian: 'python3' },
];

// Puts all of them on PATH.
export async function setUpTools() {
  const folder = path.join(prefix, 'tools');
  const missing = () => tools.filter(({ program, minimum }) => !atLeast(versionOf(program) ?? '0', minimum));
  if (missing().length === 0) return;
  prependToPath(path.join(folder, 'bin'));
  if (missing().length === 0) return;

  await exclusively('tools', async () => {
    if (missing().length === 0) return;
    say(
      `getting ${missing()
        .map(({ program, minimum }) => `${program} (${minimum} or newer)`)
        .join(', ')}`,
    );
    if (isDebian) await unpackTools(folder, missing());
    else installFromPypi(folder, missing());
  });
  for (const { program, minimum } of missing()) {
    throw new SetupError(`${program} ${minimum} or newer is needed on PATH`);
  }
}

async function unpackTools(folder, missing) {
  await unpackPackages({
    status: fs.readFileSync('/var/lib/dpkg/status', 'utf8'),
    packages: missing.map(({ debian }) => debian),
    into: folder,
  });
  // Each finds its own data from where it is, but has to be told where the libraries are that came with it.
  const libraries = fs.readdirSync(path.join(folder, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'));
  const libraryPath = libraries.map((name) => path.join(folder, 'usr/lib', name)).join(':');
  fs.mkdirSync(path.join(folder, 'bin'), { recursive: true });
  for (const { program } of missing) {
    const script = `#!/bin/sh
export LD_LIBRARY_PATH='${libraryPath}'\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec '${path.join(folder, 'usr/bin', program)}' "$@"
`;
    fs.writeFileSync(path.join(folder, 'bin', program), script, { mode: 0o755 });
  }
}

function installFromPypi(folder, missing) {
  const packages = missing.filter(({ pypi }) => pypi).map(({ pypi }) => pypi);
  if (packages.length === 0) return;
  run('python3', ['-m', 'venv', folder]);
  run(path.join(folder, 'bin/python3'), ['-m', 'pip', 'install', '--quiet', ...packages]);
}
