// The page as it is built, with its model: real numbers, nothing from elsewhere.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { library } from '../support/built.mjs';
import * as support from '../support/page.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const movie = 'The movie was absolutely fantastic!';
const { text: review } = JSON.parse(
  fs.readFileSync(path.join(root, 'tests/data/articles/review-rows.json'), 'utf8'),
);

let server, browser, context, page, complaints;
const requests = [];

before(async () => {
  server = await support.serveApp();
  browser = await support.launch();
  ({ context, page, complaints } = await support.visit(browser, server, '', { acceptDownloads: true }));
  context.on('request', (request) => requests.push(request.url()));
  await support.ready(page);
  await support.readTo(page, movie);
});
after(async () => {
  await browser.close();
  await server.close();
});

function withResolvers() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

const verdict = () => page.locator('.verdict').textContent();
const shown = () =>
  page.evaluate(() => {
    const tokens = [...document.querySelector('headlight-text').shadowRoot.querySelectorAll('.token')];
    return tokens.map((token) => ({
      text: token.textContent,
      strength: Number(token.style.getPropertyValue('--w')),
    }));
  });

test('the movie is POSITIVE, and each token is lit', async () => {
  assert.match(await verdict(), /POSITIVE\s+(>99\.9|99\.[5-9])\u202f%/);
  const tokens = await shown();
  assert.deepEqual(
    tokens.map(({ text }) => text),
    ['The', 'movie', 'was', 'absolutely', 'fantastic', '!'],
  );
  const strengths = tokens.map(({ strength }) => strength);
  assert.equal(strengths.indexOf(1), 4, 'without “fantastic” POSITIVE falls most');
  assert.match(
    await page.locator('.facts').textContent(),
    /8 tokens · \d+ ms · 1 thread · relaxed · (int8|float32) · \d+\.\d\u202fMB loaded/,
  );
});

test('the stored first run is what the model gives', async () => {
  const source = fs.readFileSync(path.join(root, 'web/app/first-light-run.ts'), 'utf8');
  const run = JSON.parse(/export const run = (.*);\n/.exec(source)[1]);
  const bytes = Buffer.from(run.weights, 'base64');
  const stored = Float32Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16LE(i * 2) / 65535);
  const distances = (weights) => {
    assert.equal(weights.length, stored.length);
    return stored.map((weight, i) => Math.abs(weights[i] - weight));
  };

  // By the build that stored it, to the 16 bits that are kept.
  const model = await library.load(path.join(root, 'models/sentiment-en'), { build: 'simd128' });
  const { weights, labels } = await model.attention(run.text, { query: 'all', specialTokens: true });
  const { scores, target } = await model.explain(run.text, { method: 'occlusion', words: true });
  model.dispose();
  assert.equal(run.occlusion.label, target.label);
  assert.equal(run.occlusion.scores.length, run.words.length);
  scores.data.forEach((score, i) => assert.ok(Math.abs(score - run.occlusion.scores[i]) < 1e-3, `word ${i}`));
  assert.ok(Math.max(...distances(weights.data)) < 1e-3);
  assert.equal(run.labels[0].label, labels[0].label);
  assert.ok(Math.abs(run.labels[0].score - labels[0].score) < 1e-3);

  // By the page's, which has 7 bits for an activation (docs/kernels.md).
  const shownRun = await page.evaluate(() => {
    const { maps, answer } = document.querySelector('headlight-app').desk.reading;
    return { weights: [...maps.data], labels: answer.labels };
  });
  const byPage = distances(shownRun.weights);
  assert.ok(byPage.reduce((sum, distance) => sum + distance) / byPage.length < 0.01);
  assert.ok(Math.max(...byPage) < 0.15);
  assert.equal(run.labels[0].label, shownRun.labels[0].label);
  assert.ok(Math.abs(run.labels[0].score - shownRun.labels[0].score) < 1e-3);
});

