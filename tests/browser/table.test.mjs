// Tables on the built page, read by a tiny random model: rows, pages, filters, statistics, and files that are none.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import * as support from '../support/page.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

let server, browser, page, complaints, folder;

before(async () => {
  server = await support.serveApp();
  browser = await support.launch();
  ({ page, complaints } = await support.visit(browser, server, '', { acceptDownloads: true }));
  folder = temporaryFolder();
  await support.ready(page);
  await support.chooseModel(page, writeFolder(makeTinyModel({ layers: 1, hidden: 16, heads: 2 })));
  await page.waitForFunction(() => document.querySelector('.facts')?.textContent.includes('float32'));
});
after(async () => {
  await browser.close();
  await server.close();
});

const write = (name, content) => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
};
const openFile = async (name, content) => {
  const close = page.getByRole('button', { name: 'Close the table' });
  if (await close.isVisible()) await close.click();
  await page.locator('input[data-for=table]').setInputFiles(write(name, content));
};
const readAll = async () => {
  await page.getByRole('button', { name: 'Read all rows' }).click();
  await page.getByText(/All [\d,]+ rows are read/).waitFor({ timeout: 120_000 });
};
const showing = () => page.locator('.pager .number').textContent();
const shows = (wanted) => page.waitForFunction((text) => document.querySelector('.pager .number')?.textContent === text, wanted);
const column = (n) => page.locator(`.rows tbody td:nth-child(${n})`).allTextContents();
const choose = (label, option) => page.getByLabel(label, { exact: true }).selectOption(option);
const alert = () => page.getByRole('alert').textContent();

const words = ['the', 'movie', 'was', 'fantastic', 'absolutely', 'bad', 'good', 'a', 'film'];
const textOf = (i) => Array.from({ length: 5 }, (_, k) => words[(i * (k + 3) + k * k) % words.length]).join(' ');
const rows = Array.from({ length: 10_000 }, (_, i) => `${i},"${textOf(i)}, no. ${i}",${i % 3 ? 'positive' : 'negative'}`);

