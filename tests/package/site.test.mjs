// headlight site out of the packed tarball: what the package ships suffices for it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serve } from '../../scripts/serve.mjs';
import { dist } from '../support/built.mjs';
import * as support from '../support/page.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

test('a folder and one file, made from the package alone', async () => {
  const place = temporaryFolder();
  const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], path.dirname(dist)));
  run('tar', ['-xf', filename], place);
  const command = path.join(place, 'package/dist/cli.js');
  const model = writeFolder(makeTinyModel());
  run(process.execPath, [command, 'site', '--model', model, '-o', 'site'], place);
  run(process.execPath, [command, 'site', '--model', model, '--single-file', '-o', 'one.html'], place);

  const browser = await support.launch();
  const server = await serve({ root: path.join(place, 'site') });
  const file = { url: pathToFileURL(path.join(place, 'one.html')).href };
  for (const site of [server, file]) {
    const { page, context, complaints } = await support.visit(browser, site);
    await support.ready(page);
    await support.write(page, 'the movie was good');
    assert.match(await page.locator('.verdict').textContent(), /POSITIVE|NEGATIVE/);
    assert.deepEqual(complaints, []);
    await context.close();
  }
  await browser.close();
  await server.close();
});
