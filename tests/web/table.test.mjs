// Tables of the page: reading in slices, columns, what is kept, statistics.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../support/built.mjs';

const modules = process.env.HEADLIGHT_MODULES ?? path.join(root, 'build/web');
const part = (name) => import(pathToFileURL(path.join(modules, 'app/table', `${name}.js`)));
const { openTable, readRows, rowAt, tableStart, SLICE, LONGEST_ROW } = await part('reader');
const { textColumn, labelColumn, labelIndex } = await part('columns');
const { metricsOf } = await part('metrics');
const { Results } = await part('results');
const { TableRun } = await part('run');
const { spansRow } = await part('task');

const fileOf = (name, ...parts) => new File(parts, name);
const forever = new AbortController().signal;

async function allRows(table) {
  const rows = [];
  for await (const some of readRows(table, tableStart(), forever)) rows.push(...some);
  return rows;
}

const problem = (name, line = null) => (error) => {
  assert.equal(error.name, 'TableError');
  assert.deepEqual([error.problem, error.line], [name, line]);
  return true;
};

test('quotes, line ends within cells, CR LF, the mark of UTF-8', async () => {
  const table = await openTable(
    fileOf('a.csv', '\ufeff"text",label\r\n"two\r\nlines, and a ""quote""",POSITIVE\r\n\r\n很好 😀,NEGATIVE\r\nlast,'),
  );
  assert.deepEqual(table.columns, ['text', 'label']);
  const rows = await allRows(table);
  assert.deepEqual(
    rows.map(({ cells, line }) => [line, ...cells]),
    [
      [2, 'two\r\nlines, and a "quote"', 'POSITIVE'],
      [5, '很好 😀', 'NEGATIVE'],
      [6, 'last', ''],
    ],
  );
  for (const { start, end, cells } of rows) assert.deepEqual(await rowAt(table, start, end), cells);
});

test('delimiters, headers and plain lines are told apart', async () => {
  const columnsOf = async (name, text) => (await openTable(fileOf(name, text))).columns;
  assert.deepEqual(await columnsOf('a.tsv', 'text\tlabel\na, b\t1\n'), ['text', 'label']);
  assert.deepEqual(await columnsOf('a.csv', 'text;label\n"a; b";1\n'), ['text', 'label']);
  assert.deepEqual(await columnsOf('a.csv', 'review\na, with a comma\nb, c, d\n'), ['review']);
  assert.deepEqual(await columnsOf('a.csv', '1,good film\n2,bad film\n'), ['1', '2']);
  assert.deepEqual(await columnsOf('a.txt', 'A "quote, open\nthe next\n'), ['1']);
  assert.deepEqual(await columnsOf('a.jsonl', '{"id": 1, "text": "a"}\n{"text": "b", "x": [1]}\n'), ['id', 'text', 'x']);
  const forced = await openTable(fileOf('a.csv', 'good,film\nbad,film\n'), false);
  assert.deepEqual([forced.columns, (await allRows(forced)).length], [['1', '2'], 2]);
});

test('JSON lines: any order of keys, blank lines, values that are no strings', async () => {
  const table = await openTable(fileOf('a.jsonl', '{"text": "a\\n😀", "n": 1}\n\n{"n": null, "text": "b"}'));
  const rows = await allRows(table);
  assert.deepEqual(rows.map(({ line, cells }) => [line, ...cells]), [
    [1, 'a\n😀', '1'],
    [3, 'b', ''],
  ]);
  assert.deepEqual(await rowAt(table, rows[1].start, rows[1].end), ['b', '']);
});

