// The elements alone, under a strict policy, in Chromium.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { axeFindings, launch, serveElements } from '../support/page.mjs';

let server, browser, page;
const errors = [];

before(async () => {
  server = await serveElements();
  browser = await launch();
});
after(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 800, height: 600 }, reducedMotion: 'reduce' });
  errors.length = 0;
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(server.url);
  await page.waitForFunction(() => customElements.get('headlight-text') && globalThis.mockResult);
});

/** Puts <headlight-text> on the page with the mock model's reading of a text. */
const lit = (text, options = {}) =>
  page.evaluate(
    async ({ text, options }) => {
      const result = globalThis.mockResult(text);
      const { size, data } = globalThis.mapsOf(result);
      const element = document.createElement('headlight-text');
      Object.assign(element, {
        text,
        tokens: result.tokens,
        weights: data.slice(0, size),
        query: 0,
        ...options,
      });
      globalThis.events = [];
      for (const type of ['headlight-query', 'headlight-step', 'headlight-token']) {
        document.addEventListener(type, (event) => globalThis.events.push([type, event.detail]));
      }
      document.querySelector('#stage').replaceChildren(element);
      await element.updateComplete;
    },
    { text, options },
  );
const tokens = () => page.locator('headlight-text .token');
const events = (type) =>
  page.evaluate(
    (wanted) => globalThis.events.filter(([name]) => name === wanted).map(([, detail]) => detail),
    type,
  );

test('text is lit word by word: tint, underline, number', async () => {
  await lit('The movie was absolutely fantastic!');
  assert.deepEqual(await tokens().allTextContents(), ['The', 'movie', 'was', 'absolutely', 'fantastic', '!']);
  const shown = await tokens().evaluateAll((elements) =>
    elements.map((element) => ({
      tint: getComputedStyle(element).backgroundColor,
      underline: parseFloat(getComputedStyle(element).backgroundSize.split(' ')[1]),
      strength: Number(element.style.getPropertyValue('--w')),
      number: element.dataset.weight,
    })),
  );
  assert.equal(Math.max(...shown.map(({ strength }) => strength)), 1);
  assert.ok(new Set(shown.map(({ tint }) => tint)).size > 2);
  const byStrength = shown.toSorted((a, b) => a.strength - b.strength);
  assert.ok(byStrength[0].underline < byStrength.at(-1).underline);
  for (const { number } of shown) assert.match(number, /^<?\d+(\.\d)?\u202f%$/);
  assert.deepEqual(
    await page
      .locator('headlight-text [part~=special]')
      .allTextContents()
      .then((all) => all.map((text) => text.split(' took ')[0])),
    ['[CLS]', '[SEP]'],
  );
});

test('pieces on demand; merged words sum their pieces', async () => {
  const text = 'absolutely fine';
  await lit(text);
  const merged = await tokens().evaluateAll(([first]) => first.dataset.weight);
  await page.evaluate(() => (document.querySelector('headlight-text').pieces = true));
  await page.waitForFunction(
    () => document.querySelector('headlight-text').shadowRoot.querySelectorAll('.token').length === 3,
  );
  assert.deepEqual(await tokens().allTextContents(), ['absolu', 'tely', 'fine']);
  const sum = await page.evaluate(() => {
    const { weights } = document.querySelector('headlight-text');
    return weights[1] + weights[2];
  });
  assert.equal(merged, `${(sum * 100).toFixed(sum < 0.0995 ? 1 : 0)}\u202f%`);
});