test("the review's CSV is the scaling of the model's own attention", async () => {
  await page.getByRole('link', { name: 'Chinese shop reviews' }).click();
  await support.readTo(page, review);
  assert.match(await verdict(), /NEGATIVE/);
  const waiting = page.waitForEvent('download');
  await page.locator('headlight-heatmap').getByLabel('Save as').selectOption('CSV');
  const csv = fs.readFileSync(await (await waiting).path(), 'utf8').replace(/^\ufeff/, '');
  const lines = csv.trimEnd().split('\r\n').slice(1);
  const { rows, keys } = await page.evaluate(() => {
    const { maps, attention } = document.querySelector('headlight-app').desk.reading;
    const start = (head) => ((maps.layers - 2) * maps.heads + head) * maps.size * maps.size;
    return {
      rows: Array.from({ length: maps.heads }, (_, head) => [
        ...maps.data.subarray(start(head), start(head) + maps.size),
      ]),
      keys: attention.tokens.flatMap(({ sequenceId }, i) => (sequenceId === null ? [] : [i])),
    };
  });
  assert.equal(lines.length, 12);
  assert.equal(keys.length, 69);
  for (const [column, key] of keys.entries()) {
    const weights = rows.map((row) => row[key]);
    const low = Math.min(...weights);
    const range = Math.max(...weights) - low;
    weights.forEach((weight, head) => {
      const cell = Number(lines[head].split(',')[column + 1]);
      assert.ok(Math.abs(cell - (weight - low) / range) < 1e-6, `head ${head + 1}, token ${column}`);
    });
  }
});

test('a bad film is NEGATIVE, and the page says so as one types', async () => {
  await page.getByRole('link', { name: 'English film reviews' }).click();
  await support.readTo(page, movie);
  await page.fill('#text', '');
  await page.locator('#text').pressSequentially('A dull, lifeless film.', { delay: 15 });
  await support.readTo(page, 'A dull, lifeless film.');
  assert.match(await verdict(), /NEGATIVE/);
});

test('queries, keys and belief are computed by the model when they are looked at', async () => {
  await support.write(page, movie);
  const tab = (name) => page.locator('.below nav').getByRole('button', { name });
  await tab('Queries and keys').click();
  const sums = await page
    .waitForFunction(() => {
      const { values = [], columns = [] } = document.querySelector('.map headlight-heatmap') ?? {};
      if (columns.length !== 32 || values.length !== 8 * 32) return null;
      return Array.from({ length: 8 }, (_, row) => values.slice(row * 32, (row + 1) * 32).reduce((sum, value) => sum + value, 0));
    })
    .then((handle) => handle.jsonValue());
  // The softmax of the sums is the attention that [CLS] pays in layer 5, head 1.
  const { attentions } = await (async () => {
    const model = await library.load(path.join(root, 'models/sentiment-en'));
    const result = await model.forward(movie, { attentions: true, layers: [4], heads: [0] });
    model.dispose();
    return result;
  })();
  const powers = sums.map(Math.exp);
  const total = powers.reduce((sum, value) => sum + value, 0);
  powers.forEach((power, i) => assert.ok(Math.abs(power / total - attentions[0].data[i]) < 0.02, `token ${i}`));
  await tab('Can it be believed?').click();
  await page.waitForSelector('headlight-curve');
  const { target, points } = await page.evaluate(() => {
    const { caption, curve, chance } = document.querySelector('headlight-curve');
    return { target: caption.split(' ')[0], points: [curve, chance].map((one) => one.map(({ probability }) => probability)) };
  });
  assert.equal(target, 'POSITIVE');
  for (const list of points) {
    assert.equal(list.length, 11);
    assert.ok(list[0] > 0.99 && list.at(-1) < list[0]);
  }
  await tab('Heads × words').click();
});

test('a row of queries and keys is a token: the word that it is part of looks, whatever pieces come before', async () => {
  const { page, context } = await support.visit(browser, server, '#map=neurons');
  await support.ready(page);
  await support.write(page, 'An unbelievably antediluvian film');
  for (const shown of ['Query times key', 'Query and keys']) {
    await page.getByLabel('Shown', { exact: true }).selectOption(shown);
    await page.waitForFunction(() => document.querySelector('.map headlight-heatmap')?.rows.some((name) => name.startsWith('film')));
    await page.locator('.map headlight-heatmap [role=gridcell]').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => {
      const { tokens, query } = document.querySelector('headlight-text');
      return tokens[query]?.text === 'film';
    });
    await page.getByLabel('Token that looks').selectOption({ index: 0 });
  }
  await context.close();
});

test('512 tokens are read and lit, the rest is cut', async () => {
  await support.write(page, 'The keeper waits, and the lamp turns over an empty sea. '.repeat(60));
  assert.match(await page.locator('.facts').textContent(), /512 tokens/);
  assert.ok((await page.locator('headlight-text .cut').textContent()).length > 100);
});