test('a file of many slices is read in slices, whatever lies on their edges', async () => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `${i},"第 ${i} 行, ""引""\n😀 ${'x'.repeat(i % 37)}",${i % 2}`);
  const file = fileOf('a.csv', `id,text,label\n${lines.join('\n')}\n`);
  assert.ok(file.size > 4 * SLICE);
  const table = await openTable(file);
  const asked = [];
  const watched = { ...table, file: { size: file.size, slice: (start, end) => (asked.push(end - start), file.slice(start, end)) } };
  const rows = await allRows(watched);
  assert.equal(rows.length, 30_000);
  assert.ok(Math.max(...asked) <= SLICE);
  assert.deepEqual(rows.map(({ cells }) => cells[0]), lines.map((_, i) => String(i)));
  for (const i of [0, 1, 12_345, 29_999]) {
    assert.equal(rows[i].line, 2 + 2 * i);
    assert.deepEqual(await rowAt(table, rows[i].start, rows[i].end), [
      String(i),
      `第 ${i} 行, "引"\n😀 ${'x'.repeat(i % 37)}`,
      String(i % 2),
    ]);
  }
});

test('what is no table is refused by what is wrong, and the line', async () => {
  const refused = (name, parts, ...expected) =>
    assert.rejects(openTable(fileOf(name, ...parts)), problem(...expected), name);
  await refused('empty.csv', [''], 'empty');
  await refused('blank.csv', [' \n\n'], 'empty');
  await refused('a.xlsx', [new Uint8Array([0x50, 0x4b, 3, 4, 20, 0])], 'binary');
  await refused('a.png', [new Uint8Array([0x89, 0x50, 0, 1])], 'binary');
  await refused('utf16.csv', [new Uint8Array([0xff, 0xfe, 0x61, 0])], 'encoding');
  await refused('gbk.csv', ['text\n', new Uint8Array([0xba, 0xc3, 10])], 'encoding', 2);
  await refused('a.json', ['[{"text": "a"}]'], 'jsonArray');
  await refused('a.jsonl', ['{"text": \n{"text": "a"}\n'], 'json', 1);
  await refused('quote2.csv', ['text,label\n"closed "too early" here",1\n'], 'quotes', 2);
});

test('all rows before a broken one are read, wherever it stands; row, line and reason are told', async () => {
  const broken = new Uint8Array([0xff, 0x2c, 0x31, 10]);
  const csv = (i) => `"a row, number ${i} \ufffd 好",1\n`;
  const json = (i) => `{"text": "row ${i} 好"}\n`;
  const cases = [
    ['quotes.csv', 'text,label\n', csv, ['"open,1\n', 'more,1\n'], 'quotes'],
    ['encoding.csv', 'text,label\n', csv, [broken, csv(0)], 'encoding'],
    ['no-header.csv', '', csv, [broken], 'encoding'],
    ['cut.csv', 'text,label\n', csv, ['end', new Uint8Array([0xe5, 0xa5])], 'encoding'],
    ['json.jsonl', '', json, ['{"text": \n', json(0)], 'json'],
    ['encoding.jsonl', '\ufeff', json, ['{"text": "', broken, '"}\n'], 'encoding'],
  ];
  for (const [name, header, row, after, expected] of cases) {
    for (const count of [1, 5, 30_000]) {
      const table = await openTable(fileOf(name, header, Array.from({ length: count }, (_, i) => row(i)).join(''), ...after));
      const line = count + 1 + (header.endsWith('\n') ? 1 : 0);
      assert.equal(table.sample.length, Math.min(200, count), name);
      const known = table.problem && [table.problem.problem, table.problem.row, table.problem.line];
      assert.deepEqual(known, count === 30_000 ? null : [expected, count + 1, line], name);
      const rows = [];
      const reading = async () => {
        for await (const some of readRows(table, tableStart(), forever)) rows.push(...some);
      };
      await assert.rejects(reading, { problem: expected, row: count + 1, line }, `${name}, ${count} rows`);
      assert.equal(rows.length, count, name);
      for (const at of [0, count - 1]) {
        assert.match(rows[at].cells[0], new RegExp(`row,?( number)? ${at} .*好$`), name);
        assert.deepEqual(await rowAt(table, rows[at].start, rows[at].end), rows[at].cells, name);
      }
    }
  }
});

