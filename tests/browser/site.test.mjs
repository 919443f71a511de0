// Sites that `headlight site` wrote: at any path of a plain server, and as one file from the file system.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serve } from '../../scripts/serve.mjs';
import { library } from '../support/built.mjs';
import { succeed } from '../support/command.mjs';
import { committedGolden } from '../support/golden.mjs';
import * as support from '../support/page.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const place = temporaryFolder();
const model = writeFolder(makeTinyModel());
const text = 'the movie was good';
const hostile = '</script><img src=x onerror="document.title=1"> <b>&amp;';
let browser, server, expected;

before(async () => {
  browser = await support.launch();
  [expected] = await (await library.load(model)).classify(text);
  server = await serve({ root: place });
});
after(async () => {
  await browser.close();
  await server.close();
});

const make = (source, output, ...options) => succeed(['site', '--model', source, '-o', path.join(place, output), ...options]);

/** The page has read what it shows. */
const read = (page) =>
  page.waitForFunction(() => document.querySelector('headlight-text')?.tokens.length > 0 && !document.querySelector('.stale'), null, { timeout: 60_000 });

/** Label and score of the page's reading. */
const best = (page) => page.evaluate(() => document.querySelector('headlight-app').desk.reading.answer.labels[0]);

function checkBest({ label, score }) {
  assert.equal(label, expected.label);
  // Page and Node may run different builds, whose float32 results differ by rounding.
  assert.ok(Math.abs(score - expected.score) < 1e-5, `${score}, not ${expected.score}`);
}

test('a site below any path asks for its own files alone, and for none in vain', async () => {
  await make(model, 'some/deep path/site', '--title', hostile, '--example', text, '--example', hostile);
  const asked = [];
  const context = await browser.newContext({ locale: 'en' });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  context.on('response', (response) => asked.push([response.url(), response.status()]));
  await page.goto(`${server.url}some/deep%20path/site/`);
  await read(page);
  checkBest(await best(page));
  const below = `${server.url}some/deep%20path/site/`;
  assert.deepEqual(asked.filter(([url, status]) => !url.startsWith(below) || status >= 400), []);
  assert.ok(asked.some(([url]) => url.endsWith('/model.safetensors')));
  assert.deepEqual(complaints, []);

  assert.equal(await page.title(), hostile);
  assert.equal(await page.locator('h1').textContent(), hostile);
  assert.equal(await page.locator('.switch-model').count(), 0);
  assert.equal(await page.locator('img, b').count(), 0);
  const examples = page.locator('.examples button, .box + p button');
  assert.ok((await examples.allTextContents()).some((name) => name.trim() === hostile), (await page.locator('button').allTextContents()).join('|'));
  assert.deepEqual(await support.axeFindings(page), []);
  await context.close();
});

test('a site ignores the address of another model', async () => {
  const { page, context, complaints } = await support.visit(browser, server, 'some/deep path/site/?model=https://example.org/x');
  await read(page);
  checkBest(await best(page));
  assert.deepEqual(complaints, []);
  await context.close();
});

for (const [name, labels] of [
  ['xlmroberta-tokcls', ['Your text']],
  ['roberta-qa', ['Question', 'Text that may hold the answer']],
  ['bert-mlm', ['Your text']],
  ['roberta-nli', ['Your text', 'Second text (optional)']],
  ['bert-nsp', null],
  ['electra-discriminator', null],
]) {
  test(`a site of ${name} has the view of its task from the start`, async () => {
    await make(path.join(committedGolden, name), name);
    const { page, context, complaints } = await support.visit(browser, server, `${name}/`);
    await page.waitForSelector('.box label');
    const ofBox = () => page.locator('.box label').evaluateAll((all) => all.map((label) => label.textContent.trim().replace(/\s+/g, ' ')));
    const first = await ofBox();
    await read(page);
    const shown = await ofBox();
    if (labels) assert.deepEqual(shown, labels);
    assert.equal(first[0], shown[0]);
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

/** Opens a file, without a network where nothing else is said; gives the page and the addresses that it asked for. */
async function openFile(file, { script, offline = true } = {}) {
  const context = await browser.newContext({ offline, locale: 'en', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const asked = [];
  const complaints = [];
  context.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  if (script) await page.addInitScript(script);
  await page.goto(pathToFileURL(file).href);
  await read(page);
  return { context, page, asked, complaints };
}

test('one file opens from the file system without a network, and asks for nothing but itself', async () => {
  await make(model, 'one.html', '--single-file', '--title', hostile, '--example', text);
  const file = path.join(place, 'one.html');
  const { context, page, asked, complaints } = await openFile(file);
  checkBest(await best(page));
  assert.match(await page.locator('.facts').getAttribute('title'), /^relaxed SIMD; in a worker; one thread/);
  assert.deepEqual(asked.filter((url) => !url.startsWith('blob:')), [pathToFileURL(file).href]);
  assert.equal(await page.locator('h1').textContent(), hostile);
  assert.equal(await page.locator('img').count(), 0);

  await support.write(page, 'a bad film');
  const [label] = await (await library.load(model)).classify('a bad film');
  assert.equal((await best(page)).label, label.label);
  // What the page loads late is in it, too.
  await page.locator('input[type=file]:not([data-for=model])').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('text\na good film\nbad\n') });
  await page.waitForSelector('headlight-table table');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('one file without workers steps on the thread of the page', async () => {
  const file = path.join(place, 'one.html');
  const script = () => {
    globalThis.Worker = class {
      constructor() {
        throw new DOMException('refused', 'SecurityError');
      }
    };
  };
  const { context, page, complaints } = await openFile(file, { script });
  checkBest(await best(page));
  assert.match(await page.locator('.facts').getAttribute('title'), /; on the calling thread;/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('the policy of one file lets nothing out', async () => {
  const { context, page } = await openFile(path.join(place, 'one.html'), { offline: false });
  const outcome = await page.evaluate(async (url) => {
    const fetched = await fetch(url, { mode: 'no-cors' }).then(() => 'fetched', () => 'refused');
    const image = await new Promise((resolve) => {
      const element = new Image();
      element.onload = () => resolve('loaded');
      element.onerror = () => resolve('refused');
      element.src = `${url}icon.svg`;
    });
    return { fetched, image };
  }, server.url);
  assert.deepEqual(outcome, { fetched: 'refused', image: 'refused' });
  await context.close();
});

test('the demo model as one file: a verdict, from a file of less than 30 MB', async () => {
  await make(path.join(support.builtApp, 'models/sentiment-en'), 'film.html', '--single-file');
  const file = path.join(place, 'film.html');
  assert.ok(fs.statSync(file).size < 30e6);
  const { context, page, complaints } = await openFile(file);
  assert.match(await page.locator('.verdict').textContent(), /POSITIVE\s+(>99\.9|99\.[5-9])/);
  assert.deepEqual(complaints, []);
  await context.close();
});