test('diseases are marked as PyTorch finds them, and Enter lights the text by one', async () => {
  const patient = 'The patient suffers from severe headaches and occasional nausea.';
  const loaded = requests.filter((url) => url.includes('/models/entities-medical/'));
  assert.deepEqual(loaded, [], 'a model is loaded when it is chosen');
  await page.getByRole('link', { name: 'Diseases in clinical text' }).click();
  await support.readTo(page, patient);
  assert.deepEqual(await page.locator('.entity .span').allTextContents(), ['headaches', 'nausea']);
  assert.deepEqual(await page.locator('.entity rt').allTextContents(), ['Disease', 'Disease']);
  assert.deepEqual(
    await page.evaluate(() => document.querySelector('headlight-app').desk.reading.answer.entities.map(({ start, end }) => [start, end])),
    [[32, 41], [57, 63]],
  );
  assert.equal(await page.locator('headlight-text [aria-selected=true]').textContent(), 'headaches');
  await page.getByRole('button', { name: /^nausea/ }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('headlight-text [aria-selected=true]').textContent(), 'nausea');
  assert.match(await page.locator('headlight-text [part=caption]').textContent(), /^what nausea pays/);
  await page.locator('.listed summary').click();
  assert.match(await page.locator('.listed tbody').textContent(), /headaches\s*Disease\s*9\d\.\d/);
  assert.deepEqual(await support.axeFindings(page), []);
});

test('where nothing measures whether a method can be believed, the page sends nobody to look', async () => {
  const { page, context } = await support.visit(browser, server, '#demo=entities-medical&by=norms');
  try {
    await support.ready(page);
    const caution = () => page.locator('.controls .hint').textContent();
    await page.waitForFunction(() => document.querySelector('headlight-text')?.caption.startsWith('norms'));
    assert.match(await caution(), /A method is not the truth\.\s*$/);
    assert.equal(await page.getByRole('button', { name: 'Can it be believed?' }).count(), 0);
  } finally {
    await context.close();
  }
});

test('blanks have candidates; choosing one puts it in the text; the blank looks', async () => {
  await page.getByRole('link', { name: 'Chinese fill-in-the-blank' }).click();
  await support.readTo(page, '味道很[MASK]，下次还会来。');
  assert.equal(await page.locator('.blank').textContent(), '好');
  assert.equal(await page.locator('headlight-text [aria-selected=true]').textContent(), '[MASK]');
  await page.getByRole('button', { name: '房间很＿净' }).click();
  await support.readTo(page, '房间很[MASK]净，服务也很[MASK]。');
  assert.equal(await page.locator('.blanks section').count(), 2);
  await page.getByRole('button', { name: 'let it look' }).last().click();
  const look = () => page.evaluate(() => document.querySelector('headlight-text').query);
  assert.equal(await look(), 11);
  assert.deepEqual(await support.axeFindings(page), []);
  await page.locator('.blanks section').first().getByRole('button', { name: '干' }).click();
  await support.readTo(page, '房间很干净，服务也很[MASK]。');
  assert.equal(await page.locator('.blanks section').count(), 1);
});

test('a text without a blank is told how to get one, and a button puts one in', async () => {
  await support.write(page, '今天天气很好。');
  const verdict = page.locator('.verdict');
  assert.match(await verdict.textContent(), /There is no blank in this text\. Write \[MASK\] where a word is missing/);
  assert.equal(await page.locator('.blanks section').count(), 0);
  assert.doesNotMatch(await page.locator('.controls').textContent(), /The blank looks/);
  assert.deepEqual(await support.axeFindings(page), []);
  await verdict.getByRole('button', { name: 'Put one at the end' }).click();
  await support.readTo(page, '今天天气很好[MASK]。');
  assert.equal(await page.locator('.blanks section').count(), 1);
  assert.match(await page.locator('.controls').textContent(), /The blank looks/);
  for (const [typed, expected] of [
    ['I like it', 'I like it [MASK]'],
    ['Really?! ', 'Really [MASK]?! '],
    ['…', '[MASK]…'],
  ]) {
    await support.write(page, typed);
    await verdict.getByRole('button', { name: 'Put one at the end' }).click();
    await support.readTo(page, expected);
  }
  await page.fill('#text', '好[mask]。');
  await support.readTo(page, '好[MASK]。');
  assert.equal(await page.locator('.blanks section').count(), 1, 'small letters are understood');
  await support.write(page, `${'好'.repeat(600)}[MASK]`);
  assert.match(await verdict.textContent(), /The blank stands where the text was not read/);
});