test('a row that never ends keeps the rows before it', async () => {
  const good = Array.from({ length: 20_000 }, (_, i) => `a plain row number ${i},1\n`).join('');
  const table = await openTable(fileOf('a.csv', 'text,label\n', good, '"', 'x, '.repeat(LONGEST_ROW)));
  let rows = 0;
  const reading = async () => {
    for await (const some of readRows(table, tableStart(), forever)) rows += some.length;
  };
  await assert.rejects(reading, { problem: 'rowTooLong', row: 20_001, line: 20_002 });
  assert.equal(rows, 20_000);
});

test('columns are guessed by name, by length, by the model’s labels', () => {
  const labels = ['NEGATIVE', 'POSITIVE'];
  const rows = [
    ['1', 'u17', 'a long text about a film', 'positive'],
    ['2', 'u9', 'another text', 'Negative'],
  ];
  assert.equal(textColumn(['id', 'user', 'words', 'y'], rows), 2);
  assert.equal(textColumn(['id', 'text', 'words', 'y'], rows), 1);
  assert.equal(textColumn(['a', 'b'], [['1', '2.5'], ['3', '4,0']]), null);
  assert.equal(labelColumn(['id', 'user', 'words', 'y'], rows, labels, 2), 3);
  assert.equal(labelColumn(['id', 'n'], [['a', '1'], ['b', '0']], labels, 0), null);
  assert.equal(labelColumn(['id', 'label'], [['a', '1'], ['b', '0']], labels, 0), 1);
  assert.equal(labelColumn(['id', 'label'], [['a', 'spam']], labels, 0), null);
  assert.deepEqual(
    ['positive', 'POS', '1', '0', '2', 'p', '', 'spam'].map((cell) => labelIndex(cell, labels)),
    [1, 1, 1, 0, null, null, null, null],
  );
});

test('accuracy and macro F1 are scikit-learn’s', () => {
  // y_true = [0]*50 + [1]*30 + [2]*20; accuracy_score and f1_score(average='macro') of this matrix.
  const { count, accuracy, macroF1, f1 } = metricsOf([45, 5, 0, 6, 20, 4, 1, 3, 16], 3);
  assert.equal(count, 100);
  assert.ok(Math.abs(accuracy - 0.81) < 1e-12);
  const expected = [90 / 102, 40 / 58, 32 / 40];
  f1.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-12));
  assert.ok(Math.abs(macroF1 - (90 / 102 + 40 / 58 + 32 / 40) / 3) < 1e-12);
  // A label that occurs nowhere is no part of the mean.
  assert.ok(Math.abs(metricsOf([3, 1, 0, 0, 4, 0, 0, 0, 0], 3).macroF1 - (6 / 7 + 8 / 9) / 2) < 1e-12);
  assert.ok(Number.isNaN(metricsOf([0], 1).accuracy));
});

test('results are filtered and ordered by index', () => {
  const results = new Results(['NEGATIVE', 'POSITIVE']);
  const push = (label, score, right, found = true) =>
    results.push({ start: results.size * 10, end: results.size * 10 + 9 }, { label, score, spans: [] }, right, found);
  for (let i = 0; i < 3000; i++) push(i % 3 ? 'POSITIVE' : 'NEGATIVE', (i % 100) / 100, i % 2, i % 5 !== 0);
  const every = { label: null, wrong: false, order: 'file' };
  assert.equal(results.select(every).length, 2400);
  assert.ok(results.select({ ...every, label: 0 }).every((row) => row % 3 === 0 && row % 5 !== 0));
  assert.ok(results.select({ ...every, wrong: true }).every((row) => results.isWrong(row)));
  const sure = [...results.select({ ...every, order: 'sure' })].map((row) => results.at(row).score);
  assert.deepEqual(sure, sure.toSorted((a, b) => b - a));
  assert.equal([...results.matrix].reduce((sum, n) => sum + n), 3000);
  assert.deepEqual(results.counts(), [
    { label: 1, count: 2000 },
    { label: 0, count: 1000 },
  ]);
  const { start, end } = results.at(2999);
  assert.deepEqual([start, end], [29_990, 29_999]);
});

