// Debian's packages without installing them: apt resolves, downloads and checks, with lists and state of its own,
// so neither root nor a change to the system is needed.

import fs from 'node:fs';
import path from 'node:path';
import { SetupError, isRoot, output, prefix, run, say, which } from './common.mjs';

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

const retries = ['-o', 'Acquire::Retries=3'];

export const isDebian = Boolean(which('apt-get') && which('dpkg') && fs.existsSync(keyring));

// Runs `use(folder, apt)` with a folder for apt's state, removed afterwards; apt(...args) runs apt-get in it.
// kind: 'deb' or 'deb-src'. suite: "trixie", say; without it, what this machine's own sources name.
// status: what counts as installed, as /var/lib/dpkg/status says it.
async function withApt({ kind = 'deb', suite, status = '' }, use) {
  fs.mkdirSync(prefix, { recursive: true });
  const folder = fs.mkdtempSync(path.join(prefix, '.apt-'));
  try {
    for (const name of ['lists', 'cache', 'archives']) {
      fs.mkdirSync(path.join(folder, name, 'partial'), { recursive: true });
    }
    fs.writeFileSync(path.join(folder, 'status'), status);
    const options = stateOptions(folder);
    if (suite) options.push(...sourceOptions(folder, `${kind} [signed-by=${keyring}] ${mirror(folder)} ${suite} main`));
    const apt = (...args) => run('apt-get', ['-qq', ...options, ...args], { cwd: folder });
    apt('update');
    return await use(folder, apt);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

// Unpacks `packages` and what they depend on into `into`; of `suite`, leaving out what `status` says is installed.
export async function unpackPackages({ suite, status, packages, into }) {
  await withApt({ suite, status }, (folder, apt) => {
    apt('install', '--yes', '--no-install-recommends', '--download-only', ...packages);
    fs.mkdirSync(into, { recursive: true });
    const archives = path.join(folder, 'archives');
    for (const file of fs.readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
      run('dpkg', ['--extract', path.join(archives, file), into]);
    }
    for (const name of ['doc', 'man', 'locale']) {
      fs.rmSync(path.join(into, 'usr/share', name), { recursive: true, force: true });
    }
  });
}

// Downloads the upstream archives of source packages of `suite`; use(archives) gets their paths by package name.
export async function downloadSources({ suite, packages }, use) {
  await withApt({ kind: 'deb-src', suite }, async (folder, apt) => {
    apt('source', '--download-only', '--tar-only', ...packages);
    const files = fs.readdirSync(folder);
    const archiveOf = (name) => files.find((file) => file.startsWith(`${name}_`) && file.includes('.orig.tar.'));
    await use(Object.fromEntries(packages.map((name) => [name, path.join(folder, archiveOf(name))])));
  });
}

// Installs packages on the system, which takes root on Debian; else fails with the line to run.
export function install(packages, why) {
  const remedy = `apt-get update && apt-get install --yes --no-install-recommends ${packages.join(' ')}`;
  if (!isDebian) throw new SetupError(`${why}: please install what Debian calls ${packages.join(', ')}`);
  if (!isRoot) throw new SetupError(`${why}, and only root may install it`, `sudo sh -c '${remedy}'`);
  say(`${why}: installing ${packages.join(', ')} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['-qq', ...retries, 'update'], { env });
  run('apt-get', ['-qq', ...retries, 'install', '--yes', '--no-install-recommends', ...packages], { env });
}

function asOptions(settings) {
  return settings.flatMap((setting) => ['-o', setting]);
}

function stateOptions(folder) {
  return asOptions([
    `Dir::State=${folder}`,
    `Dir::State::lists=${path.join(folder, 'lists')}`,
    `Dir::State::status=${path.join(folder, 'status')}`,
    `Dir::Cache=${path.join(folder, 'cache')}`,
    `Dir::Cache::archives=${path.join(folder, 'archives')}`,
    'APT::Sandbox::User=',
    'Acquire::Languages=none',
    'Debug::NoLocking=true',
  ]).concat(retries);
}

function sourceOptions(folder, line) {
  fs.writeFileSync(path.join(folder, 'sources.list'), `${line}\n`);
  return asOptions([
    `Dir::Etc::sourcelist=${path.join(folder, 'sources.list')}`,
    'Dir::Etc::sourceparts=/dev/null',
    'Dir::Etc::preferences=/dev/null',
    'Dir::Etc::preferencesparts=/dev/null',
  ]);
}

// The mirror that this machine's own apt sources name. apt tells it from the lists that it has downloaded;
// where it has none yet, they are downloaded into `folder`.
function mirror(folder) {
  const query = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Label: Debian'];
  const ask = (...options) => output('apt-get', [...options, ...query])?.split('\n')[0];
  let found = ask();
  if (!found) {
    run('apt-get', ['-qq', ...stateOptions(folder), 'update']);
    found = ask(...stateOptions(folder));
  }
  if (!found) throw new SetupError('apt knows no Debian mirror', 'apt-get update, and look at its complaints');
  return found;
}
