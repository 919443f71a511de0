// npm's installs where the registry fails now and then.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { SetupError } from '../../scripts/setup/common.mjs';
import { npm } from '../../scripts/setup/npm.mjs';
import { temporaryFolder } from '../support/tiny-model.mjs';

/** A program `npm` that writes down each call and fails the first times; gives the calls that install made. */
function callsWhere({ failures, pauses }) {
  const folder = temporaryFolder();
  const calls = path.join(folder, 'calls');
  fs.writeFileSync(
    path.join(folder, 'npm'),
    `#!/bin/sh\necho "$@" >> '${calls}'\n[ "$(wc -l < '${calls}')" -gt ${failures} ]\n`,
    { mode: 0o755 },
  );
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const run = () => npm(['ci'], { pauses, cwd: folder, env });
  return { run, calls: () => fs.readFileSync(calls, 'utf8').trim().split('\n') };
}

test('what npm could not get is asked for again, and anew', () => {
  const { run, calls } = callsWhere({ failures: 1, pauses: [0.01, 0.01] });
  run();
  assert.equal(calls().length, 2);
  assert.match(calls()[0], /^ci /);
  assert.doesNotMatch(calls()[0], /--prefer-online/);
  assert.match(calls()[1], /--prefer-online/);
});

test('npm that fails as often as it may fails with its command line', () => {
  const { run, calls } = callsWhere({ failures: 9, pauses: [0.01, 0.01] });
  assert.throws(run, (error) => error instanceof SetupError && /^npm ci .* ended with 1/.test(error.message));
  assert.equal(calls().length, 3);
});
