// The page on a mock model: every state, keyboard, hostile text, zoom, links. app.test.mjs has the real model.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import * as support from '../support/page.mjs';

const { axeFindings, chooseModel, launch, serveMockApp, visit } = support;

const root = fileURLToPath(new URL('../../', import.meta.url));
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

let server, browser, context, page, complaints;

before(async () => {
  server = await serveMockApp();
  browser = await launch();
});
after(async () => {
  await browser.close();
  await server.close();
});
afterEach(async () => {
  await context?.close();
  assert.deepEqual(complaints, []);
});

const open = async (address, options) =>
  ({ context, page, complaints } = await visit(browser, server, address, options));
const ready = () => support.ready(page);
const readTo = (wanted) => support.readTo(page, wanted);
const write = (wanted) => support.write(page, wanted);
const text = () => page.locator('headlight-text');
const strengths = () =>
  page.evaluate(() =>
    [...document.querySelector('headlight-text').shadowRoot.querySelectorAll('.token')].map((token) =>
      token.style.getPropertyValue('--w'),
    ),
  );
/** What the page asked the model about the text is here. */
const answered = () => page.waitForFunction(() => !document.querySelector('headlight-progress'));
const caption = () => page.locator('headlight-text [part=caption]').textContent();

test('the first visit is lit before the model is here', async () => {
  await open('?mock=hang');
  await page.waitForSelector('.loading');
  assert.equal(await page.locator('#text').inputValue(), 'The movie was absolutely fantastic!');
  assert.equal(await page.locator('.verdict strong').textContent(), 'POSITIVE');
  const lit = (await strengths()).map(Number);
  assert.equal(lit.length, 6);
  assert.equal(Math.max(...lit), 1);
  assert.equal(lit.indexOf(1), 4, '“fantastic” speaks most for it');
  assert.match(await caption(), /occlusion · fall of the logit of POSITIVE/);
  assert.match(await page.locator('.controls').textContent(), /by\s+occlusion.*how far\s+POSITIVE.*falls without it\./s);
  assert.match(await page.locator('.loading').textContent(), /11\.7\u202fMB of 23\.4\u202fMB/);
});

test('loading can be stopped and begun again', async () => {
  await open('?mock=hang');
  await page.getByRole('button', { name: 'Stop' }).click();
  assert.match(await page.locator('.status').textContent(), /stopped after 11\.7\u202fMB/);
  await page.getByRole('button', { name: 'Load the model' }).click();
  await page.waitForSelector('.loading');
});

test('a text that waits for the model is there, unlit', async () => {
  await open('?mock=hang#text=waiting+words');
  await page.waitForSelector('.loading');
  assert.equal(await text().locator('p').textContent(), 'waiting words');
  assert.match(await page.locator('.status').textContent(), /as soon as the model is here/);
});

test('an error says what, where and what to do', async () => {
  await open('?mock=fail');
  const alert = await page.getByRole('alert').textContent();
  assert.match(alert, /the file has 11 700 000/);
  assert.match(
    alert,
    /models\/sentiment-en\/model\.int8\.safetensors, bert\.encoder\.layer\.3\.output\.dense\.weight, byte 11700000/,
  );
  assert.match(alert, /Download or copy it again/);
  assert.ok(await page.getByRole('button', { name: 'Try again' }).isVisible());
});

test('a run that fails leaves the page working', async () => {
  await open('?mock=runfail');
  await page.waitForSelector('.failure');
  assert.match(await page.locator('.failure').textContent(), /1 208 000 000 bytes.*Use a smaller model/s);
});

test('typing reads the text; a newer text ends the older run', async () => {
  await open('?mock=slow');
  await ready();
  await readTo('The movie was absolutely fantastic!');
  await page.waitForFunction(() => globalThis.mockRuns?.done === 1).catch(() => {});
  await page.locator('#text').fill('a bad');
  await page.waitForFunction(() => document.querySelector('.stale'));
  assert.equal(await text().locator('p').textContent(), 'The movie was absolutely fantastic!');
  await page.waitForTimeout(200);
  await page.locator('#text').fill('a bad film');
  await readTo('a bad film');
  const runs = await page.evaluate(() => globalThis.mockRuns);
  assert.deepEqual([runs.begun, runs.done, runs.aborted], [3, 2, 1]);
  assert.match(await page.locator('.verdict').textContent(), /NEGATIVE/);
});

test('nothing jumps when a result arrives', async () => {
  await open('?mock=slow');
  await ready();
  await readTo('The movie was absolutely fantastic!');
  const places = () =>
    page.evaluate(() =>
      ['#text', '.verdict', '.sentence', 'headlight-text', 'headlight-heads', '.below'].map((at) =>
        Math.round(document.querySelector(at).getBoundingClientRect().top),
      ),
    );
  const before = await places();
  await page.fill('#text', 'The movie was absolutely terrible!');
  await page.waitForSelector('.stale');
  assert.deepEqual(await places(), before);
  await readTo('The movie was absolutely terrible!');
  assert.deepEqual(await places(), before);
});

