// dist/custom-elements.json and docs/elements.md tell of all that the elements have.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dist, root } from '../support/built.mjs';

const classes = await import(pathToFileURL(path.join(dist, 'elements/index.js')));
const manifest = JSON.parse(fs.readFileSync(path.join(dist, 'custom-elements.json'), 'utf8'));
const [module, definitions] = manifest.modules;
const page = fs.readFileSync(path.join(root, 'docs/elements.md'), 'utf8');
const folder = path.join(root, 'web/src/elements');
const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');
const tags = fs.readdirSync(folder).flatMap((name) => /^(headlight-\w+)\.ts$/.exec(name)?.[1] ?? []);

const types = tags.map((tag) => read(`${tag}.ts`)).join('');

const unique = (items) => [...new Set(items)].sort();
const names = (list = []) => unique(list.map(({ name }) => name));
const all = (text, pattern) => [...text.matchAll(pattern)].map(([, found]) => found);

/** The words that an attribute of a template may hold: "head${off ? ' off' : ''}" */
const wordsOf = (value) =>
  value
    .replace(/\$\{([^}]*)\}/g, (_, code) => all(code, /'([^']*)'/g).join(' '))
    .split(/["\s]+/)
    .filter(Boolean);

test('every element, under the names that it is defined and typed by', () => {
  const exported = Object.keys(classes).filter((name) => classes[name].elementProperties && classes[name].styles);
  assert.deepEqual(names(module.declarations), exported.sort());
  assert.deepEqual(unique(module.declarations.map(({ tagName }) => tagName)), tags);
  assert.deepEqual(names(definitions.exports), tags);
  assert.deepEqual(names(module.exports), exported.sort());
  for (const { path: file } of manifest.modules) assert.ok(fs.existsSync(path.join(dist, '..', file)), file);
  for (const { tagName, name } of module.declarations) {
    assert.match(read(`${tagName}.ts`), new RegExp(`interface HTMLElementTagNameMap \\{\\s*'${tagName}': ${name};`));
    assert.ok(page.includes(`## \`<${tagName}>\``), tagName);
  }
});

for (const element of module.declarations) {
  const { tagName, name } = element;
  const source = read(`${tagName}.ts`) + read('view-element.ts');
  const styles = read(`${tagName}.styles.ts`) + read('theme.ts');

  test(`${tagName}: properties and attributes`, () => {
    const attributes = classes[name].observedAttributes;
    const properties = [...classes[name].elementProperties].filter(([, { state }]) => !state).map(([property]) => property);
    assert.deepEqual(names(element.attributes), unique(attributes));
    assert.deepEqual(names(element.members.filter(({ kind }) => kind === 'field')), unique(properties));
    for (const property of properties) assert.ok(page.includes(`\`${property}\``), `docs/elements.md does not tell of ${property}`);
  });

  test(`${tagName}: events, slots, parts and custom properties`, () => {
    const events = all(source, /\bemit\w*\(\s*'(headlight-[\w-]+)'/g);
    const slots = all(source, /<slot name="(\w+)"/g);
    const parts = all(source, /\bpart=("[^"]*"|\$\{[^}]*\})/g).flatMap(wordsOf);
    const properties = all(styles, /var\(\s*(--headlight-[\w-]+)/g);
    assert.deepEqual(names(element.events), unique(events));
    assert.deepEqual(names(element.slots), unique(slots));
    assert.deepEqual(names(element.cssParts), unique(parts));
    assert.deepEqual(names(element.cssProperties), unique(properties));
    for (const event of events) assert.match(types, new RegExp(`'${event}': \\w+Event;`), `HTMLElementEventMap lacks ${event}`);
    for (const told of [...names(element.events), ...names(element.cssProperties)]) {
      assert.ok(page.includes(`\`${told}\``), `docs/elements.md does not tell of ${told}`);
    }
  });

  test(`${tagName}: everything has a description`, () => {
    const parts = ['members', 'attributes', 'events', 'slots', 'cssParts', 'cssProperties'].flatMap((kind) => element[kind] ?? []);
    for (const part of [element, ...parts]) assert.ok(part.description?.length > 3, part.name);
  });
}
