// The versions of Node that docs/packaging.md says it is tested with: each runs what the table's row tells.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { root } from '../support/built.mjs';
import { install, run, writeModel } from '../support/packed.mjs';
import { getNode } from '../../scripts/setup/node.mjs';

const page = fs.readFileSync(path.join(root, 'docs/packaging.md'), 'utf8');
const rows = [...page.matchAll(/^\| Node ([\d.]+) \| `(\w+)` \|/gm)].map(([, version, build]) => ({ version, build }));
const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
let folder;

before(() => {
  folder = install('examples/node');
  writeModel(path.join(folder, 'model'));
});

const script = `
import { createRequire } from 'node:module';
import { load } from 'bert-headlight';

const text = 'the movie was good';
const inline = await import('bert-headlight/inline');
const required = createRequire(import.meta.url)('bert-headlight');
const results = [];
for (const start of [load, (source) => load(source, { threads: 2 }), inline.load, required.load]) {
  const model = await start('./model');
  const [best] = await model.classify(text);
  results.push({ ...best, ...model.platform, reason: '' });
  model.dispose();
}
console.log(JSON.stringify(results));
`;

test('the table begins with the least version that package.json allows', () => {
  assert.ok(rows.length >= 3);
  assert.ok(engines.node === `>=${rows[0].version.replace(/\.0$/, '')}`, engines.node);
});

for (const { version, build } of rows) {
  test(`Node ${version}: import, require, two threads and bert-headlight/inline, by the build ${build}`, async (t) => {
    const node = await getNode(version);
    assert.equal(run(node, ['--version'], folder).trim(), `v${version}`);
    fs.writeFileSync(path.join(folder, 'smoke.mjs'), script);
    const results = JSON.parse(run(node, ['--no-warnings', 'smoke.mjs'], folder));
    const [{ label, score }] = results;
    const expected = (threads) => ({ label, score, build, threads, worker: false, reason: '' });
    assert.deepEqual(results, [expected(1), expected(2), expected(1), expected(1)]);
    t.diagnostic(`build ${build}`);
  });
}
