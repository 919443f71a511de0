// The documentation as a site: every link and anchor leads somewhere, every export is told of, nothing comes from elsewhere.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildDocs } from '../../scripts/docs.mjs';
import { modules, readExports } from '../../scripts/docs/reference.mjs';
import { dist, root } from '../support/built.mjs';
import { temporaryFolder } from '../support/tiny-model.mjs';

const site = path.join(temporaryFolder(), 'docs');
const pages = new Map();

const all = (text, pattern) => [...text.matchAll(pattern)].map(([, found]) => found);
const unescape = (text) => text.replace(/&(amp|lt|gt|quot);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name]);
const ids = (html) => all(html, / id="([^"]*)"/g).map(unescape);

before(async () => {
  await buildDocs({ out: site });
  for (const file of fs.readdirSync(site, { recursive: true })) {
    const name = file.split(path.sep).join('/');
    if (name.endsWith('.html')) pages.set(name, fs.readFileSync(path.join(site, file), 'utf8'));
  }
});

test('README, each page of docs/, each example, each card and the changes are there', () => {
  const names = (folder) => fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  const docs = names('docs').filter(({ name }) => name.endsWith('.md')).map(({ name }) => name.replace(/md$/, 'html'));
  const examples = names('examples').map(({ name }) => `examples/${name}.html`);
  const cards = names('models')
    .filter(({ name }) => fs.existsSync(path.join(root, 'models', name, 'README.md')))
    .map(({ name }) => `models/${name}.html`);
  assert.ok(docs.length > 10 && examples.length > 10 && cards.length >= 4);
  for (const page of ['index.html', 'changelog.html', ...docs, ...examples, ...cards]) assert.ok(pages.has(page), page);
});

test('every link and every anchor leads somewhere', () => {
  let checked = 0;
  for (const [page, html] of pages) {
    assert.equal(new Set(ids(html)).size, ids(html).length, `${page}: an id comes twice`);
    for (const address of all(html, / (?:href|src)="([^"]*)"/g).map(unescape)) {
      if (/^https?:/.test(address)) continue;
      const [file, fragment] = address.split('#');
      const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
      checked++;
      if (target.startsWith('../app/')) {
        assert.ok(fs.existsSync(path.join(dist, target.slice(3))), `${page}: ${address}`);
      } else {
        assert.ok(fs.existsSync(path.join(site, target)), `${page}: ${address}`);
        if (fragment) assert.ok(ids(pages.get(target)).includes(decodeURIComponent(fragment)), `${page}: ${address}`);
      }
    }
  }
  assert.ok(checked > 1000);
});

test('every page can be reached from the first one, the pages of docs/ and the reference by the menu', () => {
  const linked = (page) =>
    all(pages.get(page), / href="([^"#]+\.html)/g).map((address) => path.posix.join(path.posix.dirname(page), address));
  const seen = new Set(['index.html']);
  for (const page of seen) for (const target of linked(page)) if (pages.has(target)) seen.add(target);
  assert.deepEqual([...pages.keys()].filter((page) => !seen.has(page)), []);
  const [menu] = /<nav id="menu".*?<\/nav>/s.exec(pages.get('index.html'));
  for (const page of pages.keys()) if (!page.includes('/') || page.startsWith('reference/')) assert.ok(menu.includes(`href="${page}"`), page);
});

test('each page loads its style alone, by a policy that allows no more; only what must run has a script', () => {
  for (const [page, html] of pages) {
    const [policy] = all(html, /Content-Security-Policy" content="([^"]*)"/g);
    assert.match(policy, /^default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'/);
    assert.ok(!/unsafe-inline|https?:|'unsafe-eval'/.test(policy), page);
    for (const address of all(html, /<(?:link|script|img)\b[^>]* (?:href|src)="([^"]*)"/g)) assert.ok(!/^([a-z]+:|\/)/.test(address), address);
    assert.doesNotMatch(html, / (style|on\w+)="/);
    assert.equal(/<script/.test(html), page === 'speed.html', page);
  }
});

test('every export has its place in the reference', async () => {
  const exported = readExports();
  for (const [page, { name }] of Object.entries(modules)) {
    const file = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).exports[name.replace('bert-headlight', '.')];
    // What the compiled module exports, and what the reference was made from, are the same.
    const values = Object.keys(await import(pathToFileURL(path.resolve(dist, '..', file.default))));
    const names = exported[page].map((entry) => entry.name);
    assert.ok(names.length > values.length, name);
    assert.deepEqual(values.filter((value) => !names.includes(value)), []);
    for (const one of names) {
      const own = ids(pages.get(page)).includes(one);
      assert.ok(own || pages.get(page).includes(`#${one}"><code>${one}</code>`), `${name}: ${one}`);
    }
  }
  const inline = Object.keys(await import(pathToFileURL(path.join(dist, 'inline.js'))));
  for (const name of inline) assert.ok(ids(pages.get('reference/library.html')).includes(name), name);
});

test('the elements’ properties, events, slots, parts and custom properties have their place, too', () => {
  const html = pages.get('reference/elements.html');
  const { modules: all } = JSON.parse(fs.readFileSync(path.join(dist, 'custom-elements.json'), 'utf8'));
  const elements = all.flatMap(({ declarations }) => declarations);
  assert.ok(elements.length >= 5);
  for (const element of elements) {
    assert.ok(ids(html).includes(element.tagName) && ids(html).includes(element.name));
    const parts = ['members', 'attributes', 'events', 'slots', 'cssParts', 'cssProperties'].flatMap((kind) => element[kind] ?? []);
    for (const { name } of parts) assert.match(html, new RegExp(`<code>${name}[<(]`), `${element.tagName}: ${name}`);
  }
});

test('text of the sources is never taken for HTML', () => {
  assert.match(pages.get('elements.html'), /<h2 id="headlight-text"><code>&lt;headlight-text&gt;<\/code><\/h2>/);
  for (const [page, html] of pages) assert.doesNotMatch(html, /<(headlight-|output|progress|mask>)/, page);
});

test('the workflow that publishes it: actions by their commits, commands that there are', () => {
  const workflow = fs.readFileSync(path.join(root, '.github/workflows/pages.yml'), 'utf8');
  const actions = all(workflow, /uses: (.*)$/gm);
  assert.equal(actions.length, 4);
  for (const action of actions) assert.match(action, /^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const name of all(workflow, /npm run (\S+)/g)) assert.ok(scripts[name], name);
  assert.doesNotMatch(workflow, /https?:/);
});