test('a click chooses who looks, a drag selects, and the copy is the plain text', async () => {
  const text = 'One  two\tthree,\n\nfour   five';
  await lit(text);
  await tokens().nth(1).click();
  assert.deepEqual(await events('headlight-query'), [{ index: 2, tokens: [2] }]);
  const from = await tokens().nth(0).boundingBox();
  const to = await tokens().last().boundingBox();
  await page.mouse.move(from.x + 1, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width - 1, to.y + to.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.equal((await events('headlight-query')).length, 1);
  const whole = await page.evaluate(() => {
    const root = document.querySelector('headlight-text').shadowRoot;
    getSelection().selectAllChildren(root.querySelector('p'));
    return String(getSelection());
  });
  assert.equal(whole.trimEnd(), text);
});

test('arrow keys move who looks, the layer and the head; Escape goes back', async () => {
  await lit('one two three', { query: 1 });
  await page.keyboard.press('Tab');
  for (const key of [
    'ArrowRight',
    'ArrowRight',
    'ArrowRight',
    'Home',
    'End',
    'ArrowUp',
    'ArrowDown',
    'Shift+ArrowLeft',
    'Shift+ArrowRight',
    'Escape',
  ]) {
    await page.keyboard.press(key);
  }
  assert.deepEqual(
    (await events('headlight-query')).map(({ index }) => index),
    [2, 3, 1, 3, null],
  );
  assert.deepEqual(await events('headlight-step'), [
    { axis: 'layer', by: -1 },
    { axis: 'layer', by: 1 },
    { axis: 'head', by: -1 },
    { axis: 'head', by: 1 },
  ]);
});

test('in right-to-left text, left is forward', async () => {
  await lit('שלום עולם טוב', { query: 1 });
  await tokens().first().focus();
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(
    (await events('headlight-query')).map(({ index }) => index),
    [2],
  );
  const boxes = await tokens().evaluateAll((elements) =>
    elements.map((element) => element.getBoundingClientRect().left),
  );
  assert.ok(boxes[0] > boxes[1] && boxes[1] > boxes[2]);
});

test('special tokens can look, too', async () => {
  await lit('one two');
  await page.locator('headlight-text [part~=special]').last().click();
  assert.deepEqual(await events('headlight-query'), [{ index: 3, tokens: [3] }]);
});

test('signed weights have two lights and two underlines', async () => {
  await lit('good bad', { weights: [0, 0.5, -1, 0], format: 'number' });
  const signs = await tokens().evaluateAll((elements) =>
    elements.map((element) => [
      element.dataset.sign,
      getComputedStyle(element).backgroundImage.includes('40%'),
      element.dataset.weight,
    ]),
  );
  assert.deepEqual(signs, [
    ['for', false, '0.50'],
    ['against', true, '\u22121'],
  ]);
});

test('hostile text stays text, in its place', async () => {
  const hostile = [
    '<img src=x onerror="globalThis.hacked = 1"><script>globalThis.hacked = 1</script>',
    'before \u202egnitirw sdrawkcab\u2066\u2067 after',
    'Z\u0351\u036b\u0343a\u0363\u0348l\u0368\u0348g\u0366\u0327o\u0300 e\u0301',
    '👩‍👩‍👧‍👦🏳️‍🌈 ok 👍🏽',
    '\ud800 lone \udc00',
    'x'.repeat(10_000),
    '',
  ];
  for (const text of hostile) {
    await lit(text);
    const { shown, children, width } = await page.evaluate(() => {
      const root = document.querySelector('headlight-text').shadowRoot;
      return {
        shown: root.querySelector('p').textContent,
        children: root.querySelectorAll('p img, p script').length,
        width: document.documentElement.scrollWidth,
      };
    });
    assert.equal(shown, text);
    assert.equal(children, 0);
    assert.ok(width <= 800, `${width} pixels wide`);
  }
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  await lit('before \u202egnitirw');
  const direction = await page
    .locator('headlight-text .foot')
    .evaluate((element) => getComputedStyle(element).direction);
  assert.equal(direction, 'ltr');
  assert.deepEqual(errors, []);
});

test('what was not read is shown as such', async () => {
  await lit('read this not that', { cut: 10 });
  await page.evaluate(() => {
    const element = document.querySelector('headlight-text');
    element.tokens = element.tokens.filter(({ start, sequenceId }) => sequenceId === null || start < 10);
  });
  await page.waitForSelector('headlight-text .cut');
  assert.equal(await page.locator('headlight-text .cut').textContent(), 'not that');
  assert.equal(await page.locator('headlight-text p').textContent(), 'read this not that');
});

test('properties set before the element is defined are kept', async () => {
  const shown = await page.evaluate(async () => {
    const frame = document.createElement('div');
    document.body.append(frame);
    const element = document.createElement('headlight-late');
    element.text = 'early';
    frame.append(element);
    customElements.define('headlight-late', class extends customElements.get('headlight-text') {});
    await element.updateComplete;
    return element.shadowRoot.querySelector('p').textContent;
  });
  assert.equal(shown, 'early');
});

test('lines go from the token that looks to those that it lights', async () => {
  await lit('one two three', { lines: true, query: 1, weights: [0, 0, 1, 0.5, 0] });
  assert.equal(await page.locator('headlight-text svg.lines path').count(), 2);
});

/** Puts <headlight-heads> on the page. */
const heads = (options = {}) =>
  page.evaluate(async (more) => {
    const element = document.createElement('headlight-heads');
    Object.assign(element, {
      maps: globalThis.mapsOf(globalThis.mockResult('one two three')),
      keep: [1, 2, 3],
      layer: 4,
      head: 'all',
      ...more,
    });
    globalThis.events = [];
    for (const type of ['headlight-preview', 'headlight-choose']) {
      document.addEventListener(type, (event) => globalThis.events.push([type, event.detail]));
    }
    document.querySelector('#stage').replaceChildren(element);
    await element.updateComplete;
  }, options);

test('the grid of heads draws each, previews on hover and focus, chooses on click and Enter', async () => {
  await heads();
  const cells = page.locator('headlight-heads .cell');
  assert.equal(await cells.count(), 6 * 13);
  const drawn = await page.evaluate(
    () =>
      [...document.querySelector('headlight-heads').shadowRoot.querySelectorAll('canvas')].filter(
        (canvas) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return canvas.width === 3 && data.some((value, i) => i % 4 === 3 && value === 255);
        },
      ).length,
  );
  assert.equal(drawn, 6 * 13);
  await cells.nth(1).hover();
  await cells.nth(1).click();
  await page.mouse.move(0, 590);
  assert.deepEqual((await events('headlight-preview')).at(0), { layer: 0, head: 0 });
  assert.equal((await events('headlight-preview')).at(-1), null);
  assert.deepEqual(await events('headlight-choose'), [{ layer: 0, head: 0 }]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  assert.deepEqual((await events('headlight-preview')).at(-1), { layer: 1, head: 1 });
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  assert.deepEqual((await events('headlight-choose')).slice(1), [
    { layer: 5, head: 11 },
    { layer: 5, head: 'all' },
  ]);
  assert.equal(await page.locator('headlight-heads [tabindex="0"].cell').count(), 1);
});

test('pruned heads are told as pruned, can be reached and neither chosen nor switched', async () => {
  const prunedHeads = [[0, 3], [], [], [], [11], []];
  await heads({ layer: 0, head: 3, off: [{ layer: 0, head: 3 }] });
  await page.evaluate(async (prunedHeads) => {
    const element = document.querySelector('headlight-heads');
    element.maps = { ...element.maps, prunedHeads };
    for (const type of ['headlight-mix', 'headlight-switch']) {
      document.addEventListener(type, (event) => globalThis.events.push([type, event.detail]));
    }
    await element.updateComplete;
  }, prunedHeads);
  const cells = page.locator('headlight-heads .cell');
  const gone = page.locator('headlight-heads [part~=pruned]');
  const names = ['Layer 1, head 1, pruned', 'Layer 1, head 4, pruned', 'Layer 5, head 12, pruned'];
  assert.deepEqual(await gone.evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label'))), names);
  assert.deepEqual(await gone.evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-disabled'))), ['true', 'true', 'true']);
  assert.equal(await page.locator('headlight-heads [part~=off]').count(), 0, 'what is gone is not off');
  assert.equal(await page.locator('headlight-heads [aria-selected=true]').count(), 0);
  await gone.nth(1).hover();
  await gone.nth(1).click({ force: true });
  await gone.nth(1).click({ force: true, modifiers: ['Control'] });
  await cells.nth(5).focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.querySelector('headlight-heads').shadowRoot.activeElement.ariaLabel), names[1]);
  for (const key of ['Enter', ' ', 'Delete']) await page.keyboard.press(key);
  for (const type of ['headlight-choose', 'headlight-mix', 'headlight-switch']) assert.deepEqual(await events(type), [], type);
  assert.ok((await events('headlight-preview')).every((detail) => detail?.head !== 3 || detail.layer !== 0));

  await cells.nth(1 + 4).click({ modifiers: ['Control'] });
  await cells.nth(1 + 2).click({ modifiers: ['Shift'] });
  const [, { heads: span }] = await events('headlight-mix');
  assert.deepEqual(span.filter(({ layer, head }) => layer === 0 && head === 3), []);
  const rows = await page.evaluate(() => document.querySelector('headlight-heads').toRows());
  assert.equal(rows.length, 1 + 72 - 3);
  assert.ok(!rows.some(([layer, head]) => layer === 1 && (head === 1 || head === 4)));
  await page.locator('headlight-heads summary').click();
  await page.locator('headlight-heads table').waitFor();
  assert.equal(await page.locator('headlight-heads td', { hasText: 'pruned' }).count(), 3);
  assert.deepEqual(await axeFindings(page), []);
  assert.deepEqual(errors, []);
});

/** Puts <headlight-heatmap> on the page. */
const heatmap = (options = {}) =>
  page.evaluate(async (more) => {
    const element = document.createElement('headlight-heatmap');
    Object.assign(element, {
      values: Float32Array.of(0, 0.25, 0.5, 0.75, 1, 0.1),
      rows: ['head 1', 'head 2'],
      columns: ['<b>', '超', '\u202edrawkcab'],
      rowTitle: 'Head',
      columnTitle: 'Token',
      caption: 'a caption',
      ...more,
    });
    globalThis.events = [];
    document.addEventListener('headlight-choose-cell', (event) =>
      globalThis.events.push(['choose', event.detail]),
    );
    document.querySelector('#stage').replaceChildren(element);
    await element.updateComplete;
  }, options);
const readout = async () => (await page.locator('headlight-heatmap output').textContent()).trim();

test('a cell of the heat map names row, column and value, by pointer and by keys', async () => {
  await heatmap();
  const box = await page.locator('headlight-heatmap canvas').boundingBox();
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.75);
  assert.equal(await readout(), 'head 2 · 超: 1');
  await page.mouse.move(0, 590);
  await page.locator('headlight-heatmap [role=gridcell]').focus();
  assert.equal(await readout(), 'head 1 · <b>: 0');
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  assert.equal(await readout(), 'head 2 · 超: 1');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  assert.deepEqual(await events('choose'), [{ row: 0, column: 2, value: 0.5 }]);
});

