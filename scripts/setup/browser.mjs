// Browsers for the tests. Chromium: $HEADLIGHT_CHROMIUM, else from PATH, else Debian's package. Firefox:
// $HEADLIGHT_FIREFOX, else from PATH, else Debian's package, unpacked beside the tools.

import fs from 'node:fs';
import path from 'node:path';
import { exclusively, prefix, say, which } from './common.mjs';
import { install, isDebian, unpackPackages } from './debian.mjs';

// The path of the browser, or null.
export function findBrowser() {
  return process.env.HEADLIGHT_CHROMIUM || which('chromium', 'chromium-browser', 'google-chrome');
}

export async function setUpBrowser() {
  if (!findBrowser()) install(['chromium'], 'no Chromium found for the browser tests');
}

const unpacked = path.join(prefix, 'firefox');
const starter = path.join(unpacked, 'firefox');

// The path of the browser, or null.
export function findFirefox() {
  return process.env.HEADLIGHT_FIREFOX || which('firefox-esr', 'firefox') || (fs.existsSync(starter) ? starter : null);
}

export async function setUpFirefox() {
  if (findFirefox()) return;
  if (!isDebian) return install(['firefox-esr'], 'no Firefox found for the browser tests');
  await exclusively('firefox', async () => {
    if (findFirefox()) return;
    say('getting Firefox');
    fs.rmSync(unpacked, { recursive: true, force: true });
    await unpackPackages({
      status: fs.readFileSync('/var/lib/dpkg/status', 'utf8'),
      packages: ['firefox-esr'],
      into: unpacked,
    });
    // Firefox finds its own libraries from where it is, but has to be told where those lie that came with it.
    const libraries = fs.readdirSync(path.join(unpacked, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'));
    const script = `#!/bin/sh
export LD_LIBRARY_PATH='${libraries.map((name) => path.join(unpacked, 'usr/lib', name)).join(':')}'\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec '${path.join(unpacked, 'usr/lib/firefox-esr/firefox-esr')}' "$@"
`;
    fs.writeFileSync(starter, script, { mode: 0o755 });
  });
}
