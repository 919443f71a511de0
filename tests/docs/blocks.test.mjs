// No block of code in README and docs/ stands there untested: each is run, is a file that is run, or has its reason here.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../support/built.mjs';

const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', ...fs.readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

/** Pages whose blocks need a document: the test that runs them. Those of other pages run in Node, by examples.test.mjs. */
const inBrowser = { 'docs/elements.md': 'tests/browser/docs.test.mjs', 'docs/reliability.md': 'tests/browser/loading.test.mjs' };

const notRun = {
  'docs/packaging.md': { ts: 'shows types alone; tests/fixtures/typescript holds the compilers to them' },
};

for (const page of pages) {
  test(`${page}: each block is run, or is a file of an example`, () => {
    const text = read(page);
    const blocks = [...text.matchAll(/(?:^`(examples\/\S+)`:\n\n)?^```(\w*)\n(.*?)^```/gms)];
    assert.equal(blocks.length * 2, [...text.matchAll(/^```/gm)].length);
    for (const [, file, language, code] of blocks) {
      if (file) assert.equal(code, read(file), file);
      else if (language === 'js') checkRun(page, code);
      else assert.ok(notRun[page]?.[language], `${page}: a block of ${language} that nothing runs:\n${code}`);
    }
  });
}

function checkRun(page, code) {
  if (inBrowser[page]) return assert.ok(read(inBrowser[page]).includes(page), `${inBrowser[page]} does not run ${page}`);
  assert.doesNotMatch(code, /bert-headlight\/|document\.|window\./, `${page}: examples.test.mjs leaves this block out`);
}
