// The documentation in a browser: accessible in both themes, from phone to desktop, with the keyboard, and without a
// complaint under its own policy.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { buildDocs } from '../../scripts/docs.mjs';
import { serve } from '../../scripts/serve.mjs';
import { axeFindings, builtApp, launch, visit } from '../support/page.mjs';
import { temporaryFolder } from '../support/tiny-model.mjs';

const benchmarks = fs.readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
let browser;
let server;

before(async () => {
  const site = path.join(temporaryFolder(), 'docs');
  await buildDocs({ out: site });
  // At a path of its own, as on a host that gives a project a folder.
  server = await serve({ root: path.dirname(site), mounts: { '/some/where/docs/': site, '/some/where/app/': builtApp } });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const open = (page, options) => visit(browser, server, `some/where/docs/${page}`, options);

for (const colorScheme of ['light', 'dark']) {
  for (const address of ['index.html', 'reference/elements.html', 'benchmarks.html']) {
    test(`${address}, ${colorScheme}: axe finds nothing, and nothing is wider than a phone`, async () => {
      const { page, context, complaints } = await open(address, { colorScheme });
      assert.deepEqual(await axeFindings(page), []);
      await page.setViewportSize({ width: 360, height: 740 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }
}

test('the menu: beside the text on a desktop, behind a button on a phone, by keyboard', async () => {
  const { page, context, complaints } = await open('index.html');
  const link = page.locator('#menu').getByRole('link', { name: 'Your own model' });
  const button = page.getByRole('button', { name: 'Menu' });
  assert.equal(await link.isVisible(), true);
  assert.equal(await button.isVisible(), false);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await link.isVisible(), false);
  await button.focus();
  await page.keyboard.press('Enter');
  assert.equal(await link.isVisible(), true);
  assert.deepEqual(await axeFindings(page), []);
  await page.keyboard.press('Escape');
  assert.equal(await link.isVisible(), false);
  await page.keyboard.press('Enter');
  await link.click();
  await page.waitForURL('**/own-model.html');
  assert.equal(await page.locator('h1').textContent(), 'Your own model');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('the demo beside it opens', async () => {
  const { page, context, complaints } = await open('index.html');
  await page.getByRole('link', { name: 'Demo', exact: true }).click();
  await page.waitForURL('**/some/where/app/index.html');
  await page.waitForSelector('.facts span');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('how fast is it here: measures on this device beside our figures, under the site’s policy, and can be stopped', async () => {
  const { page, context, complaints } = await open('speed.html');
  const here = page.locator('.here');
  const ours = await page.locator('tr[data-ours]').evaluateAll((rows) => rows.map(({ dataset }) => Number(dataset.ours)));
  assert.equal(ours.length, 3);
  for (const time of ours) assert.ok(benchmarks.includes(`| ${time.toFixed(2)} ± `), String(time));
  assert.deepEqual(await here.allTextContents(), ['–', '–', '–']);
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Measure' }).click();
  await page.getByText('Measuring a text of 512 tokens').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  await page.getByRole('button', { name: 'Measure' }).click();
  await page.getByText('Done.').waitFor({ timeout: 120_000 });
  for (const text of await here.allTextContents()) assert.match(text, /^\d+\.\d ms ± \d+ %$/);
  for (const text of await page.locator('.ratio').allTextContents()) assert.match(text, /^\d+\.\d\d$/);
  assert.match(await page.locator('#facts').textContent(), /^Here: 1 thread, build (relaxed|simd128), \d+ cores\. ./);
  assert.deepEqual(await axeFindings(page), []);
  assert.deepEqual(complaints, []);
  await context.close();
});
