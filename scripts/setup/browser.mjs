// Chromium for the browser tests: $HEADLIGHT_CHROMIUM, else from PATH, else Debian's package.

import { which } from './common.mjs';
import { install } from './debian.mjs';

// The path of the browser, or null.
export function findBrowser() {
  return process.env.HEADLIGHT_CHROMIUM || which('chromium', 'chromium-browser', 'google-chrome');
}

export async function setUpBrowser() {
  if (!findBrowser()) install(['chromium'], 'no Chromium found for the browser tests');
}