test('a heat map with negative values has a scale of both signs', async () => {
  await heatmap({ values: Float32Array.of(0, -2, 1, 0, 0, 0) });
  const legend = page.locator('headlight-heatmap [part=legend]');
  assert.deepEqual((await legend.textContent()).trim().split(/\s+/), ['\u22122.00', '2.00']);
  assert.equal(await legend.locator('.signed').count(), 1);
  await heatmap();
  assert.deepEqual((await legend.textContent()).trim().split(/\s+/), ['0', '1']);
});

test('512 × 512 tokens are drawn, a row of them in the table', async () => {
  await page.evaluate(async () => {
    const names = Array.from({ length: 512 }, (_, i) => `token ${i}`);
    const element = document.createElement('headlight-heatmap');
    Object.assign(element, {
      values: Float32Array.from({ length: 512 * 512 }, (_, i) => (i % 7) / 7),
      rows: names,
      columns: names,
    });
    document.querySelector('#stage').replaceChildren(element);
    await element.updateComplete;
  });
  await page.locator('headlight-heatmap summary').click();
  await page.locator('headlight-heatmap tbody tr').last().waitFor(); // the table is made when it is opened
  assert.equal(await page.locator('headlight-heatmap tbody tr').count(), 512);
  assert.equal(await page.locator('headlight-heatmap tbody td').count(), 512);
});

