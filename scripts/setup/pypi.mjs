// Python packages from PyPI, one version for everybody, into PREFIX/<name>-<digest of the requirements>.

import fs from 'node:fs';
import path from 'node:path';
import { SetupError, digestOf, exclusively, output, prefix, root, run, say } from './common.mjs';
import { install, isDebian } from './debian.mjs';
import { setUpTools } from './tools.mjs';

// Gives the folder that holds the packages of a requirements file (a path from the root).
export async function fromPyPI(name, requirementsFile, what) {
  const requirements = path.join(root, requirementsFile);
  const folder = path.join(prefix, `${name}-${digestOf(requirements)}`);
  if (fs.existsSync(folder)) return folder;
  await setUpTools();
  await exclusively(name, async () => {
    if (fs.existsSync(folder)) return;
    say(`getting ${what} from PyPI`);
    // A folder that is there is whole: it gets its name last. Hence a target folder, which may be renamed,
    // rather than the virtual environment itself, which may not.
    const partial = `${folder}.partial`;
    fs.rmSync(partial, { recursive: true, force: true });
    const environment = makeEnvironment(`${partial}/environment`);
    const packages = path.join(partial, 'packages');
    run(environment, ['-m', 'pip', 'install', '--quiet', '--target', packages, '--requirement', requirements]);
    fs.renameSync(packages, folder);
    fs.rmSync(partial, { recursive: true });
  });
  return folder;
}

// A virtual environment's Python. Debian keeps what making one takes in a package of its own.
function makeEnvironment(folder) {
  const python = path.join(folder, 'bin/python3');
  if (output('python3', ['-c', 'import ensurepip']) === null) {
    if (!isDebian) throw new SetupError('Python has no ensurepip module, which virtual environments need');
    install(['python3-venv'], 'Python makes no virtual environments');
  }
  run('python3', ['-m', 'venv', folder]);
  return python;
}