test('kinds of entities are one label, whatever order they stand in', () => {
  const entities = (...kinds) => kinds.map((entity, i) => ({ entity, score: 0.9 - i / 10, start: i, end: i + 1 }));
  const { label, spans } = spansRow(entities('Disease', 'Chemical', 'Disease'));
  assert.equal(label, 'Chemical, Disease');
  assert.deepEqual(spans.map((span) => span.label), ['Disease', 'Chemical', 'Disease']);
  assert.equal(spansRow(entities('Chemical', 'Disease')).label, label);
});

test('rows before a broken one are kept: found, written, and told of again', async () => {
  const table = await openTable(fileOf('a.csv', 'text,label\n"film, 0",POSITIVE\nfilm 1,POSITIVE\n"open,1\n'));
  const read = async (_model, texts) => texts.map(() => ({ label: 'POSITIVE', score: 0.5, spans: [] }));
  const task = { table: { labels: ({ labels }) => labels, read } };
  const run = new TableRun(table, { text: 0, label: 1 }, { info: { labels: ['NEGATIVE', 'POSITIVE'] } }, task, () => {});
  for (let i = 0; i < 2; i++) {
    await assert.rejects(run.read(forever), { problem: 'quotes', row: 3, line: 4 });
    assert.deepEqual([run.results.size, run.complete, run.broken], [2, false, true]);
  }
  await run.search('film 1', forever);
  const rows = run.results.select({ label: null, wrong: false, order: 'file' });
  assert.deepEqual([...rows], [1]);
  const written = (await (await run.csv(rows, forever)).text()).trimEnd().split('\r\n');
  assert.deepEqual(written.slice(1), ['film 1,POSITIVE,POSITIVE,0.5']);
});

test('a run stops, goes on where it stopped, finds texts and writes CSV', async () => {
  const lines = Array.from({ length: 100 }, (_, i) => `"film, ${i}",${i % 2 ? 'POSITIVE' : 'NEGATIVE'}`);
  const table = await openTable(fileOf('a.csv', `text,label\n${lines.join('\n')}\n\n"",POSITIVE\n`));
  const batches = [];
  const task = {
    table: {
      labels: ({ labels }) => labels,
      async read(_model, texts) {
        batches.push(texts.length);
        return texts.map((text) => ({
          label: text.includes('7') ? 'POSITIVE' : 'NEGATIVE',
          score: 0.75,
          spans: text === 'film, 7' ? [{ start: 0, end: 4, label: 'Film' }] : [],
        }));
      },
    },
  };
  const model = { info: { labels: ['NEGATIVE', 'POSITIVE'] } };
  const stop = new AbortController();
  const run = new TableRun(table, { text: 0, label: 1 }, model, task, () => {
    if (run.results.size === 32) stop.abort();
  });
  await assert.rejects(run.read(stop.signal), { name: 'AbortError' });
  assert.deepEqual([run.results.size, run.complete], [32, false]);
  await run.read(forever);
  assert.deepEqual([run.results.size, run.complete, run.bytes], [101, true, table.file.size]);
  assert.ok(Math.max(...batches) <= 16);
  assert.equal(batches.reduce((sum, n) => sum + n), 100, 'a row without text is not given to the model');
  // It is neither right nor wrong.
  assert.deepEqual([run.unread, run.results.unknown, run.results.isWrong(100)], [1, 0, false]);
  const wrong = run.results.select({ label: null, wrong: true, order: 'file' });
  const [, second, third] = run.results.matrix;
  assert.equal(wrong.length, second + third);
  assert.equal(await run.text(42), 'film, 42');
  await run.search('FILM, 7', forever);
  const rows = run.results.select({ label: null, wrong: false, order: 'file' });
  assert.deepEqual([...rows], [7, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79]);
  const file = await run.csv(rows, forever);
  assert.deepEqual([...new Uint8Array(await file.slice(0, 3).arrayBuffer())], [0xef, 0xbb, 0xbf]);
  const written = (await file.text()).split('\r\n');
  assert.equal(written[0], 'text,label,predicted_label,predicted_score,entities');
  assert.equal(written[1], '"film, 7",POSITIVE,POSITIVE,0.75,film (Film)');
  assert.equal(written.length, 13);
});