test('a cell without a value has a dash, says so, and is not chosen', async () => {
  await heatmap();
  await page.evaluate(async () => {
    const element = document.querySelector('headlight-heatmap');
    element.values = Float32Array.of(NaN, NaN, NaN, 0.75, 1, 0.1);
    await element.updateComplete;
  });
  const box = await page.locator('headlight-heatmap canvas').boundingBox();
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.25);
  assert.equal(await readout(), 'head 1 · 超: none');
  await page.locator('headlight-heatmap [role=gridcell]').focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await events('choose'), []);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.deepEqual(await events('choose'), [{ row: 1, column: 1, value: 1 }]);
  // The middle of a cell is marked, its edge is not; the largest value is still full light.
  const alphas = await page.evaluate(() => {
    const canvas = document.querySelector('headlight-heatmap').shadowRoot.querySelector('canvas');
    const context = canvas.getContext('2d');
    const at = (x, y) => context.getImageData(x, y, 1, 1).data[3];
    const [cell, row] = [canvas.width / 3, canvas.height / 2];
    return [at(cell / 2, row / 2), at(0, 0), at(cell * 1.5, row * 1.5)];
  });
  assert.deepEqual(alphas, [255, 0, 255]);
  const [csv, svg] = await page.evaluate(() => {
    const element = document.querySelector('headlight-heatmap');
    return [element.toCSV(), element.toSVG()];
  });
  assert.equal(csv.split('\r\n')[1], 'head 1,,,');
  assert.equal(svg.match(/<path/g).length, 1);
  await page.locator('headlight-heatmap summary').click();
  await page.locator('headlight-heatmap table').waitFor();
  assert.equal(await page.locator('headlight-heatmap td', { hasText: 'none' }).count(), 3);
});