for (const viewport of [desktop, phone]) {
  test(`nothing jumps when the model is here, ${viewport.width} pixels`, async () => {
    const places = () =>
      page.evaluate(() =>
        ['#text', '.verdict', '.sentence', 'headlight-text', 'headlight-heads', '.below'].map((at) =>
          Math.round(document.querySelector(at).getBoundingClientRect().top + scrollY),
        ),
      );
    await open('?mock=hang', { viewport });
    await page.waitForSelector('.loading');
    const loading = await places();
    await page.goto(server.url);
    await ready();
    await readTo('The movie was absolutely fantastic!');
    assert.deepEqual(await places(), loading);
  });
}

test('moving over the heads lights the text at once, leaving returns, a click stays', async () => {
  await open();
  await ready();
  await readTo('The movie was absolutely fantastic!');
  await answered();
  const chosen = await strengths();
  const cell = page.locator('headlight-heads .cell[data-row="1"][data-column="3"]');
  const runs = await page.evaluate(() => globalThis.mockRuns.begun);
  await cell.hover();
  assert.notDeepEqual(await strengths(), chosen);
  assert.match(await caption(), /layer 2 · head 3/);
  await page.mouse.move(2, 2);
  assert.deepEqual(await strengths(), chosen);
  assert.match(await caption(), /occlusion/);
  await cell.click();
  await page.mouse.move(2, 2);
  assert.match(await caption(), /layer 2 · head 3/);
  assert.equal(await page.getByLabel('Layer', { exact: true }).inputValue(), 'layer 2');
  assert.match(page.url(), /by=attention&layer=2&head=3/);
  assert.equal(await page.evaluate(() => globalThis.mockRuns.begun), runs);
});

test('a classifier lights by occlusion until something else is asked for; attention is one choice away', async () => {
  await open();
  await ready();
  await write('One fine text');
  await answered();
  assert.match(await caption(), /occlusion · fall of the logit of POSITIVE/);
  assert.equal(new URL(page.url()).hash, '');
  assert.equal(await page.getByLabel('Draw lines').count(), 0);
  // The arrow keys read the scores; a click asks where the word looks.
  await page.locator('headlight-text .token').first().focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await caption(), /occlusion/);
  assert.equal(await page.locator('headlight-text .token[tabindex="0"]').textContent(), 'fine');
  await page.locator('headlight-text .token').nth(2).click();
  assert.match(await caption(), /what text pays · layer 5 · all heads/);
  assert.equal(new URL(page.url()).hash, '#by=attention&query=4');
  await page.getByLabel('Method').selectOption({ label: 'occlusion' });
  assert.equal(new URL(page.url()).searchParams.get('by'), null);
  await answered();
  assert.match(await caption(), /occlusion/);
  await page.getByRole('button', { name: /^\[CLS\]/ }).click();
  assert.match(await caption(), /what \[CLS\] pays/);
  for (const [link, wanted] of [
    ['#by=attention', /what \[CLS\] pays · layer 5 · all heads/],
    ['#layer=3&head=7', /what \[CLS\] pays · layer 3 · head 7/],
    ['#by=rollout', /rollout/],
    ['#by=nothing+of+the+kind', /occlusion/],
    ['#map=tokens', /occlusion/],
  ]) {
    await page.goto('about:blank');
    await page.goto(server.url + link);
    await ready();
    await readTo('One fine text');
    assert.match(await caption(), wanted, link);
  }
});

test('occlusion of a long text is not begun unasked, and says so; typing on ends it', async () => {
  await open('?mock=slow');
  await ready();
  await readTo('The movie was absolutely fantastic!');
  await answered();
  const explained = () => page.evaluate(() => ({ ...globalThis.mockRuns.explained }));
  const before = await explained();
  const since = async () => {
    const now = await explained();
    return Object.fromEntries(Object.entries(now).map(([name, count]) => [name, count - before[name]]));
  };
  await write('word '.repeat(97));
  assert.match(await caption(), /what \[CLS\] pays/);
  assert.deepEqual(await since(), { begun: 0, done: 0, aborted: 0 });
  assert.match(await page.locator('.controls').textContent(), /would read this text 97 times, in up to \d+ (s|min); attention lights it/);
  await page.getByRole('button', { name: 'Light by occlusion' }).click();
  assert.match(page.url(), /by=occlusion/);
  await page.locator('headlight-progress progress').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  assert.deepEqual(await since(), { begun: 1, done: 0, aborted: 0 });
  await page.locator('#text').fill('Some other words');
  assert.deepEqual(await since(), { begun: 1, done: 0, aborted: 1 });
  await readTo('Some other words');
  await answered();
  assert.deepEqual(await since(), { begun: 2, done: 1, aborted: 1 });
});

