#!/usr/bin/env node
// Sets up what is missing (without root), builds, and serves the page.
//
//   npm start [-- --port N]

import path from 'node:path';
import { parseArgs } from 'node:util';
import { chosenPort, serve } from './serve.mjs';
import { setUp } from './setup.mjs';
import { SetupError, root } from './setup/common.mjs';

try {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  const port = chosenPort(values.port);
  await setUp('packages');
  const { build } = await import('./build.mjs');
  await build();
  const { url } = await serve({ root: path.join(root, 'dist/app'), port });
  console.log(`\nHeadlight is at ${url}\nCtrl+C ends it.`);
} catch (error) {
  if (!(error instanceof SetupError) && !error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(`headlight: ${error.message}`);
  process.exitCode = 1;
}