test('names of heads are whole beside a map, on a phone as well; long tokens are cut', async () => {
  for (const width of [390, 800]) {
    await page.setViewportSize({ width, height: 800 });
    for (const names of [['layer 12, head 12', 'head 12, pruned'], ['第 12 层、第 12 头', '第 12 头，已剪除']]) {
      await heatmap({ rows: names });
      const cut = await page
        .locator('headlight-heatmap .rows span')
        .evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent));
      assert.deepEqual(cut, [], `${width} pixels`);
      const svg = await page.evaluate(() => document.querySelector('headlight-heatmap').toSVG());
      for (const name of names) assert.ok(svg.includes(`>${name}<`), name);
    }
    await heatmap({ rows: ['x'.repeat(200), 'b'] });
    const rows = await page.locator('headlight-heatmap .rows').boundingBox();
    assert.ok(rows.width <= 0.45 * width + 10, `${rows.width}`);
    const map = page.locator('headlight-heatmap .scroll-map');
    assert.ok(await map.evaluate((scroll) => scroll.scrollWidth <= scroll.clientWidth), 'three columns fit beside the names');
  }
});

/** Puts <headlight-links> on the page with the mock model's reading of a text. */
const links = (text, options = {}) =>
  page.evaluate(
    async ({ text, options }) => {
      const result = globalThis.mockResult(text);
      const element = document.createElement('headlight-links');
      Object.assign(element, { maps: globalThis.mapsOf(result), tokens: result.tokens, layer: 1, ...options });
      globalThis.events = [];
      for (const type of ['headlight-query', 'headlight-shown-heads']) {
        element.addEventListener(type, (event) => globalThis.events.push([type, event.detail]));
      }
      document.querySelector('#stage').replaceChildren(element);
      await element.updateComplete;
    },
    { text, options },
  );
const paths = () => page.locator('headlight-links svg path').count();
const told = async () => (await page.locator('headlight-links output').textContent()).trim();

test('lines join two columns of tokens; one that is pointed at or locked has its own alone', async () => {
  await links('one two three');
  const column = (side) => page.locator(`headlight-links .${side} [role=option]`);
  assert.deepEqual((await column('from').allTextContents()).map((name) => name.trim()), ['one', 'two', 'three']);
  const all = await paths();
  await column('from').nth(1).hover();
  assert.match(await told(), /^two looks at \w+ [\d.]+\u202f%, \w+ [\d.]+\u202f%, \w+ [\d.]+\u202f%$/);
  const some = await page.evaluate(() => document.querySelector('headlight-links').toCSV());
  assert.ok(some.split('\r\n').slice(1, -1).every((line) => line.split(',')[1] === '2'), some);
  await column('to').nth(0).hover();
  assert.match(await told(), /^one is looked at by /);
  await column('from').nth(2).click();
  await page.mouse.move(0, 590);
  assert.match(await told(), /^three looks at /);
  await page.keyboard.press('Escape');
  assert.deepEqual(await events('headlight-query'), [
    { index: 3, tokens: [3] },
    { index: null, tokens: [] },
  ]);
  await page.locator('headlight-links [data-head="0"]').focus();
  assert.equal(await paths(), all);
});

test('the lines follow the keys from token to token and from column to column', async () => {
  await links('one two three');
  await page.locator('headlight-links .from [tabindex="0"]').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  assert.match(await told(), /^three looks at /);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Home');
  assert.match(await told(), /^one is looked at by /);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  assert.deepEqual(await events('headlight-query'), [{ index: 1, tokens: [1] }]);
  assert.equal(await page.locator('headlight-links [aria-selected=true]').textContent(), 'one');
});

test('heads are picked out, added and taken away; special tokens are drawn where they are asked for', async () => {
  await links('one two three', { special: true });
  assert.equal(await page.locator('headlight-links .from [role=option]').count(), 5);
  const head = (index) => page.locator(`headlight-links [data-head="${index}"]`);
  await head(3).click();
  await head(5).click();
  assert.deepEqual(
    await page.locator('headlight-links [aria-pressed=true]').allTextContents().then((all) => all.map(Number)),
    [4, 6],
  );
  await head(3).click();
  await head(5).click();
  const all = Array.from({ length: 12 }, (_, i) => i);
  assert.deepEqual(
    (await events('headlight-shown-heads')).map(({ heads }) => heads),
    [[3], [3, 5], [5], all],
  );
});

test('a head that the layer lacks cannot be picked; with it come the others', async () => {
  await links('one two three', { head: 3 });
  const set = (options) =>
    page.evaluate(async (options) => {
      const element = document.querySelector('headlight-links');
      const { prunedHeads, ...rest } = options;
      Object.assign(element, rest, prunedHeads && { maps: { ...element.maps, prunedHeads } });
      await element.updateComplete;
    }, options);
  await set({ prunedHeads: [[], [0, 3], [], [], [], []] });
  const buttons = page.locator('headlight-links .heads button');
  assert.equal(await buttons.nth(3).getAttribute('aria-label'), 'Head 4, pruned');
  assert.equal(await buttons.nth(4).getAttribute('aria-label'), 'Head 5');
  assert.deepEqual(await buttons.evaluateAll((all) => all.flatMap((button, i) => (button.disabled ? [i] : []))), [0, 3]);
  const drawn = () => page.locator('headlight-links .heads [aria-pressed=true]').count();
  assert.equal(await drawn(), 10, 'in place of the head that is gone');
  await buttons.nth(4).click();
  await buttons.nth(4).click();
  assert.deepEqual((await events('headlight-shown-heads')).map(({ heads }) => heads.length), [1, 10]);
  await set({ layer: 2, head: 'all' });
  assert.equal(await drawn(), 12);
});