test('what a token gets, and several heads by their mean or maximum', async () => {
  await open('#by=attention');
  await ready();
  await write('One fine text');
  const choose = (label, name) => page.getByLabel(label, { exact: true }).first().selectOption({ label: name });
  const weights = () => page.evaluate(() => [...document.querySelector('headlight-text').weights]);
  const maps = await page.evaluate(() => {
    const { data, ...size } = document.querySelector('headlight-app').desk.reading.maps;
    return { data: [...data], ...size };
  });
  const at = (l, h, q, k) => maps.data[((l * maps.heads + h) * maps.size + q) * maps.size + k];
  const near = (actual, expected) =>
    actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-6, `${i}: ${value}, not ${expected[i]}`));
  const keys = [0, 1, 2, 3, 4];

  await choose('Direction', 'gets from it');
  assert.match(await caption(), /what \[CLS\] gets · layer 5 · all heads/);
  const heads = Array.from({ length: maps.heads }, (_, h) => h);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  near(await weights(), keys.map((k) => mean(heads.map((h) => at(4, h, k, 0)))));
  assert.match(await page.locator('headlight-text [part~=special]').first().textContent(), /\[CLS\] paid/);
  await choose('How heads are combined', 'at most');
  near(await weights(), keys.map((k) => Math.max(...heads.map((h) => at(4, h, k, 0)))));
  await choose('Direction', 'pays it');

  const cell = (row, column) => page.locator(`headlight-heads .cell[data-row="${row}"][data-column="${column}"]`);
  await cell(1, 3).click();
  await cell(4, 2).click({ modifiers: ['Control'] });
  await page.mouse.move(2, 2);
  assert.match(await caption(), /layer 2, head 3 \+ layer 5, head 2 · at most/);
  near(await weights(), keys.map((k) => Math.max(at(1, 2, 0, k), at(4, 1, 0, k))));
  await choose('How heads are combined', 'on average');
  near(await weights(), keys.map((k) => (at(1, 2, 0, k) + at(4, 1, 0, k)) / 2));
  assert.equal(await page.locator('headlight-heads .cell[aria-selected=true]').count(), 2);
  assert.match(page.url(), /mix=2\.3%2C5\.2/);
  assert.deepEqual(await axeFindings(page), []);

  // By keyboard: one more, one less, a rectangle.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Enter');
  assert.match(await page.locator('.controls').textContent(), /3 chosen heads/);
  await page.keyboard.press('Control+Enter');
  assert.match(await page.locator('.controls').textContent(), /2 chosen heads/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Enter');
  assert.match(await page.locator('.controls').textContent(), /4 chosen heads/);
  await page.reload();
  await ready();
  await readTo('One fine text');
  assert.match(await caption(), /layer 2, head 3 \+ layer 5, head 2/);
  await choose('Heads', 'layer 2, head 3');
  assert.equal(await page.locator('headlight-heads .cell[aria-selected=true]').count(), 1);

  // By touch: a button in place of the key.
  await page.getByRole('button', { name: 'Choose several' }).click();
  await cell(0, 0).click();
  assert.match(await page.locator('.controls').textContent(), /13 chosen heads/);
  await cell(0, 0).click();
  assert.match(await page.getByLabel('Layer', { exact: true }).locator('option:checked').textContent(), /layer 2/);
});

test('the token that looks is the same when the text around it changes', async () => {
  await open('#by=attention');
  await ready();
  await write('One fine text');
  await page.locator('headlight-text .token').nth(1).click();
  for (const [next, wanted] of [
    ['This is one fine text', 'fine'],
    ['This is one fine day', 'fine'],
    ['This is one dull day', '[CLS]'],
  ]) {
    await write(next);
    assert.match(await caption(), new RegExp(`what ${wanted.replace(/[[\]]/g, '\\$&')} pays`), next);
  }
});

test('going back reads the text once', async () => {
  await open('#text=The+first+text&off=1.2');
  await ready();
  await readTo('The first text');
  await page.evaluate(() => (location.hash = '#text=The+second+text&off=1.3'));
  await readTo('The second text');
  const before = await page.evaluate(() => ({ ...globalThis.mockRuns }));
  await page.goBack();
  await readTo('The first text');
  const after = await page.evaluate(() => ({ ...globalThis.mockRuns }));
  assert.deepEqual([after.begun - before.begun, after.aborted - before.aborted], [1, 0]);
  await page.evaluate(() => (location.hash = '#text=The+first+text&off=1.2&map=links'));
  await page.waitForSelector('headlight-links');
  assert.equal(await page.evaluate(() => globalThis.mockRuns.begun), after.begun, 'another view reads nothing');
});

test('the controls stay while one types before the model is here', async () => {
  await open('?mock=hang');
  await page.waitForSelector('.loading');
  await page.fill('#text', 'waiting words');
  await page.waitForSelector('.unread');
  assert.ok(await page.getByLabel('Method').isVisible());
  await page.getByLabel('Method').selectOption({ label: 'attention' });
  assert.match(page.url(), /by=attention/);
  assert.deepEqual(await axeFindings(page), []);
});

