#!/usr/bin/env node
// Pictures of every state of the page, at 1280 and 390 pixels, those marked `all` light and dark, into build/screenshots, to be
// looked at.
//
//   node scripts/screenshots.mjs [STATE...] [--mock] [--out FOLDER]      (after npm run build)
//
// --mock: the page on the tests' mock model, without a build.

import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launch, serveApp, serveMockApp } from '../tests/support/page.mjs';
import { root } from './setup/common.mjs';

const weights = /\/models\/.*\.safetensors$/;
const ready = (page) => page.waitForSelector('.facts');

const type = async (page, text) => {
  await page.fill('#text', text);
  await page.waitForFunction((wanted) => document.querySelector('headlight-text')?.text === wanted, text);
};
const example = async (page, name) => {
  await page.getByRole('button', { name }).click();
  await page.waitForFunction(
    () => document.querySelector('headlight-text')?.text === document.querySelector('#text').value,
  );
};

/** The text is lit. */
const lit = (page) => page.waitForFunction(() => document.querySelector('headlight-text')?.tokens.length > 0);

/** A table of made-up reviews with their labels, some of them wrong. */
function reviews() {
  const good = ['A lovely film.', 'I adored every minute, and so did the children.', 'Beautiful, funny and tender.'];
  const bad = ['A dull, lifeless film.', 'I was bored to death.', 'The story never gets going.', 'Badly acted.'];
  const rows = Array.from({ length: 240 }, (_, i) => {
    const list = i % 2 ? good : bad;
    return `${i + 1},"${list[(i * 7) % list.length]}",${i % 2 === Number(i % 17 > 0) ? 'positive' : 'negative'}`;
  });
  return Buffer.from(['id,review,sentiment', ...rows].join('\n'));
}

// Before the page opens (`route`) and after (`act`). `address`: search and fragment.
const states = {
  first: { all: true, act: ready },
  loading: {
    mock: '?mock=hang',
    route: (page) => page.route(weights, () => {}),
    act: (page) => page.waitForSelector('.loading'),
  },
  error: {
    mock: '?mock=fail',
    route: (page) =>
      page.route(weights, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })),
    act: (page) => page.waitForSelector('.failure'),
  },
  empty: {
    act: async (page) => {
      await ready(page);
      await page.fill('#text', '');
      await page.waitForSelector('.empty');
    },
  },
  long: {
    scrolls: true,
    act: async (page) => (await ready(page), example(page, 'A long review')),
  },
  truncated: {
    scrolls: true,
    act: async (page) => {
      await ready(page);
      await type(page, 'The keeper waits, and the lamp turns over an empty sea. '.repeat(48));
      await page.waitForSelector('text=/512/');
    },
  },
  chinese: { all: true, address: '#lang=zh&demo=sentiment-zh', act: lit },
  diseases: {
    all: true,
    address: '#demo=entities-medical',
    act: async (page) => (await lit(page), example(page, 'A discharge note')),
  },
  blanks: {
    all: true,
    address: '#demo=fill-mask-zh',
    act: async (page) => (await lit(page), example(page, '房间很')),
  },
  rows: {
    all: true,
    act: async (page) => {
      await ready(page);
      await page.locator('input[data-for=table]').setInputFiles({ name: 'reviews.csv', mimeType: 'text/csv', buffer: reviews() });
      await page.getByRole('button', { name: 'Read all rows' }).click();
      await page.getByText(/All \d+ rows are read/).waitFor({ timeout: 120_000 });
      await page.mouse.move(2, 2);
    },
  },
  own: { act: async (page) => (await ready(page), page.locator('.switch-model button').click()) },
  rtl: {
    act: async (page) => (
      await ready(page),
      type(page, 'הסרט היה פשוט נהדר!\nكان الفيلم رائعا جدا، and the ending too.')
    ),
  },
  head: {
    act: async (page, narrow) => {
      await ready(page);
      const cell = page.locator('headlight-heads .cell[data-row="5"][data-column="4"]');
      await (narrow ? cell.click() : cell.hover());
    },
  },
  token: {
    address: '#lines=1&layer=3&pieces=1&map=tokens',
    act: async (page) => {
      await ready(page);
      await type(page, 'An unbelievably overacted, charmless headache of a film.');
      await page.locator('headlight-text .token').nth(5).click();
      await page.mouse.move(2, 2);
    },
  },
  table: {
    act: async (page) => {
      await ready(page);
      for (const summary of await page.locator('summary').all()) await summary.click();
    },
  },
  forced: { forcedColors: 'active', act: ready },
};

const { values, positionals } = parseArgs({
  options: { mock: { type: 'boolean' }, out: { type: 'string' } },
  allowPositionals: true,
});
const out = values.out ?? path.join(root, 'build/screenshots');
fs.mkdirSync(out, { recursive: true });

const server = await (values.mock ? serveMockApp() : serveApp());
const browser = await launch();
// Turns PNG into WebP, which is a third of the size.
const converter = await browser.newPage();

for (const [name, state] of Object.entries(states)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  for (const width of [1280, 390]) {
    const narrow = width < 900;
    for (const colorScheme of state.all ? ['light', 'dark'] : [narrow ? 'dark' : 'light']) {
      const page = await browser.newPage({
        viewport: { width, height: narrow ? 844 : 900 },
        colorScheme,
        forcedColors: state.forcedColors ?? 'none',
        reducedMotion: 'reduce',
        locale: 'en',
        hasTouch: narrow,
      });
      if (!values.mock) await state.route?.(page);
      await page.goto(server.url + (values.mock ? (state.mock ?? '') : '') + (state.address ?? ''));
      await state.act(page, narrow);
      await page.waitForTimeout(150);
      const png = await (narrow && state.scrolls ? page.screenshot() : whole(page, narrow));
      fs.writeFileSync(path.join(out, `${name}-${width}-${colorScheme}.webp`), await webp(png));
      if (name === 'first' && width === 1280 && colorScheme === 'light') await picture(page);
      await page.close();
    }
  }
}
await browser.close();
await server.close();

// The page from its top, the strip of heads where it lies rather than at the window's edge; the upper part of what is long.
async function whole(page, narrow) {
  const height = await page.evaluate(() => {
    document.querySelector('.side')?.style.setProperty('position', 'static');
    return document.documentElement.scrollHeight;
  });
  const { width } = page.viewportSize();
  return page.screenshot({
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, narrow ? 1700 : 1250) },
  });
}

// The README's picture: the upper part of the page.
async function picture(page) {
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 1280, height: 560 } });
  fs.writeFileSync(path.join(out, 'headlight.png'), png);
}

async function webp(png) {
  const base64 = await converter.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.55).split(',')[1];
  }, png.toString('base64'));
  return Buffer.from(base64, 'base64');
}
