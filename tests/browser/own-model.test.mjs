// Models of one's own in the built page: each task has its view, by folder and by URL, without a reload.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../../scripts/serve.mjs';
import { committedGolden } from '../support/golden.mjs';
import * as support from '../support/page.mjs';
import { temporaryFolder } from '../support/tiny-model.mjs';

let server, models, browser, page, complaints;

before(async () => {
  server = await support.serveApp();
  // Another origin, as of a server that lets others read.
  models = await serve({ root: committedGolden, headers: { 'Access-Control-Allow-Origin': '*' } });
  browser = await support.launch();
  ({ page, complaints } = await support.visit(browser, server, '', { foreign: [models.url] }));
  await support.ready(page);
  await page.evaluate(() => (globalThis.notReloaded = true));
});
after(async () => {
  await browser.close();
  await server.close();
  await models.close();
});

const golden = (name) => path.join(committedGolden, name);

/** Drops files or a folder on the page, as the system does. */
async function drop(...paths) {
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await cdp.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
  await cdp.detach();
}

const opened = (name) =>
  page.waitForFunction(
    (wanted) =>
      document.querySelector('.facts')?.textContent.includes(wanted) &&
      document.querySelector('headlight-text')?.tokens.length > 0 &&
      !document.querySelector('.stale'),
    name,
  );
const labels = () => page.locator('.box label').evaluateAll((all) => all.map((label) => label.textContent.trim().replace(/\s+/g, ' ')));
const menu = () => page.locator('.task option').allTextContents();

test('a dropped token classifier marks entities; Enter on one lets it look', async () => {
  await drop(golden('xlmroberta-tokcls'));
  await opened('xlmroberta-tokcls');
  assert.deepEqual(await labels(), ['Your text']);
  assert.ok((await page.locator('.entity').count()) > 0);
  assert.equal(await page.locator('#text').inputValue(), (await page.locator('.marked').evaluate((marked) => {
    const copy = marked.cloneNode(true);
    copy.querySelectorAll('rt').forEach((name) => name.remove());
    return copy.textContent;
  })));
  const last = page.locator('.entity').last();
  await last.focus();
  await page.keyboard.press('Enter');
  assert.equal(await last.getAttribute('aria-pressed'), 'true');
  const word = await last.locator('.span').textContent();
  const looks = await page.locator('headlight-text [aria-selected=true]').textContent();
  assert.ok(word.includes(looks) || looks.includes(word), `${looks}, not ${word}`);
  assert.deepEqual(await support.axeFindings(page), []);
});

test('a dropped question answerer asks for a question and a text, and finds the answer in it', async () => {
  await drop(golden('longformer-qa'));
  await opened('longformer-qa');
  assert.deepEqual(await labels(), ['Question', 'Text that may hold the answer']);
  const context = await page.locator('#pair').inputValue();
  const answer = await page.locator('.verdict strong').textContent();
  assert.ok(context.includes(answer) || answer === 'No answer in the text', answer);
  assert.equal(await page.locator('.bars li').count(), 3);
  assert.equal(await page.locator('headlight-text p').last().textContent(), context);
  assert.deepEqual(await support.axeFindings(page), []);
});

test('a model of pairs takes a second text, and labels of one’s own by the menu', async () => {
  await support.chooseModel(page, golden('roberta-nli'));
  await opened('roberta-nli');
  assert.deepEqual(await labels(), ['Your text', 'Second text (optional)']);
  assert.deepEqual(await menu(), ['classify', 'choose among labels of your own']);
  const alone = await page.locator('.verdict').textContent();
  await page.fill('#pair', 'A man is asleep.');
  await page.waitForFunction((before) => document.querySelector('.verdict').textContent !== before, alone);
  await page.getByLabel('Task', { exact: true }).selectOption('choose among labels of your own');
  await page.fill('#labels', 'good, bad，worse');
  await page.waitForFunction(() => {
    const names = [...document.querySelectorAll('.verdict bdi, .bars bdi')].map((name) => name.textContent);
    return names.toSorted().join() === 'bad,good,worse' && !document.querySelector('.stale');
  });
  assert.match(await page.locator('headlight-text p').last().textContent(), /^This example is (good|bad|worse)\.$/);
});