test('the sentence chooses unit, token, layer, head and scale', async () => {
  await open('#by=attention');
  await ready();
  await write('absolutely fine');
  const choose = (label, name) => page.getByLabel(label, { exact: true }).first().selectOption(name);
  await choose('Layer', 'layer 3');
  await choose('Head', 'head 7');
  await choose('Scale', 'scaled per token over the heads');
  await choose('Token that looks', 'fine');
  await choose('Unit', 'piece');
  assert.deepEqual(await page.locator('headlight-text .token').allTextContents(), ['absolu', 'tely', 'fine']);
  assert.match(await caption(), /what fine pays · layer 3 · head 7 · 1 where/);
  assert.equal(await page.locator('headlight-text [aria-selected=true]').textContent(), 'fine');
  const fragment = new URL(page.url()).hash;
  assert.equal(fragment, '#by=attention&layer=3&head=7&query=4&scale=heads&pieces=1');
  await page.reload();
  await ready();
  await readTo('absolutely fine');
  assert.match(await caption(), /what fine pays · layer 3 · head 7/);
});

test('all that the mouse can do, the keyboard can', async () => {
  await open('#by=attention');
  await ready();
  await readTo('The movie was absolutely fantastic!');
  const focused = () =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
    });
  const reached = [];
  for (let i = 0; i < 70; i++) {
    await page.keyboard.press('Tab');
    reached.push(await focused());
  }
  for (const wanted of [
    /^中文/,
    /^The movie was/,
    /^Chinese shop reviews/,
    /^Your own model/,
    /^Not my evening/,
    /^Unit$/,
    /^Token that looks$/,
    /^Direction$/,
    /^How heads are combined$/,
    /^Layer$/,
    /^Head$/,
    /^Scale$/,
    /^The, /,
    /\[CLS\] took/,
    /^Layer 5, all heads$/,
    /^As a table$/,
    /^Save as$/,
    /^Heads × words$/,
    /^Who looks at whom$/,
    /^head 1 · The/,
    /^Copy link/,
  ]) {
    assert.ok(
      reached.some((name) => wanted.test(name)),
      `${wanted} is not reached: ${reached.join(' | ')}`,
    );
  }
  await page.locator('headlight-text .token').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  assert.match(await caption(), /what movie pays · layer 6 · head 1/);
  await page.keyboard.press('Escape');
  assert.match(await caption(), /what \[CLS\] pays/);
  await page.locator('headlight-heads .cell[tabindex="0"]').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  assert.match(await caption(), /layer 5 · head 1/);
});

test("the app's CSV of the article's review is MinMaxScaler's", async () => {
  const { text: review, heat_map: expected } = JSON.parse(
    fs.readFileSync(path.join(root, 'tests/data/articles/review-rows.json'), 'utf8'),
  );
  await open('?mock=review');
  await ready();
  await write(review);
  const waiting = page.waitForEvent('download');
  await page.locator('headlight-heatmap').getByLabel('Save as').selectOption('CSV');
  const csv = fs.readFileSync(await (await waiting).path(), 'utf8').replace(/^\ufeff/, '');
  const [header, ...lines] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  assert.equal(header.length, 1 + 69);
  assert.equal(lines.length, 12);
  assert.equal(header.slice(1).join(''), review.replace(/\s/g, ''));
  lines.forEach(([name, ...cells], head) => {
    assert.equal(name, `head ${head + 1}`);
    cells.forEach((cell, i) =>
      assert.ok(
        Math.abs(Number(cell) - expected[head][i]) < 1e-6,
        `${head}, ${i}: ${cell}, not ${expected[head][i]}`,
      ),
    );
  });
});