test('of a pair, lines are drawn between chosen texts', async () => {
  const pair = (text, sequenceId) => ({ text, id: 1, start: 0, end: 1, sequenceId, wordId: 0 });
  await links('a b', { tokens: ['[CLS]', 'a', 'b', '[SEP]'].map((text, i) => pair(text, [null, 0, 1, null][i])) });
  const drawn = () =>
    page.evaluate(() =>
      document
        .querySelector('headlight-links')
        .toCSV()
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')),
    );
  await page.locator('headlight-links select').selectOption('0-1');
  assert.deepEqual(new Set((await drawn()).map(([, query, , key]) => query + key)), new Set(['12']));
  await page.locator('headlight-links select').selectOption('');
  assert.deepEqual(new Set((await drawn()).map(([, query, , key]) => query + key)), new Set(['11', '12', '21', '22']));
});

test('512 tokens have few nodes: lines of like strength share a path', async () => {
  await links(Array.from({ length: 600 }, (_, i) => `w${i % 90}`).join(' '));
  const count = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector('headlight-links');
    return {
      tokens: shadowRoot.querySelectorAll('.from [role=option]').length,
      paths: shadowRoot.querySelectorAll('path').length,
      lines: document.querySelector('headlight-links').toCSV().split('\r\n').length - 2,
    };
  });
  assert.equal(count.tokens, 510);
  assert.ok(count.paths <= 12 * 8, `${count.paths} paths`);
  assert.ok(count.lines <= 2000, `${count.lines} lines`);
});

/** Puts <headlight-curve> on the page. */
const curve = (options = {}) =>
  page.evaluate(async (more) => {
    const points = (values) => values.map((probability, i) => ({ removed: i / (values.length - 1), probability }));
    const element = document.createElement('headlight-curve');
    Object.assign(element, { curve: points([1, 0.5, 0.25]), chance: points([1, 0.9, 0.25]), ...more });
    document.querySelector('#stage').replaceChildren(element);
    await element.updateComplete;
  }, options);

test('a curve tells each point, by pointer and by keys', async () => {
  await curve();
  const readout = async () => (await page.locator('headlight-curve output').textContent()).trim();
  const plot = page.locator('headlight-curve [role=slider]');
  const box = await plot.locator('svg').boundingBox();
  await page.mouse.move(box.x + box.width * 0.55, box.y + 20);
  assert.equal(await readout(), 'Without 50\u202f% of the words: 50\u202f%; by chance 90\u202f%');
  await page.mouse.move(0, 590);
  await plot.focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  assert.equal(await plot.getAttribute('aria-valuetext'), 'Without 100\u202f% of the words: 25\u202f%; by chance 25\u202f%');
  await page.keyboard.press('Home');
  assert.match(await readout(), /^Without 0\u202f% of the words: 100\u202f%/);
});

