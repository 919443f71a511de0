// A model with pruned heads in the built page: they are told as pruned, and nothing counts, chooses or switches them.

import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { succeed } from '../support/command.mjs';
import * as support from '../support/page.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const layers = 3;
const heads = 4;
const text = 'the movie was good';
const gone = ['Layer 1, head 1, pruned', 'Layer 1, head 4, pruned', 'Layer 3, head 2, pruned'];

let server, browser, folder;

before(async () => {
  folder = path.join(temporaryFolder(), 'pruned');
  await succeed(['prune', writeFolder(makeTinyModel({ layers, heads })), '-o', folder, '--heads', '0.0,0.3,2.1']);
  server = await support.serveApp();
  browser = await support.launch();
});
after(async () => {
  await browser.close();
  await server.close();
});

/** The page with the pruned model and what a fragment chooses. */
async function open(fragment = '', options = {}) {
  const { page, complaints, context } = await support.visit(browser, server, '', options);
  await support.ready(page);
  await support.chooseModel(page, folder);
  await page.waitForFunction(() => /\bpruned · /.test(document.querySelector('.facts')?.textContent));
  await support.write(page, text);
  await page.evaluate((given) => {
    location.hash = given;
    dispatchEvent(new PopStateEvent('popstate'));
  }, `task=classify&${fragment}`);
  await support.readTo(page, text);
  return { page, complaints, close: () => context.close() };
}

const names = (page, part) =>
  page.locator(`headlight-heads [part~=${part}]`).evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label')));
const optionsOf = (page, label) =>
  page.getByLabel(label, { exact: true }).locator('option').evaluateAll((all) => all.map((option) => [option.textContent, option.disabled]));