test('the text is lit by an explanation of the label that is chosen, with how exact it is', async () => {
  await open();
  await ready();
  await write('One fine text');
  await page.getByLabel('Method').selectOption({ label: 'integrated gradients' });
  const element = page.locator('headlight-text');
  await element.locator('.token[data-sign=against]').first().waitFor();
  assert.match(await caption(), /integrated gradients · POSITIVE · adds up but for 0\.010 · float32 logits, 0\.020 from/);
  const strengths = () =>
    element.locator('.token').evaluateAll((all) => all.map(({ dataset }) => dataset.weight));
  const positive = await strengths();
  assert.deepEqual(positive, ['0.75', '\u22120.99', '0.58']);
  assert.match(await element.locator('[part~=special]').first().textContent(), /^\[CLS\]$/);
  const controls = page.locator('.controls');
  assert.match(await controls.textContent(), /Amber speaks for it.*A method is not the truth: look whether it can be believed, below/s);
  await page.getByLabel('What is explained').selectOption('NEGATIVE');
  await page.waitForFunction(() => /NEGATIVE/.test(document.querySelector('headlight-text').caption));
  // The caption is there while the scores are computed.
  await answered();
  assert.deepEqual(await strengths(), ['\u22120.75', '0.99', '\u22120.58']);
  assert.match(page.url(), /by=integrated-gradients&target=NEGATIVE/);
  await page.locator('headlight-heads .cell').nth(3).hover();
  assert.match(await caption(), /what \[CLS\] pays/);
  await page.mouse.move(0, 0);
  assert.match(await caption(), /integrated gradients/);
  await page.getByRole('button', { name: 'Can it be believed?' }).click();
  await page.waitForSelector('headlight-curve');
  assert.match(await page.locator('headlight-curve').evaluate((curve) => curve.caption), /integrated gradients/);
  // What has no sign speaks for nothing and against nothing.
  for (const method of ['attention rollout', 'attention flow', 'norms', 'value zeroing']) {
    await page.getByLabel('Method').selectOption({ label: method });
    await page.waitForFunction((name) => document.querySelector('headlight-text').caption.startsWith(name), method);
    assert.match(await controls.textContent(), /The brighter a word, the more of it goes into the token that looks/, method);
    assert.doesNotMatch(await controls.textContent(), /Amber/, method);
  }
});

test('where the first method fails, attention lights the text and the sentence says why', async () => {
  await open('?mock=nomore');
  await ready();
  await write('One fine text');
  await page.getByRole('button', { name: 'Light by occlusion' }).waitFor();
  assert.match(await page.locator('.controls').textContent(), /could not be lit by occlusion \(the gradients need .*attention lights it/);
  assert.match(await caption(), /what \[CLS\] pays/);
  assert.equal(await page.locator('.failure').count(), 0);
  await page.getByRole('button', { name: 'Light by occlusion' }).click();
  await page.waitForSelector('.lit .failure');
});

test('an explanation that fails says so, and attention lights the text again', async () => {
  await open('?mock=nomore#by=occlusion');
  await page.waitForSelector('.lit .failure');
  assert.match(await page.locator('.lit .failure').textContent(), /the gradients need/);
  await page.getByLabel('Method').selectOption({ label: 'attention' });
  await page.locator('.lit .failure').waitFor({ state: 'detached' });
  assert.match(await caption(), /what \[CLS\] pays/);
});

test('heads are switched off by key, by button and by importance; the verdict and the pictures follow', async () => {
  await open();
  await ready();
  await write('One fine text');
  const verdict = async () => Number((await page.locator('.verdict .number').textContent()).replace(/[^\d.]/g, ''));
  const off = () => page.locator('headlight-heads .cell.off').count();
  const before = await verdict();
  await page.locator('headlight-heads .cell').nth(3).click();
  await page.keyboard.press('Delete');
  await page.locator('headlight-heads .cell.off').waitFor();
  await page.waitForFunction((score) => !document.querySelector('.verdict').textContent.includes(score), before.toFixed(1));
  assert.ok((await verdict()) < before);
  assert.match(page.url(), /off=1\.3/);
  assert.equal(await page.locator('headlight-heads .cell.off').getAttribute('aria-label'), 'Layer 1, head 3, off');
  const strongest = await page.evaluate(() => document.querySelector('headlight-heads').toRows()[3]);
  assert.deepEqual(strongest, [1, 3, -1, -1, 0]);
  await page.getByRole('button', { name: 'Switch on layer 1, head 3' }).click();
  await page.waitForFunction((score) => document.querySelector('.verdict').textContent.includes(score), before.toFixed(1));
  assert.equal(await off(), 0);
  await page.getByLabel('Switch off the least important').selectOption({ index: 2 });
  await page.getByText('18 heads off').waitFor();
  assert.equal(await off(), 18);
  await page.getByRole('button', { name: 'Switch all on' }).click();
  await page.getByText('18 heads off').waitFor({ state: 'detached' });
  assert.doesNotMatch(page.url(), /off=/);
});

test('a lit text is kept to compare: it stays with other texts, on a common scale', async () => {
  await open('#by=attention');
  await ready();
  await write('One fine text');
  await page.getByRole('button', { name: 'Keep to compare' }).click();
  await write('Another one that is rather longer');
  const texts = () =>
    page.locator('headlight-text').evaluateAll((all) => all.map(({ text, max }) => ({ text, max })));
  let [now, kept] = await texts();
  assert.deepEqual([now.text, kept.text], ['Another one that is rather longer', 'One fine text']);
  assert.equal(now.max, kept.max);
  assert.match(await page.locator('.kept > p').textContent(), /sentiment-en, int8 · (POSI|NEGA)TIVE \d/);
  await page.getByLabel('Scale').first().selectOption({ label: 'scaled per token over the heads' });
  [now, kept] = await texts();
  assert.equal(now.max, 1);
  assert.ok(kept.max < 1, 'shares are not on the scale of the heads');
  await page.getByRole('button', { name: 'Let go' }).click();
  assert.equal((await texts()).length, 1);
});

test('a view is saved in each form, with where it comes from; cells of the workbook have the light', async () => {
  await open();
  await ready();
  await write('One fine text');
  const save = async (name) => {
    const waiting = page.waitForEvent('download');
    await page.locator('headlight-heatmap').getByLabel('Save as').selectOption(name);
    const download = await waiting;
    return [download.suggestedFilename(), fs.readFileSync(await download.path())];
  };
  const [jsonName, json] = await save('JSON');
  const data = JSON.parse(json);
  assert.equal(jsonName, 'headlight-heatmap.json');
  assert.deepEqual(data.about, { model: 'sentiment-en, int8', text: 'One fine text' });
  assert.deepEqual(data.columns, ['Head', 'One', 'fine', 'text']);
  for (const [name, start] of [
    ['CSV', '\ufeffHead,One'],
    ['SVG', '<svg'],
    ['PNG', '\ufffdPNG'],
    ['HTML', '<!doctype html>'],
  ]) {
    const [file, bytes] = await save(name);
    assert.equal(file, `headlight-heatmap.${name.toLowerCase()}`);
    assert.ok(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).startsWith(start), name);
  }
  const [excelName, excel] = await save('Excel');
  assert.equal(excelName, 'headlight-heatmap.xlsx');
  const parts = Object.fromEntries(
    Object.entries(unzipSync(excel)).map(([part, bytes]) => [part, strFromU8(bytes)]),
  );
  const values = [...parts['xl/worksheets/sheet1.xml'].matchAll(/<c r="B(\d+)"[^>]*><v>([^<]+)<\/v>/g)];
  assert.deepEqual(
    values.slice(1).map(([, , value]) => Number(value)),
    data.rows.map((row) => row[1]),
  );
  assert.ok(parts['xl/styles.xml'].includes('FFC547'), 'the full light');
  for (const word of ['sentiment-en, int8', 'One fine text', data.caption])
    assert.ok(parts['xl/sharedStrings.xml'].includes(word), word);
});