const named = {
  'headlight-text': () => lit('one two three', { textPair: 'four', shares: [0.5], max: 0.5, cut: 8, cutPair: 2, lines: true }),
  'headlight-heads': () => heads({ mix: [{ layer: 0, head: 1 }], off: [{ layer: 1, head: 1 }] }),
  'headlight-heatmap': () => heatmap({ selected: 1, max: 2 }),
  'headlight-links': () => links('one two three', { groups: [[0], [1], [2], [3], [4]], query: 1, head: 2 }),
  'headlight-curve': () => curve({ about: { model: 'tiny' } }),
};
for (const [tag, show] of Object.entries(named)) {
  test(`<${tag}>: null and undefined mean the default of each property, and what comes later is drawn`, async () => {
    await show();
    const wrong = await page.evaluate(async (name) => {
      const wrong = [];
      const shown = document.querySelector(name);
      const type = customElements.get(name);
      const names = [...type.elementProperties].filter(([, { state }]) => !state).map(([property]) => property);
      const data = Object.fromEntries(names.map((property) => [property, shown[property]]));
      const defaults = document.createElement(name);
      const files = (element) => [element.toSVG(), element.toCSV(), element.toHTML()].join();
      const whole = files(shown);
      const check = async (empty, of) => {
        const element = document.createElement(name);
        Object.assign(element, data, empty);
        document.querySelector('#stage').replaceChildren(element);
        try {
          await element.updateComplete;
          for (const property of of) {
            if (JSON.stringify(element[property]) !== JSON.stringify(defaults[property])) wrong.push(`${property} is ${element[property]}`);
          }
          for (const key of ['ArrowRight', 'Home', 'Enter']) {
            for (const part of element.shadowRoot.querySelectorAll('[tabindex="0"]')) part.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
          }
          await element.updateComplete;
          files(element);
          const later = document.createElement(name);
          Object.assign(later, data, empty);
          document.querySelector('#stage').replaceChildren(later);
          await later.updateComplete;
          Object.assign(later, data);
          await later.updateComplete;
          if (files(later) !== whole) wrong.push(`after ${of}: other files`);
        } catch (error) {
          wrong.push(`${of}: ${error}`);
        }
      };
      for (const nothing of [null, undefined]) {
        for (const property of names) await check({ [property]: nothing }, [property]);
        await check(Object.fromEntries(names.map((property) => [property, nothing])), names);
      }
      return wrong;
    }, tag);
    assert.deepEqual([wrong, errors], [[], []]);
  });
}

test('a string where a list belongs is refused by the name of the property', async () => {
  await heads();
  const messages = await page.evaluate(() => {
    const element = document.querySelector('headlight-heads');
    return ['mix', 'off'].map((name) => {
      try {
        element[name] = 'all';
      } catch (error) {
        return `${error} ${element[name].length}`;
      }
    });
  });
  assert.deepEqual(messages, [
    'TypeError: mix of <headlight-heads> must be a list, not a string 0',
    'TypeError: off of <headlight-heads> must be a list, not a string 0',
  ]);
});

test('the picture of a curve names its lines, and that of chance is dashed', async () => {
  await curve({ caption: 'a curve' });
  const { paths, texts } = await page.evaluate(() => {
    const picture = new DOMParser().parseFromString(document.querySelector('headlight-curve').toSVG(), 'image/svg+xml');
    return {
      paths: [...picture.querySelectorAll('path')].map((path) => path.getAttribute('stroke-dasharray')),
      texts: [...picture.querySelectorAll('text')].map((text) => text.textContent),
    };
  });
  // A line, then its sample in the legend.
  assert.deepEqual(paths, ['4 4', '4 4', null, null]);
  assert.deepEqual(texts.slice(-3), ['by chance', 'the highest first', 'a curve · Words taken out → Probability']);
});

test('each element gives CSV, SVG and PNG', async () => {
  const files = async (tag) =>
    page.evaluate(async (name) => {
      const element = document.querySelector(name);
      const png = await element.toPNG();
      const head = [...new Uint8Array(await png.slice(0, 4).arrayBuffer())];
      const svg = element.toSVG();
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return {
        csv: element.toCSV(),
        same: svg === element.toSVG(),
        valid: parsed.querySelector('parsererror') === null,
        texts: [...parsed.querySelectorAll('text')].map((text) => text.textContent),
        title: parsed.querySelector('title').textContent,
        description: parsed.querySelector('desc')?.textContent,
        data: element.toData(),
        html: element.toHTML(),
        head,
      };
    }, tag);
  await lit('<b> & 超级\nnew line', { caption: 'what [CLS] pays' });
  let file = await files('headlight-text');
  assert.match(file.csv, /^token,text,start,end,weight\r\n1,<,0,1,0\.\d+\r\n/);
  assert.equal(file.title, 'what [CLS] pays');
  assert.ok(
    ['<', '超', 'line'].every((word) => file.texts.includes(word)),
    file.texts.join('|'),
  );
  const check = ({ same, valid, head, data, csv }) => {
    assert.deepEqual([same, valid, head], [true, true, [137, 80, 78, 71]]);
    assert.equal(csv.split('\r\n').length, data.rows.length + 2);
    for (const row of data.rows) assert.equal(row.length, data.columns.length);
  };
  check(file);
  await heads();
  file = await files('headlight-heads');
  assert.equal(file.csv.split('\r\n').length, 1 + 72 + 1);
  check(file);
  await heatmap();
  file = await files('headlight-heatmap');
  assert.equal(file.csv, 'Head,<b>,超,\u202edrawkcab\r\nhead 1,0,0.25,0.5\r\nhead 2,0.75,1,0.100000001\r\n');
  check(file);
  await links('<i> two', { caption: 'lines' });
  file = await files('headlight-links');
  assert.match(file.csv, /^head,query,query text,key,key text,weight\r\n1,1,<,1,<,0\.\d+\r\n/);
  assert.ok(file.texts.includes('<'), file.texts.join('|'));
  check(file);
  await curve({ caption: 'a curve' });
  file = await files('headlight-curve');
  assert.equal(
    file.csv,
    'Words taken out,"Probability, the highest first",by chance\r\n0,1,1\r\n0.5,0.5,0.9\r\n1,0.25,0.25\r\n',
  );
  check(file);
  assert.deepEqual(errors, []);
});