test('pruned heads are told as such in the grid, in menus, and by number', async () => {
  for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
    const { page, complaints, close } = await open('layer=1', { viewport });
    assert.deepEqual(await names(page, 'pruned'), gone);
    assert.ok(await page.getByText('3 heads were pruned').isVisible());
    assert.deepEqual(await optionsOf(page, 'Head'), [
      ['all heads', false],
      ['head 1, pruned', true],
      ['head 2', false],
      ['head 3', false],
      ['head 4, pruned', true],
    ]);
    assert.deepEqual(await support.axeFindings(page), []);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test('a pruned head is neither chosen, nor combined, nor switched off; by a link all heads stand in its place', async () => {
  const { page, complaints, close } = await open('layer=1&head=1');
  const caption = () => page.locator('headlight-text').evaluate((view) => view.caption);
  assert.match(await caption(), /layer 1 · all heads/);
  const cell = page.getByRole('gridcell', { name: 'Layer 1, head 4, pruned' });
  await cell.click({ force: true });
  await cell.click({ force: true, modifiers: ['Control'] });
  await page.keyboard.press('Delete');
  assert.match(await caption(), /layer 1 · all heads/);
  assert.equal(await page.getByRole('button', { name: /Switch off layer/ }).count(), 0);
  assert.doesNotMatch(page.url(), /off=|mix=/);
  // What the heads that are there pay adds up to all of it.
  const shares = await page.locator('headlight-text').evaluate((view) => [...view.shares].reduce((sum, share) => sum + share, 0));
  assert.ok(Math.abs(shares - 1) < 1e-4, `${shares}`);

  await page.getByRole('gridcell', { name: 'Layer 1, head 2', exact: true }).click();
  await page.getByRole('gridcell', { name: 'Layer 1, head 3', exact: true }).click({ modifiers: ['Shift'] });
  await page.getByRole('gridcell', { name: 'Layer 1, all heads', exact: true }).click({ modifiers: ['Shift'] });
  assert.match(page.url(), /mix=1\.2%2C1\.3(&|$)/);
  assert.deepEqual(complaints, []);
  await close();
});

test('heads of a link that are not there, pruned or named twice are not counted', async () => {
  const { page, complaints, close } = await open('off=99.99,1.1,2.1,2.1,1.4');
  assert.deepEqual(await names(page, 'off'), ['Layer 2, head 1, off']);
  await page.getByText('1 head off', { exact: true }).waitFor();
  const about = await page.locator('headlight-text').evaluate((view) => view.about);
  assert.equal(about['heads off (layer.head)'], '2.1');
  await page.getByRole('button', { name: 'Switch all on' }).click();
  await page.getByText('1 head off', { exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await close();
});

test('the least important are sought among the heads that are there', async () => {
  const { page, complaints, close } = await open();
  await page.getByLabel('Switch off the least important').selectOption({ label: '75 %' });
  // Of nine.
  await page.getByText('7 heads off', { exact: true }).waitFor();
  assert.equal((await names(page, 'off')).length, 7);
  assert.deepEqual(await names(page, 'pruned'), gone);
  assert.doesNotMatch(decodeURIComponent(page.url()), /[=,](1\.1|1\.4|3\.2)\b/);
  assert.deepEqual(complaints, []);
  await close();
});

test('maps tell pruned heads, and choose none', async () => {
  const { page, complaints, close } = await open('map=heatmap&layer=1');
  const map = page.locator('.below headlight-heatmap');
  const rowNames = await map.locator('.rows span').allTextContents();
  assert.deepEqual(rowNames, ['head 1, pruned', 'head 2', 'head 3', 'head 4, pruned']);
  const readout = async () => (await map.locator('output').textContent()).trim();
  const at = async (column, row, columns, rows) => {
    const box = await map.locator('canvas').boundingBox();
    return [box.x + (box.width * (column + 0.5)) / columns, box.y + (box.height * (row + 0.5)) / rows];
  };
  const url = page.url();
  await page.mouse.click(...(await at(1, 0, 4, heads)));
  assert.equal(await readout(), 'head 1, pruned · movie: pruned');
  assert.equal(page.url(), url);

  await page.getByRole('button', { name: 'What heads do' }).click();
  await page.mouse.move(0, 0);
  await page.mouse.click(...(await at(1, 2, heads, layers)));
  assert.equal(await readout(), 'layer 3 · head 2: pruned');
  assert.doesNotMatch(page.url(), /layer=3/);

  await page.getByRole('button', { name: 'Layers × words' }).click();
  await page.getByRole('gridcell', { name: 'Layer 2, head 1', exact: true }).click();
  await page.mouse.move(...(await at(1, 0, 4, layers)));
  assert.equal(await readout(), 'layer 1 · movie: pruned');

  await page.getByRole('button', { name: 'Lines' }).click();
  await page.getByLabel('Layer', { exact: true }).selectOption('layer 1');
  const lines = page.locator('headlight-links .heads button');
  assert.deepEqual(await lines.evaluateAll((all) => all.map(({ disabled }) => disabled)), [true, false, false, true]);
  await lines.nth(1).click();
  assert.match(page.url(), /head=2/);
  await lines.nth(2).click();

  // Where no head is chosen, the first that is there shows its queries.
  await page.getByLabel('Head', { exact: true }).selectOption('all heads');
  await page.getByRole('button', { name: 'Queries and keys' }).click();
  await page.locator('.neurons canvas').waitFor();
  assert.match(await page.locator('.below .sentence').textContent(), /layer 1, head 2/);

  // Up and down go over what is there.
  await page.locator('headlight-text [tabindex="0"]').first().focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  assert.match(page.url(), /head=3/);
  assert.deepEqual(complaints, []);
  await close();
});

test('attention rollout has no label, whatever label was explained before', async () => {
  const { page, complaints, close } = await open('by=occlusion&target=NEGATIVE');
  const caption = (pattern) =>
    page.waitForFunction((wanted) => new RegExp(wanted).test(document.querySelector('headlight-text').caption), pattern);
  await caption('NEGATIVE');
  await page.getByLabel('Method', { exact: true }).selectOption('attention rollout');
  await caption('^attention rollout · \\[CLS\\]$');
  assert.deepEqual(complaints, []);
  await close();
});
