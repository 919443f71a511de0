// The Markdown tables of a run.

import { multiplyAdds, sizes } from './models.mjs';
import { ratio } from './statistics.mjs';

// Faster than whom: [ours, theirs, what it is called]
const comparisons = [
  ['headlight int8 relaxed', 'onnxruntime-web int8', 'int8, relaxed'],
  ['headlight int8 simd128', 'onnxruntime-web int8', 'int8, SIMD128'],
  ['headlight float32 relaxed', 'onnxruntime-web float32', 'float32, relaxed'],
  ['headlight float32 simd128', 'onnxruntime-web float32', 'float32, SIMD128'],
  ['headlight int8 relaxed', 'headlight float32 relaxed', 'int8 over float32, relaxed'],
  ['headlight int8', 'transformers.js q8', 'over transformers.js'],
  ['headlight int8 relaxed', 'PyTorch float32', 'int8 over PyTorch float32'],
  ['headlight int8 relaxed', 'onnxruntime int8', 'int8 over native onnxruntime int8'],
];

const cell = (text) => ` ${text} |`;
const row = (cells) => `|${cells.map(cell).join('')}`;
const heading = (cells) => [row(cells), `|${cells.map(() => '---|').join('')}`];

export function markdown({ machine, runs, clock, tables }) {
  const facts = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
  const parts = [`${facts.join(' · ')}. Medians of ${runs} interleaved runs${clock === 'cpu' ? ', processor time outside Chromium' : ''}.`];
  for (const table of tables) parts.push((tableOf[table.group] ?? timeTable)(table));
  return `${parts.join('\n\n')}\n`;
}

const tableOf = { operators: operatorTable, downloads: downloadTable };

function describeCase({ n, batch }) {
  return batch > 1 ? `${batch} × ${n}` : `n = ${n}`;
}

function timeTable({ title, group, model, rows, memory, facts }) {
  const names = rows[0].measured.map(({ name }) => name).filter((name) => name !== 'empty process');
  const present = comparisons.filter(([ours, theirs]) => names.includes(ours) && names.includes(theirs));
  const lines = [`### ${title}: ${model}`, '', 'Milliseconds', '', ...heading(['', ...rows.map((r) => describeCase(r.case))])];
  const timesOf = ({ measured }, name) => measured.find((m) => m.name === name);
  for (const name of names) {
    lines.push(row([name, ...rows.map((r) => `${timesOf(r, name).median.toFixed(2)} ± ${(timesOf(r, name).spread * 50).toFixed(0)} %`)]));
  }
  if (present.length > 0) {
    lines.push('', 'Times faster: the median of the ratios within a round', '');
    lines.push(...heading(['', ...rows.map((r) => describeCase(r.case))]));
    for (const [ours, theirs, label] of present) {
      lines.push(row([label, ...rows.map((r) => ratio(timesOf(r, theirs).times, timesOf(r, ours).times).toFixed(2))]));
    }
  }
  if (group !== 'cold') {
    lines.push('', 'Billions of operations a second', '', ...heading(['', ...rows.map((r) => describeCase(r.case))]));
    for (const name of names.filter((name) => name.startsWith('headlight'))) {
      lines.push(row([name, ...rows.map((r) => rate(model, r.case, timesOf(r, name).median))]));
    }
  }
  const empty = memory['empty process'];
  const measured = names.filter((name) => memory[name]);
  if (measured.length > 0) {
    lines.push('', 'Memory in MB, less an empty process’s resident', '', ...heading(['', 'resident', 'peak']));
    for (const name of measured) {
      const less = (key) => ((memory[name][key] - (empty?.resident ?? 0)) / 1e6).toFixed(0);
      lines.push(row([name, less('resident'), less('peak')]));
    }
  }
  const said = Object.entries(facts).filter(([name]) => name !== 'empty process');
  if (said.length > 0) lines.push('', said.map(([name, fact]) => `${name}: ${Object.values(fact).join(', ')}`).join(' · '));
  return lines.join('\n');
}

/** What a pass does, the last layer's shortcut left out of it where only logits are asked for. */
function rate(model, { n, batch = 1, output }, milliseconds) {
  const firstTokenOnly = output === 'logits' || output === 'label';
  return ((2 * batch * multiplyAdds(sizes[model], n, firstTokenOnly)) / milliseconds / 1e6).toFixed(1);
}

function operatorTable({ title, model, row: { measured } }) {
  const lines = [`### ${title}: ${model}`, '', ...heading(['', 'build', 'µs', 'billions of operations a second', 'of the bare kernel'])];
  const entries = measured.map((m) => ({ ...m, ...JSON.parse(m.name) }));
  for (const { build, operator, rows, k, columns = 1, repeats, times, median, bare } of entries) {
    const product = operator.startsWith('gemm');
    const size = product ? `${rows} × ${k} × ${columns}` : `${rows} × ${k}`;
    const peak = product && entries.find((e) => e.bare && e.build === build && e.operator === operator);
    const perOperation = (list, e) => list.map((time) => time / (e.repeats * e.rows * e.k * (e.columns ?? 1)));
    lines.push(
      row([
        `${operator} ${size}${bare ? ', the bare kernel' : ''}`,
        build,
        ((median * 1000) / repeats).toFixed(1),
        product ? ((2 * rows * k * columns * repeats) / median / 1e6).toFixed(1) : '',
        product ? `${(ratio(perOperation(peak.times, peak), perOperation(times, { rows, k, columns, repeats })) * 100).toFixed(0)} %` : '',
      ]),
    );
  }
  return lines.join('\n');
}

function downloadTable({ title, rows }) {
  const lines = [`### ${title}`, '', ...heading(['', 'requests', 'MB as it is', 'gzip', 'brotli', 'times as large, by brotli'])];
  for (const { name, requests, ...sizes } of rows) {
    const megabytes = Object.values(sizes).map((bytes) => (bytes / 1e6).toFixed(2));
    lines.push(row([name, requests, ...megabytes, (sizes.brotli / rows[0].brotli).toFixed(1)]));
  }
  return lines.join('\n');
}
