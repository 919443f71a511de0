// Every state of the page on a mock model: axe, overflow, forced colours.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, launch, ready, serveMockApp, visit, write } from '../support/page.mjs';

let server, browser;
before(async () => {
  server = await serveMockApp();
  browser = await launch();
});
after(async () => {
  await browser.close();
  await server.close();
});

// Each: address, and what brings the state about.
const states = {
  lit: ['', ready],
  loading: ['?mock=hang', (page) => page.waitForSelector('.loading')],
  stopped: ['?mock=hang', (page) => page.getByRole('button', { name: 'Stop' }).click()],
  error: ['?mock=fail', (page) => page.waitForSelector('.failure')],
  empty: [
    '',
    async (page) => {
      await ready(page);
      await page.fill('#text', ' ');
      await page.waitForSelector('.empty');
    },
  ],
  truncated: [
    '',
    async (page) => {
      await ready(page);
      await write(page, 'a long text '.repeat(300));
    },
  ],
  'one head, lines, pieces': ['#layer=2&head=3&query=3&lines=1&pieces=1&map=tokens', ready],
  'layers of a row': ['#map=layers&query=3', ready],
  'several heads, what a token gets': ['#mix=2.3,5.1,5.2&reduce=max&direction=to&query=3', ready],
  'too long to be lit by occlusion': ['#text=' + 'word+'.repeat(97), ready],
  'lines between tokens': ['#map=links', ready],
  'what heads do': ['#map=measures&measure=distance', ready],
  'queries and keys': [
    '#map=neurons&head=2',
    async (page) => {
      await ready(page);
      await page.waitForSelector('.map headlight-heatmap');
    },
  ],
  'lit by an explanation': [
    '#by=integrated-gradients',
    async (page) => {
      await ready(page);
      await page.waitForFunction(() => document.querySelector('headlight-text')?.shadowRoot.querySelector('[data-sign=against]'));
    },
  ],
  'whether it can be believed': [
    '#map=belief',
    async (page) => {
      await ready(page);
      await page.waitForSelector('headlight-curve');
    },
  ],
  'queries and keys that cannot be had': [
    '?mock=nomore#map=neurons',
    async (page) => {
      await ready(page);
      await page.waitForSelector('.map .failure');
    },
  ],
  'heads switched off': ['#layer=2&head=3&off=2.3,5.1,5.2', ready],
  'a text kept to compare': [
    '',
    async (page) => {
      await ready(page);
      await page.getByRole('button', { name: 'Keep to compare' }).click();
      await page.waitForSelector('.kept');
    },
  ],
  Chinese: ['#lang=zh', ready],
  'a model of one’s own is chosen': [
    '',
    async (page) => {
      await ready(page);
      await page.locator('.switch-model button').click();
    },
  ],
  tables: [
    '',
    async (page) => {
      await ready(page);
      for (const summary of await page.locator('summary').all()) await summary.click();
    },
  ],
};
const looks = {
  'desktop, light': { colorScheme: 'light' },
  'phone, dark': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  'small phone': { viewport: { width: 320, height: 700 } },
};

for (const [state, [address, reach]] of Object.entries(states)) {
  for (const [look, options] of Object.entries(looks)) {
    test(`${state}, ${look}: axe finds nothing, nothing overflows`, async () => {
      const { context, page, complaints } = await visit(browser, server, address, options);
      await reach(page);
      assert.deepEqual(await axeFindings(page), []);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= page.viewportSize().width, `${width} pixels wide`);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }
}

test('forced colours keep underlines', async () => {
  const { context, page } = await visit(browser, server, '', { forcedColors: 'active' });
  await ready(page);
  const underlines = await page.evaluate(() =>
    [...document.querySelector('headlight-text').shadowRoot.querySelectorAll('.token')].map((token) =>
      parseFloat(getComputedStyle(token).borderBottomWidth),
    ),
  );
  assert.ok(Math.max(...underlines) >= 4);
  assert.deepEqual(await axeFindings(page), []);
  await context.close();
});