test('several labels each on its own are all shown that pass a half', async () => {
  await support.chooseModel(page, golden('bert-multilabel'));
  await opened('bert-multilabel');
  const { labels: scores } = await page.evaluate(() => document.querySelector('headlight-app').desk.reading.answer);
  const found = scores.filter(({ score }) => score >= 0.5);
  assert.equal(await page.locator('.verdict .found').count(), found.length);
});

test('a model of sentence pairs judges what follows', async () => {
  await support.chooseModel(page, golden('bert-nsp'));
  await opened('bert-nsp');
  assert.deepEqual(await labels(), ['First sentence', 'Second sentence']);
  assert.match(await page.locator('.verdict').textContent(), /Follows|Does not follow/);
});

test('a bare encoder compares lines; choosing one makes it the first', async () => {
  await support.chooseModel(page, golden('electra-discriminator'));
  await opened('electra-discriminator');
  assert.deepEqual(await menu(), ['compare sentences', 'only attend']);
  assert.equal(await page.locator('.bars li').count(), 3);
  const nearest = await page.locator('.bars button').first().textContent();
  await page.locator('.bars button').first().click();
  assert.ok((await page.locator('#text').inputValue()).startsWith(nearest.trim()));
});

test('a URL typed in, here of another origin, fills in blanks by the name its vocabulary has', async () => {
  const opener = page.locator('.switch-model button');
  await opener.click();
  await page.fill('#address', `${models.url}camembert-mlm`);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await opened('camembert-mlm');
  assert.equal(await page.locator('.blank').count(), 1);
  assert.equal(await page.locator('.bars button').count(), 5);
  assert.equal(new URL(page.url()).searchParams.get('model'), `${models.url}camembert-mlm`);
  const text = await page.locator('#text').inputValue();
  await page.locator('.bars button').first().click();
  await page.waitForFunction((before) => document.querySelector('#text').value !== before, text);
  assert.ok(!(await page.locator('#text').inputValue()).includes('[MASK]'));
  await page.waitForFunction(() => document.querySelector('.verdict').textContent.includes('Write [MASK]'));
  await page.getByRole('button', { name: 'Insert a blank' }).click();
  await page.locator('.bars button').first().waitFor();
});

test('an address where there is no model says so, and the demo comes back', async () => {
  await page.locator('.switch-model button').click();
  await page.fill('#address', `${server.url}nowhere/`);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.locator('.failure').waitFor();
  assert.match(await page.locator('.failure').textContent(), /no .*nowhere\/config\.json.*Check the path or URL/s);
  await page.getByRole('button', { name: 'Back to the demo model' }).click();
  await opened('int8');
  assert.equal(new URL(page.url()).search, '');
});

test('a dropped folder of sentence-transformers keeps the folders within it', async () => {
  const folder = temporaryFolder();
  fs.cpSync(golden('electra-discriminator'), folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'modules.json'),
    JSON.stringify([
      { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
      { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
    ]),
  );
  fs.mkdirSync(path.join(folder, '1_Pooling'));
  const size = JSON.parse(fs.readFileSync(path.join(folder, 'config.json'), 'utf8')).hidden_size;
  fs.writeFileSync(
    path.join(folder, '1_Pooling/config.json'),
    JSON.stringify({ word_embedding_dimension: size, pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }),
  );
  await drop(folder);
  await opened(path.basename(folder));
  const { sentence } = await page.evaluate(() => document.querySelector('headlight-app').desk.session.info);
  assert.deepEqual(sentence.pooling, ['cls']);
});

test('nothing was loaded anew, and the page complained of nothing', async () => {
  assert.equal(await page.evaluate(() => globalThis.notReloaded), true);
  assert.deepEqual(complaints, []);
});