test('10,000 rows: one page of them in the document, all of them counted', async () => {
  await openFile('reviews.csv', `id,review,sentiment\n${rows.join('\n')}\n`);
  await page.locator('.rows').waitFor();
  assert.equal(await page.getByLabel('Column of texts').evaluate((menu) => menu.selectedOptions[0].textContent), 'review');
  assert.equal(
    await page.getByLabel('Column of right labels').evaluate((menu) => menu.selectedOptions[0].textContent),
    'sentiment',
  );
  await page.evaluate(() => {
    globalThis.most = { rows: 0, nodes: 0 };
    new MutationObserver(() => {
      most.rows = Math.max(most.rows, document.querySelectorAll('.rows tbody tr').length);
      most.nodes = Math.max(most.nodes, document.querySelectorAll('*').length);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await readAll();
  const most = await page.evaluate(() => globalThis.most);
  assert.equal(most.rows, 50);
  assert.ok(most.nodes < 1500, `${most.nodes} elements`);
  assert.equal(await showing(), '1–50 of 10,000');
  const counts = await page.locator('.table-summary .bars .number').allTextContents();
  assert.equal(counts.reduce((sum, n) => sum + Number(n.replaceAll(',', '')), 0), 10_000);
  const cells = (await page.locator('.confusion td span').allTextContents()).map((n) => Number(n.replaceAll(',', '')));
  assert.equal(cells[0] + cells[1], 3334);
  assert.equal(cells[2] + cells[3], 6666);
  const measures = await page.locator('.measures dd').allTextContents();
  assert.equal(measures[0], `${(((cells[0] + cells[3]) / 10_000) * 100).toFixed(1)}\u202f%`);
  const f1 = (right, wrong1, wrong2) => (2 * right) / (2 * right + wrong1 + wrong2);
  const macro = (f1(cells[0], cells[1], cells[2]) + f1(cells[3], cells[1], cells[2])) / 2;
  assert.equal(measures[1], macro.toFixed(3));
  assert.deepEqual(await support.axeFindings(page), []);
});

test('pages, filters and orders show what they say', async () => {
  await page.getByRole('button', { name: 'Next' }).click();
  await shows('51–100 of 10,000');
  assert.equal((await column(1))[0].trim(), '51');
  assert.match((await column(2))[0], /no\. 50/);
  await page.getByLabel('Wrong ones only').check();
  const wrong = 10_000 - (await page.locator('.confusion .right').allTextContents()).reduce((sum, n) => sum + Number(n.replaceAll(',', '')), 0);
  await shows(`1–50 of ${wrong.toLocaleString('en')}`);
  assert.equal(await page.locator('.rows .wrong').count(), 50);
  await page.getByLabel('Wrong ones only').uncheck();
  await choose('Order', 'least sure first');
  await page.waitForFunction(() => {
    const scores = [...document.querySelectorAll('.rows tbody td:nth-child(4)')].map((cell) => parseFloat(cell.textContent));
    return scores.length === 50 && scores.every((score, i) => i === 0 || score >= scores[i - 1]);
  });
  await page.getByLabel('Find in the texts').fill('no. 999');
  await shows('1–11 of 11');
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save these rows as CSV' }).click();
  const lines = fs.readFileSync(await (await waiting).path(), 'utf8').trimEnd().split('\r\n');
  assert.equal(lines.length, 12);
  assert.equal(lines[0], '\ufeffid,review,sentiment,predicted_label,predicted_score');
  assert.match(lines[1], /^999,".* no\. 999",negative,(NEGATIVE|POSITIVE),0\.\d+$/);
  await page.getByLabel('Find in the texts').fill('');
  await shows('1–50 of 10,000');
});

test('a row is looked at by itself, and the table is still there after it', async () => {
  const [first] = await column(2);
  await page.locator('.rows button').first().click();
  await support.readTo(page, first.trim());
  await page.getByRole('button', { name: 'Back to the table' }).click();
  await shows('1–50 of 10,000');
});

test('reading stops and goes on', async () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `${textOf(i)} ${'good film '.repeat(20)}`);
  await openFile('long.csv', `text\n${lines.join('\n')}`);
  const status = () => page.locator('.table-reading [role=status]').textContent();
  await page.getByRole('button', { name: 'Read all rows' }).click();
  // Within the page, at the first rows that it shows: they are read faster than a test clicks.
  await page.waitForFunction(() => {
    if (!/^[1-9]/.test(document.querySelector('.table-reading [role=status]').textContent)) return false;
    document.querySelector('.table-reading button').click();
    return true;
  });
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  const soFar = Number(/[\d,]+/.exec(await status())[0].replace(',', ''));
  assert.ok(soFar > 0 && soFar < 10_000, `${soFar}`);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('All 10,000 rows are read.').waitFor({ timeout: 120_000 });
});

test('another column and another header are read anew', async () => {
  await openFile('two.tsv', 'good film\tbad\nbad film\tgood\n');
  await page.getByLabel('The first row names the columns').uncheck();
  await page.waitForFunction(() => document.querySelectorAll('.rows tbody tr').length === 2);
  await choose('Column of texts', '2');
  assert.deepEqual((await column(2)).map((text) => text.trim()), ['bad', 'good']);
  await readAll();
  assert.equal(await showing(), '1–2 of 2');
});

test('a broken row is told by row, line and reason; the rows before it stay, in a short file and in a long one', async () => {
  for (const [name, count, content, reason] of [
    ['short.csv', 3, `text,label\n${'a good film,1\n'.repeat(3)}"never closed,0\nmore,1\n`, /quotation mark.*row 4, line 5.*Close it/s],
    ['broken.csv', 30_000, `text,label\n${'a good film,1\n'.repeat(30_000)}"never closed,0\nmore,1\n`, /quotation mark.*row 30,001, line 30,002.*Close it/s],
    ['one.jsonl', 1, '{"text": "a good film"}\n{"text": \n', /no JSON object.*row 2, line 2/s],
    ['bytes.jsonl', 2, Buffer.from('{"text": "a good film"}\n{"text": "good"}\n{"text": "\xe9"}\n', 'latin1'), /not in UTF-8.*row 3, line 3/s],
  ]) {
    await openFile(name, content);
    await page.locator('.rows').waitFor();
    // Of a short file it is told at once.
    if (count === 1) assert.match(await alert(), /no JSON object.*The row before it can be read.*row 2, line 2/s);
    await page.getByRole('button', { name: 'Read all rows' }).click();
    const status = count === 1 ? '1 row is read; the next one cannot be.' : `${count.toLocaleString('en')} rows are read; the next one cannot be.`;
    await page.getByText(status).waitFor({ timeout: 120_000 });
    assert.match(await alert(), reason, name);
    await shows(`1–${Math.min(50, count)} of ${count.toLocaleString('en')}`);
    assert.match((await column(3))[0], /NEGATIVE|POSITIVE/);
    assert.equal(await page.getByRole('button', { name: 'Go on' }).count(), 0, 'there is nothing to go on with');
    await page.getByLabel('Find in the texts').fill('good');
    await shows(`1–${Math.min(50, count)} of ${count.toLocaleString('en')}`);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save these rows as CSV' }).click();
    assert.equal(fs.readFileSync(await (await waiting).path(), 'utf8').trimEnd().split('\r\n').length, count + 1);
  }
  assert.deepEqual(await support.axeFindings(page), []);
});

test('what is no table says what it is and what to do; the page still works', async () => {
  for (const [name, content, expected] of [
    ['empty.csv', '', /file is empty.*one text a row/s],
    ['picture.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]), /no text file.*save the sheet as CSV/s],
    ['numbers.csv', 'a,b\n1,2\n3,4\n', /No column holds words/],
    ['list.jsonl', '[{"text": "a"}]', /one JSON list.*lines=True/s],
    ['gbk.csv', Buffer.from([0x74, 10, 0xba, 0xc3, 10]), /not in UTF-8.*line 2.*CSV UTF-8/s],
  ]) {
    await openFile(name, content);
    await page.getByRole('alert').waitFor();
    assert.match(await alert(), expected, name);
    assert.ok(await page.getByRole('button', { name: 'Read all rows' }).isDisabled(), name);
  }
  await page.getByRole('button', { name: 'Close the table' }).click();
  await support.write(page, 'the movie was good');
  assert.match(await page.locator('.verdict').textContent(), /POSITIVE|NEGATIVE/);
});

test('a row without text is told as not read, and marked as neither right nor wrong', async () => {
  await openFile('gaps.csv', 'text,label\na good film,positive\n"",positive\n" ",negative\na bad film,negative\n');
  await readAll();
  assert.match(await page.locator('headlight-table').textContent(), /2 rows have no text; they were not read\./);
  assert.equal((await page.locator('.measures dd').allTextContents())[2], '2');
  const marked = await page.locator('.rows tbody tr').evaluateAll((all) => all.map((row) => row.textContent.includes('×')));
  assert.deepEqual(marked.slice(1, 3), [false, false]);
  await page.getByLabel('Wrong ones only').check();
  const wrong = marked.filter(Boolean).length;
  await shows(`${Math.min(1, wrong)}–${wrong} of ${wrong}`);
  await page.getByRole('button', { name: 'Close the table' }).click();
});

test('a table of entities, on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await support.chooseModel(page, path.join(import.meta.dirname, '../data/golden/xlmroberta-tokcls'));
  await page.waitForFunction(() => document.querySelector('.facts')?.textContent.includes('xlmroberta-tokcls'));
  await openFile('notes.jsonl', '{"text": "Ada met Bob in Paris."}\n{"text": "Nothing."}\n');
  await readAll();
  assert.equal(await page.locator('.rows tbody tr').count(), 2);
  assert.ok((await page.locator('.rows mark').count()) > 0);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.deepEqual(await support.axeFindings(page), []);
});

test('the page complained of nothing', () => assert.deepEqual(complaints, []));