test('files say where they come from; hostile text is text in them', async () => {
  const hostile = '<img src=x onerror=alert(1)> "</script>';
  await lit(hostile, { caption: hostile, about: { model: 'tiny, int8', text: `${hostile}\n${'long '.repeat(40)}` } });
  const { data, html, svg } = await page.evaluate(() => {
    const element = document.querySelector('headlight-text');
    return { data: element.toData(), html: element.toHTML(), svg: element.toSVG() };
  });
  assert.deepEqual([data.caption, data.about.model, data.lit], [hostile, 'tiny, int8', [4]]);
  for (const file of [html, svg]) {
    assert.ok(!file.includes('<img'), file.slice(0, 300));
    assert.ok(file.includes('tiny, int8'));
  }
  const shown = await page.evaluate(
    async ([html, svg]) => {
      const page = new DOMParser().parseFromString(html, 'text/html');
      const picture = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return {
        about: [...page.querySelectorAll('dl > *')].map((entry) => entry.textContent),
        rows: page.querySelectorAll('td:first-child').length,
        pictures: page.querySelectorAll('svg').length,
        foreign: page.querySelectorAll('script, img, link, iframe').length,
        foot: [...picture.querySelectorAll('text')].at(-1).textContent,
        description: picture.querySelector('desc').textContent,
      };
    },
    [html, svg],
  );
  assert.equal(shown.about[1], 'tiny, int8');
  assert.ok(shown.about[3].startsWith(`${hostile}\nlong`) && shown.about[3].endsWith('long '));
  assert.deepEqual([shown.rows, shown.pictures, shown.foreign], [data.rows.length, 1, 0]);
  assert.match(shown.foot, /^tiny, int8 · .{39}…$/);
  assert.ok(shown.description.includes(hostile));
});

test('axe finds nothing in any element, table open or not', async () => {
  for (const show of [
    () => lit('One absolutely fine text'),
    () => heads(),
    () => heatmap(),
    () => heads({ strip: true }),
    () => links('One absolutely fine text'),
    () => curve(),
  ]) {
    await show();
    assert.deepEqual(await axeFindings(page), []);
    await page.locator('summary').click();
    assert.deepEqual(await axeFindings(page), []);
  }
});

/** Ratio of contrast (WCAG 2.2) of what is painted. */
const contrast = (ink, paper) => {
  const luminance = (color) => {
    const [r, g, b] = color.map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [light, dark] = [luminance(ink), luminance(paper)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

for (const colorScheme of ['light', 'dark']) {
  test(`text keeps 4.5 : 1 on every tint, ${colorScheme}`, async () => {
    await page.emulateMedia({ colorScheme });
    await lit('word');
    const steps = await page.evaluate(() => {
      const token = document.querySelector('headlight-text').shadowRoot.querySelector('.token');
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d', { willReadFrequently: true });
      const pixel = (...colors) => {
        context.clearRect(0, 0, 1, 1);
        for (const color of colors) {
          context.fillStyle = color;
          context.fillRect(0, 0, 1, 1);
        }
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const custom = (name) => {
        const probe = document.createElement('span');
        probe.style.color = `var(${name})`;
        token.parentElement.append(probe);
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      };
      const paper = custom('--_paper');
      const steps = [];
      for (const sign of ['for', 'against']) {
        token.dataset.sign = sign;
        for (let step = 0; step <= 100; step++) {
          token.style.setProperty('--w', step / 100);
          const { color, backgroundColor } = getComputedStyle(token);
          steps.push({ sign, step, ink: pixel(color), tint: pixel(paper, backgroundColor) });
        }
      }
      steps.push({ sign: 'quiet', step: 0, ink: pixel(custom('--_quiet')), tint: pixel(paper) });
      return steps;
    });
    assert.equal(steps.length, 203);
    for (const { sign, step, ink, tint } of steps) {
      const ratio = contrast(ink, tint);
      assert.ok(ratio >= 4.5, `${sign} ${step} %: ${ratio.toFixed(2)} : 1`);
    }
    assert.notDeepEqual(steps[0].tint, steps[100].tint);
  });
}