test('a demo has its link; going back brings the one before and its text', async () => {
  await page.getByRole('link', { name: 'English film reviews' }).click();
  await support.write(page, 'A dull, lifeless film.');
  await page.getByRole('link', { name: 'Chinese shop reviews' }).click();
  await support.readTo(page, review);
  assert.equal(new URL(page.url()).hash, '#demo=sentiment-zh');
  await page.goBack();
  await support.readTo(page, 'A dull, lifeless film.');
  assert.equal(await page.locator('.switch-model [aria-current]').textContent(), 'English film reviews');
  const other = await context.newPage();
  await other.goto(`${server.url}#demo=fill-mask-zh&text=${encodeURIComponent('房间很[MASK]净')}`);
  await other.locator('.blank').waitFor();
  await support.readTo(other, '房间很[MASK]净');
  await other.close();
});

test('a folder of one’s own runs from its files', async () => {
  await support.chooseModel(page, path.join(support.builtApp, 'models/sentiment-en'));
  await page.waitForFunction(() => document.querySelector('.facts')?.textContent.includes('sentiment-en'));
  await support.write(page, movie);
  await page.locator('.verdict strong').waitFor();
  assert.match(await verdict(), /POSITIVE/);
});

test('a folder that does not load leaves no verdict of the model before', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'headlight-'));
  fs.writeFileSync(path.join(folder, 'config.json'), '{"model_type": "bert"}');
  await support.chooseModel(page, folder);
  await page.locator('.failure').waitFor();
  assert.match(await page.locator('.failure').textContent(), /no model\.safetensors/);
  assert.equal(await page.locator('.verdict strong').count(), 0);
});

for (const width of [1280, 390]) {
  test(`nothing jumps when a demo's model is here, ${width} pixels`, async () => {
    for (const demo of ['entities-medical', 'fill-mask-zh', 'sentiment-zh']) {
      const { context: own, page: other } = await support.visit(browser, { url: 'about:blank' }, '', {
        viewport: { width, height: 900 },
      });
      const waiting = withResolvers();
      await other.route(/\.safetensors$/, async (route) => {
        await waiting.promise;
        await route.continue();
      });
      await other.goto(`${server.url}#demo=${demo}`);
      await other.waitForSelector('.loading');
      await other.waitForFunction(() => document.querySelector('headlight-text')?.text);
      const places = () =>
        other.evaluate(() =>
          ['#text', '.verdict', '.status', '.lit', '.heads'].map((at) =>
            Math.round(document.querySelector(at).getBoundingClientRect().top + scrollY),
          ),
        );
      const before = await places();
      waiting.resolve();
      await other.waitForFunction(() => document.querySelector('headlight-text').tokens.length > 0);
      assert.deepEqual(await places(), before, demo);
      await own.close();
    }
  });
}

test('the model is kept: a page opened again downloads no weights, says what is stored, and clears it', async () => {
  const again = await context.newPage();
  const weights = [];
  const listen = (request) => /safetensors|tokenizer\.json$/.test(request.url()) && weights.push(request.url());
  again.on('request', listen);
  await again.goto(server.url);
  await support.ready(again);
  const stored = again.locator('.stored');
  await stored.waitFor();
  assert.match(await stored.textContent(), /\d+\.\d\sMB of models are kept on this device/);
  assert.deepEqual(weights, []);
  await stored.getByRole('button').click();
  await stored.waitFor({ state: 'detached' });
  await again.reload();
  await support.ready(again);
  assert.equal(weights.length, 2);
  await again.close();
});

test('a broken connection is told while the download waits to go on', async () => {
  const other = await browser.newContext();
  const tab = await other.newPage();
  let refused = 0;
  await tab.route('**/model.int8.safetensors', (route) => (refused++ < 2 ? route.abort('connectionreset') : route.continue()));
  await tab.goto(server.url);
  await tab.waitForFunction(() => /The connection broke;.*attempt 1 of 4/.test(document.querySelector('main')?.textContent));
  await support.ready(tab);
  assert.equal(refused, 3);
  await other.close();
});

test('everything came from the page’s own origin, and the page complained of nothing', () => {
  assert.ok(requests.length > 0);
  for (const url of requests) assert.ok(url.startsWith(server.url) || /^(blob|data):/.test(url), url);
  assert.deepEqual(complaints, []);
});