test('a text too long is cut, and the cut is shown', async () => {
  await open();
  await ready();
  await write('word '.repeat(600));
  assert.equal(await text().locator('.cut').textContent(), 'word '.repeat(90).trim() + ' ');
  assert.match(await page.locator('.status').textContent(), /takes 512 tokens/);
  assert.match(await page.locator('.facts').textContent(), /512 tokens/);
});

test('hostile texts: markup, overrides, 10,000 characters, emoji, combining marks', async () => {
  await open('', { viewport: phone });
  await ready();
  for (const hostile of [
    '<img src=x onerror="document.title=\'hacked\'">',
    'a \u202egnitirw\u2066 b [SEP] [CLS]',
    `${'long'.repeat(2500)}`,
    '👩‍👩‍👧‍👦 fantastic 🏳️‍🌈',
    'Z\u0351\u036b\u0343a\u0363\u0348l\u0368\u0348g\u0366\u0327o\u0300',
  ]) {
    await write(hostile);
    const fold = text().locator('.more');
    if ((await fold.count()) > 0) await fold.click();
    assert.equal(await text().locator('p').textContent(), hostile);
    assert.ok(
      (await page.evaluate(() => document.documentElement.scrollWidth)) <= phone.width,
      hostile.slice(0, 20),
    );
  }
  assert.equal(await page.title(), 'Headlight');
});

