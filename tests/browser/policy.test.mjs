// The built page under its own policy, without a host but its own: a tour of models, views and exports asks for nothing
// from elsewhere and breaks no rule, and the rules are in force.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import * as support from '../support/page.mjs';
import { serve } from '../../scripts/serve.mjs';
import { makeTinyModel, writeFolder } from '../support/tiny-model.mjs';

const html = fs.readFileSync(path.join(support.builtApp, 'index.html'), 'utf8');
const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html);
const directives = Object.fromEntries(
  policy.split(';').map((directive) => {
    const [name, ...sources] = directive.trim().split(/\s+/);
    return [name, sources];
  }),
);

let server, browser, context, page, complaints;
const requests = [];

before(async () => {
  // Every answer's header narrows the page's own policy: models of other hosts are not part of the tour.
  const narrow = Object.entries({ ...directives, 'connect-src': ["'self'"] })
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
  server = await serve({ root: support.builtApp, headers: { 'Content-Security-Policy': narrow } });
  browser = await support.launch();
  ({ context, page, complaints } = await support.visit(browser, server, '', { acceptDownloads: true }));
  await context.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      violations.push([effectiveDirective, blockedURI, sample].join(' ')),
    );
  });
  context.on('request', (request) => requests.push(request.url()));
  page.on('websocket', (socket) => requests.push(socket.url()));
  await page.goto(server.url);
  await support.ready(page);
});
after(async () => {
  await browser.close();
  await server.close();
});

test('the page’s policy allows WebAssembly, and no eval, inline script, blob: or foreign script', () => {
  const { 'connect-src': connect, ...others } = directives;
  assert.deepEqual(others['default-src'], ["'none'"]);
  const inline = others['script-src'].filter((source) => source.startsWith("'sha256-"));
  assert.deepEqual(others['script-src'], ["'self'", "'wasm-unsafe-eval'", ...inline]);
  for (const [name, sources] of Object.entries(others)) {
    for (const source of sources) assert.doesNotMatch(source, /^'unsafe-|^blob:|^\*|\/\//, name);
  }
  assert.deepEqual(others['require-trusted-types-for'], ["'script'"]);
  assert.deepEqual(others['trusted-types'], ['lit-html', 'headlight']);
  // A model of one's own may lie on any host that is asked for it by its address.
  assert.ok(connect.includes("'self'"));
});

/** Clicks through all tabs below the text. */
async function seeViews() {
  const tabs = page.locator('.below nav').getByRole('button');
  const count = await tabs.count();
  for (let i = 0; i < count; i++) {
    await tabs.nth(i).click();
    await page.waitForFunction(() => !document.querySelector('headlight-progress'));
  }
  await tabs.first().click();
  return count;
}

/** Saves what an element shows. */
async function save(tag, names) {
  const menu = page.locator(tag).first().getByLabel('Save as');
  for (const name of names) {
    const waiting = page.waitForEvent('download');
    await menu.selectOption(name);
    const file = await (await waiting).path();
    assert.ok(fs.statSync(file).size > 50, `${tag} as ${name}`);
  }
}

test('a tour of all demos, views, methods and exports', async () => {
  const links = page.locator('.switch-model a');
  const demos = await links.count();
  assert.equal(demos, 4);
  for (let demo = 0; demo < demos; demo++) {
    await links.nth(demo).click();
    await page.waitForFunction(() => document.querySelector('headlight-text')?.tokens.length > 0);
    await support.ready(page);
    assert.ok((await seeViews()) >= 5, `views of demo ${demo}`);
  }
  await links.first().click();
  await support.write(page, 'A dull, lifeless film.');
  // Chromium drops what a script saves after the tenth file.
  await save('headlight-text', ['CSV', 'Excel', 'JSON', 'SVG', 'PNG', 'HTML']);
  for (const tag of ['headlight-heads', 'headlight-heatmap']) await save(tag, ['PNG', 'HTML']);

  const methods = page.getByLabel('Method');
  for (const { value, name } of await methods.locator('option').evaluateAll((options) =>
    options.map(({ value, textContent }) => ({ value, name: textContent.trim() })),
  )) {
    await methods.selectOption(value);
    await page.waitForFunction(() => !document.querySelector('headlight-progress'));
    assert.equal(await page.locator('.failure').count(), 0, name);
  }
  await page.getByRole('button', { name: 'Keep to compare' }).click();
  await page.waitForSelector('.kept');
  await page.getByRole('button', { name: '中文' }).click();
  await page.waitForFunction(() => document.documentElement.lang === 'zh-Hans');
  await page.getByRole('button', { name: 'English' }).click();
});

test('a model of one’s own, and a table that is read and saved', async () => {
  await support.chooseModel(page, writeFolder(makeTinyModel({ layers: 1, hidden: 16, heads: 2 })));
  await page.waitForFunction(() => document.querySelector('.facts')?.textContent.includes('float32'));
  await seeViews();
  const table = path.join(writeFolder({ 'rows.csv': Buffer.from('text,label\nthe movie was good,POSITIVE\na bad film,NEGATIVE\n') }), 'rows.csv');
  await page.locator('input[data-for=table]').setInputFiles(table);
  await page.getByRole('button', { name: 'Read all rows' }).click();
  await page.getByText('All 2 rows are read').waitFor();
  await page.getByRole('button', { name: 'Close the table' }).click();
});

test('markup in a text and in a model’s names is text', async () => {
  const markup = '<img src=x onerror=alert(1)>';
  await support.chooseModel(page, writeFolder(makeTinyModel({ layers: 1, hidden: 16, heads: 2, labels: [markup, `${markup}2`] })));
  await page.waitForFunction((wanted) => document.querySelector('.verdict')?.textContent.includes(wanted), markup);
  await support.write(page, `good ${markup}`);
  assert.equal(await page.locator('img').count(), 0);
});

test('nothing came from another host, no rule was broken, nothing was complained of', async () => {
  assert.ok(requests.filter((url) => url.endsWith('.safetensors')).length >= 4);
  for (const url of requests) assert.ok(url.startsWith(server.url) || /^data:|^blob:/.test(url), url);
  assert.deepEqual(await page.evaluate(() => violations), []);
  assert.deepEqual(complaints, []);
});

test('the rules are in force', async () => {
  const refused = await page.evaluate(async () => {
    // A debugger may evaluate: what it calls must have returned.
    await new Promise((resolve) => setTimeout(resolve));
    const nameOf = (act) => {
      try {
        act();
        return 'done';
      } catch ({ name }) {
        return name;
      }
    };
    return {
      markup: nameOf(() => (document.createElement('p').innerHTML = '<b>')),
      worker: nameOf(() => new Worker('./worker.js', { type: 'module' })),
      eval: nameOf(() => (0, eval)('1')),
      policy: nameOf(() => trustedTypes.createPolicy('another', {})),
      network: await fetch('https://foreign.test/').then(
        () => 'done',
        ({ name }) => name,
      ),
    };
  });
  assert.deepEqual(refused, { markup: 'TypeError', worker: 'TypeError', eval: 'EvalError', policy: 'TypeError', network: 'TypeError' });
  await page.waitForFunction(() => violations.length >= 5);
  assert.ok(!requests.includes('https://foreign.test/'));
});