test('markup in texts and labels is text in every view and every file', async () => {
  const markup = '<img src=x onerror="document.title=\'hacked\'">';
  await open('?mock=hostile');
  await ready();
  // In place of the browser's downloads, of which it allows but a few in a row.
  await page.evaluate(() => {
    const files = new Map();
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      const address = create(blob);
      files.set(address, blob);
      return address;
    };
    HTMLAnchorElement.prototype.click = function () {
      globalThis.saved = files.get(this.href);
    };
  });
  await write(`${markup} and some words`);
  const maps = {
    heatmap: 'headlight-heatmap',
    layers: 'headlight-heatmap',
    tokens: 'headlight-heatmap',
    links: 'headlight-links',
    neurons: 'headlight-heatmap',
    measures: 'headlight-heatmap',
    belief: 'headlight-curve',
  };
  const views = [['text', 'headlight-text'], ['heads', 'headlight-heads'], ...Object.entries(maps)];
  assert.deepEqual(
    (await page.evaluate(() => document.querySelectorAll('.below .tab').length)),
    Object.keys(maps).length,
    'every map is looked at',
  );
  for (const [view, tag] of views) {
    if (view in maps) {
      await page.evaluate((map) => document.querySelector('headlight-app').desk.set({ map }), view);
      await page.waitForSelector(`.below ${tag}`);
      await answered();
    }
    const images = await page.evaluate(() => {
      const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
      return roots.reduce((count, root) => count + root.querySelectorAll('img, script:not([type])').length, 0);
    });
    assert.equal(images, 1, `${view}: the page's own script alone`);
    const save = async (name) => {
      await page.evaluate(() => (globalThis.saved = null));
      await page.locator(view in maps ? `.below ${tag}` : tag).getByLabel('Save as').selectOption(name);
      await page.waitForFunction(() => globalThis.saved);
      const base64 = await page.evaluate(async () => {
        const reader = new FileReader();
        reader.readAsDataURL(globalThis.saved);
        await new Promise((resolve) => (reader.onload = resolve));
        return reader.result.split(',')[1];
      });
      return Buffer.from(base64, 'base64');
    };
    const svg = String(await save('SVG'));
    const html = String(await save('HTML'));
    for (const file of [svg, html]) {
      assert.ok(!/<(img|script)/.test(file), view);
      assert.ok(file.includes('&lt;img src=x onerror='), `${view} says which text it is of`);
    }
    assert.ok(JSON.parse(await save('JSON')).about.text.startsWith(markup), view);
    const sheet = Object.values(unzipSync(await save('Excel'))).map((bytes) => strFromU8(bytes)).join('');
    assert.ok(!sheet.includes('<img') && sheet.includes('&lt;img'), view);
    const csv = String(await save('CSV'));
    assert.ok(!csv.includes('<img src') || csv.includes('""'), view);
    assert.equal((await save('PNG')).subarray(1, 4).toString(), 'PNG');
  }
  assert.match(await page.locator('.verdict').textContent(), /<img src=x/);
  assert.equal(await page.title(), 'Headlight');
});

test('512 tokens have few nodes in every view', async () => {
  await open('#by=attention');
  await ready();
  await write('word '.repeat(4000));
  assert.match(await page.locator('.facts').textContent(), /512 tokens/);
  for (const map of ['heatmap', 'layers', 'tokens', 'links', 'neurons', 'measures']) {
    await page.evaluate((id) => document.querySelector('headlight-app').desk.set({ map: id }), map);
    await page.waitForFunction(
      () => document.querySelector('.below :is(headlight-heatmap, headlight-links)') && !document.querySelector('headlight-progress'),
    );
    const { nodes, options, pixels } = await page.evaluate(() => {
      const below = document.querySelector('.below');
      const roots = [below, ...[...below.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
      const canvases = [...document.querySelectorAll('headlight-heads, .below > * > headlight-heatmap')].flatMap(
        ({ shadowRoot }) => [...shadowRoot.querySelectorAll('canvas')],
      );
      return {
        nodes: roots.reduce((count, root) => count + root.querySelectorAll('*').length, 0),
        options: document.querySelectorAll('.controls option').length,
        pixels: canvases.reduce((count, { width, height }) => count + width * height, 0),
      };
    });
    // A name a row or column with its direction, and one pixel a cell.
    assert.ok(nodes < 2400, `${map}: ${nodes} nodes`);
    assert.ok(options < 560, `${map}: ${options} options`);
    assert.ok(pixels < 512 * 512 + 78 * 64 * 64, `${map}: ${pixels} pixels`);
  }
  assert.ok((await text().locator('p').innerText()).length < 4000);
});

test('the text stays in the tab unless it is shared, and is forgotten on demand', async () => {
  await open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await ready();
  await write('a private text');
  assert.ok(!decodeURIComponent(page.url()).includes('private'));
  await page.reload();
  assert.equal(await page.locator('#text').inputValue(), 'a private text');
  await page.getByRole('button', { name: 'Copy link with text' }).click();
  await page.waitForFunction(() => document.querySelector('[role=status]').textContent.includes('Copied'));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByLabel('Keep my text in this tab').uncheck();
  assert.equal(await page.evaluate(() => sessionStorage.getItem('headlight.text')), null);
  await page.reload();
  assert.equal(await page.locator('#text').inputValue(), 'The movie was absolutely fantastic!');
  await page.goto('about:blank');
  await page.goto(link);
  await readTo('a private text');
});

test('examples are one tap; Chinese has its language', async () => {
  await open('#demo=sentiment-zh');
  await ready();
  await page.getByRole('button', { name: '超级差评' }).click();
  await page.waitForFunction(() => document.querySelector('headlight-text').lang === 'zh-Hans');
  assert.match(await page.locator('.verdict').textContent(), /NEGATIVE/);
  assert.equal((await text().locator('p').textContent()).slice(4, 6), '\u00a0\u00a0');
});

test('a long text is folded where it was not read, and unfolds', async () => {
  await open();
  await ready();
  const long = 'word '.repeat(4000);
  await write(long);
  const cut = () => text().locator('.cut').textContent();
  assert.equal((await cut()).length, 500);
  await text().getByRole('button', { name: /^Show [\d,]+ more characters$/ }).click();
  assert.equal((await cut()).length, long.length - 510 * 5);
  assert.equal(await text().locator('p').textContent(), long);
});

test('the page speaks Chinese', async () => {
  await open('#by=attention');
  await ready();
  await page.getByRole('button', { name: '中文' }).click();
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-Hans');
  assert.match(await page.locator('.sentence').first().textContent(), /按.*\[CLS\].*第 5 层/s);
  assert.ok(new URL(page.url()).hash.includes('lang=zh'));
  assert.deepEqual(await axeFindings(page), []);
});

test('a folder of one’s own is loaded from its files', async () => {
  await open();
  await ready();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'own-model-'));
  try {
    fs.writeFileSync(path.join(folder, 'config.json'), '{}');
    fs.writeFileSync(path.join(folder, 'model.safetensors'), '');
    await chooseModel(page, folder);
    await page.waitForFunction(
      (name) => document.querySelector('.facts')?.textContent.includes(name),
      path.basename(folder),
    );
    await page.getByRole('link', { name: 'English film reviews' }).click();
    await page.waitForFunction(
      (name) => !document.querySelector('.facts')?.textContent.includes(name),
      path.basename(folder),
    );
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

test('at 200 % zoom nothing is lost', async () => {
  // 1280 pixels at 200 % are 640 CSS pixels.
  await open('', { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 });
  await ready();
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 640);
  for (const at of [
    '#text',
    '.verdict',
    '.facts',
    '.sentence',
    'headlight-text',
    'headlight-heads',
    'headlight-heatmap',
    'footer',
  ]) {
    const box = await page.locator(at).first().boundingBox();
    assert.ok(box && box.width > 0 && box.x >= 0 && box.x + box.width <= 640.5, at);
  }
});

test('at 200 % zoom every map scrolls within itself', async () => {
  await open('#by=attention', { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 });
  await ready();
  await write('word and another '.repeat(40));
  const maps = await page.locator('.below nav option').allTextContents();
  assert.equal(maps.length, 7);
  for (const name of maps) {
    await page.locator('.below nav select').selectOption({ label: name });
    await page.waitForFunction(() => document.querySelector('.below > section') && !document.querySelector('headlight-progress'));
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 640, name);
    assert.deepEqual(await axeFindings(page), [], name);
  }
});

for (const viewport of [
  { width: 740, height: 360 },
  { width: 640, height: 450 },
  { width: 360, height: 640 },
]) {
  test(`nothing covers what has the focus, ${viewport.width} × ${viewport.height}`, async () => {
    await open('', { viewport });
    await ready();
    await readTo('The movie was absolutely fantastic!');
    await answered();
    const focused = () =>
      page.evaluate(() => {
        let element = document.activeElement;
        if (element === document.body) return null;
        while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        // A hidden field shows the focus on its label.
        const control = element.closest('label') ?? element;
        const { x, y, width, height } = control.getBoundingClientRect();
        const middle = [x + width / 2, y + height / 2];
        let hit = document.elementFromPoint(...middle);
        for (let inner = hit; inner; ) {
          hit = inner;
          inner = hit.shadowRoot?.elementFromPoint(...middle);
          if (inner === hit) break;
        }
        const holds = (outer, inner) => {
          for (let at = inner; at; at = at.parentNode ?? at.host) if (at === outer) return true;
          return false;
        };
        const seen = holds(control, hit) || (hit?.matches('a, button, label, .menu') && holds(hit, control));
        return { name: element.getAttribute('aria-label') ?? element.textContent.trim(), seen };
      });
    for (const key of ['Tab', 'Shift+Tab']) {
      const reached = [];
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press(key);
        const at = await focused();
        if (!at) break;
        reached.push(at);
      }
      assert.ok(reached.length > 25, `${reached.length} controls`);
      assert.deepEqual(reached.filter(({ seen }) => !seen), [], key);
    }
  });
}

test('opened as a file it says what to do', async () => {
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(pathToFileURL(path.join(root, 'web/app/index.html')).href);
  assert.ok(await page.locator('#from-file').isVisible());
  assert.match(await page.locator('#from-file').textContent(), /python3 -m http\.server/);
});

test('the policy names the one inline script by its hash, and lets no other host in', () => {
  const html = fs.readFileSync(path.join(root, 'web/app/index.html'), 'utf8');
  const [, script] = /<script>(.*?)<\/script>/s.exec(html);
  const policy = /content="(default-src[^"]*)"/.exec(html)[1];
  assert.ok(policy.includes(`'sha256-${crypto.createHash('sha256').update(script).digest('base64')}'`));
  // A model may lie elsewhere; nothing but files of a model is asked for, and scripts come from here alone.
  const [models] = /connect-src [^;]*/.exec(policy);
  assert.equal(models, "connect-src 'self' https: http://localhost:* http://127.0.0.1:*");
  assert.ok(!/https?:|\*|unsafe-inline|'unsafe-eval'/.test(policy.replace(models, '')));
  assert.ok(!/(src|href)="(\/|https?:)/.test(html), 'relative URLs only');
});
