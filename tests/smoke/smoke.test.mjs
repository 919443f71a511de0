// The library and the page in each browser, by the same code.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serve } from '../../scripts/serve.mjs';
import { browserNames, launchBrowser, until, visitIn } from '../support/browsers.mjs';
import { dist, library } from '../support/built.mjs';
import { serveApp } from '../support/page.mjs';
import { makeTinyModel, manifestOf, temporaryFolder, textOf } from '../support/tiny-model.mjs';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types lit-html headlight";
const modes = { worker: {}, 'direct mode': { worker: false } };
const text = 'the movie was good';
const movie = 'The movie was absolutely fantastic!';

/** The package, two models and an empty page. */
function makeSite() {
  const site = temporaryFolder();
  fs.cpSync(dist, path.join(site, 'dist'), { recursive: true, filter: (file) => !file.endsWith('app') });
  fs.writeFileSync(path.join(site, 'index.html'), '<!doctype html><link rel="icon" href="data:,"><title>Library</title>');
  const models = { tiny: makeTinyModel(), larger: makeTinyModel({ hidden: 256, layers: 4, seed: 2 }) };
  for (const [name, files] of Object.entries(models)) {
    fs.mkdirSync(path.join(site, name));
    const all = { ...files, 'headlight.json': manifestOf(files) };
    for (const [file, bytes] of Object.entries(all)) fs.writeFileSync(path.join(site, name, file), bytes);
  }
  return site;
}

const site = makeSite();
let expected;
let libraryServer, appServer;

before(async () => {
  libraryServer = await serve({ root: site, headers: { 'Content-Security-Policy': policy } });
  appServer = await serveApp();
  const model = await library.load(path.join(site, 'tiny'), { build: 'simd128' });
  const [{ label, score }] = await model.classify(text);
  const { weights } = await model.attention(text, { layers: [-1] });
  const { scores } = await model.explain(text, { method: 'gradient-input', words: true });
  expected = { label, score, weights: [...weights.data], scores: [...scores.data] };
  model.dispose();
});
after(async () => {
  await libraryServer?.close();
  await appServer?.close();
});

const assertNear = (actual, wanted, message) => {
  assert.equal(actual.length, wanted.length, message);
  wanted.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) < 2e-5, `${message}[${i}]: ${actual[i]}, not ${value}`));
};

for (const name of browserNames) {
  describe(name, () => {
    let browser;
    before(async () => {
      browser = await launchBrowser(name);
    });
    after(() => browser?.close());

    /** An empty page with the library as `library`. */
    async function openLibrary(server = libraryServer) {
      const visited = await visitIn(browser, server.url);
      await visited.page.evaluate(async () => {
        globalThis.library = await import(new URL('dist/index.js', location.href).href);
        globalThis.codeOf = (promise) =>
          promise.then(
            () => 'done',
            (error) => (error instanceof library.HeadlightError ? error.code : error.name),
          );
      });
      return visited;
    }

    for (const [mode, options] of Object.entries(modes)) {
      test(`${mode}: loads, classifies, attends and explains as Node does, under a strict policy`, async (t) => {
        const { page, complaints } = await openLibrary();
        const run = (build) =>
          page.evaluate(
            async (options, text) => {
              const model = await library.load('./tiny', options);
              const [{ label, score }] = await model.classify(text);
              const { weights } = await model.attention(text, { layers: [-1] });
              const { scores } = await model.explain(text, { method: 'gradient-input', words: true });
              const { platform } = model;
              model.dispose();
              return { platform, label, score, weights: [...weights.data], scores: [...scores.data] };
            },
            { ...options, ...build },
            text,
          );
        for (const build of [{}, { build: 'simd128' }]) {
          const { platform, label, score, weights, scores } = await run(build);
          t.diagnostic(`build ${platform.build}`);
          assert.equal(platform.worker, mode === 'worker', platform.reason);
          assert.equal(platform.build, build.build ?? 'relaxed', platform.reason);
          assert.equal(label, expected.label);
          assertNear([score], [expected.score], 'score');
          assertNear(weights, expected.weights, 'weights');
          assertNear(scores, expected.scores, 'scores');
        }
        assert.deepEqual(complaints, []);
        await page.close();
      });

      test(`${mode}: an aborted run leaves the model working, disposal ends the calls, errors have codes`, async () => {
        const { page, complaints } = await openLibrary();
        const result = await page.evaluate(
          async (options, long) => {
            const model = await library.load('./larger', options);
            const [before] = await model.classify(long);
            const whole = (await model.counters()).steps;
            const controller = new AbortController();
            const run = model.classify(long, { signal: controller.signal, onProgress: () => controller.abort() });
            const aborted = await codeOf(run);
            const [after] = await model.classify(long);
            const { steps, openRuns } = await model.counters();
            const argument = await codeOf(model.classify('a', { topK: 0 }));
            const open = codeOf(model.classify(long));
            model.dispose();
            return {
              aborted,
              fewer: steps < 3 * whole,
              openRuns,
              same: before.score === after.score,
              argument,
              open: await open,
              later: await codeOf(model.classify('a')),
              missing: await codeOf(library.load('./none', options)),
              again: (await (await library.load('./tiny', options)).classify('a')).length,
            };
          },
          options,
          textOf(512),
        );
        assert.deepEqual(result, {
          aborted: 'AbortError',
          fewer: true,
          openRuns: 0,
          same: true,
          argument: 'E_INVALID_ARGUMENT',
          open: 'E_DISPOSED',
          later: 'E_DISPOSED',
          missing: 'E_NOT_FOUND',
          again: 2,
        });
        assert.deepEqual(complaints, []);
        await page.close();
      });
    }

    test('threads on a cross-origin isolated page give what one gives', async () => {
      const server = await serve({
        root: site,
        headers: {
          'Content-Security-Policy': policy,
          'Cross-Origin-Opener-Policy': 'same-origin',
          'Cross-Origin-Embedder-Policy': 'require-corp',
        },
      });
      const { page, complaints } = await openLibrary(server);
      const [several, one] = await page.evaluate(
        async (text) => {
          const results = [];
          for (const threads of [2, 1]) {
            const model = await library.load('./larger', { threads });
            results.push({ threads: model.platform.threads, labels: await model.classify(text) });
            model.dispose();
          }
          return results;
        },
        text,
      );
      assert.deepEqual([several.threads, one.threads], [2, 1]);
      assert.deepEqual(several.labels, one.labels);
      assert.deepEqual(complaints, []);
      await page.close();
      await server.close();
    });

    test('the cache keeps a model over a reload, and is cleared', async () => {
      const { page, complaints, requests } = await openLibrary();
      const read = () =>
        page.evaluate(async (text) => {
          const { load, cachedFiles } = await import(new URL('dist/index.js', location.href).href);
          const warnings = [];
          const logger = { info() {}, warn: (message) => warnings.push(message) };
          const model = await load('./tiny', { cache: 'persistent', logger });
          const [{ score }] = await model.classify(text);
          model.dispose();
          return { score, warnings, copies: (await cachedFiles()).map(({ complete }) => complete) };
        }, text);
      const weights = () => requests.filter((url) => url.endsWith('.safetensors')).length;
      const first = await read();
      assert.deepEqual(first.warnings, []);
      assert.ok(first.copies.length >= 3 && first.copies.every(Boolean), String(first.copies));
      const downloads = weights();
      assert.ok(downloads >= 1);
      await page.reload();
      assert.deepEqual(await read(), first);
      assert.equal(weights(), downloads);
      await page.evaluate(async () => {
        const { clearCache } = await import(new URL('dist/index.js', location.href).href);
        await clearCache();
      });
      assert.equal((await read()).score, first.score);
      assert.ok(weights() > downloads);
      assert.deepEqual(complaints, []);
      await page.close();
    });

    describe('the page', () => {
      let page, complaints;
      before(async () => {
        ({ page, complaints } = await visitIn(browser, appServer.url));
        await page.evaluate(() => {
          globalThis.shownText = () => document.querySelector('headlight-text').shadowRoot;
        });
      });

      const readTo = (wanted) =>
        until(
          page,
          (wanted) => {
            const element = document.querySelector('headlight-text');
            const isRead = element?.text === wanted && element.tokens.length > 0 && !document.querySelector('.stale');
            return isRead && !document.querySelector('headlight-progress') && Boolean(document.querySelector('.facts span'));
          },
          wanted,
        );
      const textIn = (selector) => page.$eval(selector, (element) => element.textContent);
      const caption = () => page.evaluate(() => shownText().querySelector('[part=caption]').textContent);
      const strengths = () =>
        page.evaluate(() =>
          [...shownText().querySelectorAll('.token')].map((token) => Number(token.style.getPropertyValue('--w'))),
        );
      const clickTab = (name) =>
        page.evaluate((name) => {
          [...document.querySelectorAll('.below nav button')].find((button) => button.textContent.trim() === name).click();
        }, name);

      test('the first visit is lit', async () => {
        // The stored first run is there before the model is, and tells of no time.
        await until(page, () => / ms · /.test(document.querySelector('.facts')?.textContent));
        await readTo(movie);
        assert.match(await textIn('.verdict'), /POSITIVE\s+(>99\.9|99\.[5-9])\u202f%/);
        const lit = await strengths();
        assert.equal(lit.length, 6);
        assert.equal(lit.indexOf(1), 4, 'without “fantastic” POSITIVE falls most');
        assert.match(await caption(), /occlusion · fall of the logit of POSITIVE/);
        assert.match(await textIn('.facts'), /8 tokens · \d+ ms · \d+ threads? · relaxed · int8/);
      });

      test('a text of one’s own is read as one types', async () => {
        await page.click('#text', { count: 3 });
        await page.keyboard.type('A dull, lifeless film.');
        await readTo('A dull, lifeless film.');
        assert.match(await textIn('.verdict'), /NEGATIVE/);
      });

      test('views show, and are saved as pictures', async () => {
        await clickTab('Who looks at whom');
        await until(page, () => {
          const { rows = [], columns = [] } = document.querySelector('.map headlight-heatmap') ?? {};
          return rows.length === columns.length && rows.length > 0;
        });
        await clickTab('Queries and keys');
        await until(page, () => document.querySelector('.map headlight-heatmap')?.columns.length === 32);
        await clickTab('Lines');
        await until(page, () => document.querySelector('headlight-links') !== null);
        const pictures = await page.evaluate(async () => {
          const elements = ['headlight-text', 'headlight-heads', 'headlight-links'].map((tag) => document.querySelector(tag));
          return Promise.all(
            elements.map(async (element) => {
              const bitmap = await createImageBitmap(await element.toPNG());
              return Math.min(bitmap.width, bitmap.height);
            }),
          );
        });
        for (const side of pictures) assert.ok(side > 50, String(pictures));
      });

      test('the keyboard chooses words and heads', async () => {
        await page.evaluate(() => document.querySelector('headlight-heads').shadowRoot.querySelector('.cell[tabindex="0"]').focus());
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
        assert.match(await caption(), /what \[CLS\] pays · layer 4 · head 1/);
        await page.evaluate(() => shownText().querySelector('.token').focus());
        await page.keyboard.press('ArrowRight');
        assert.match(await caption(), /what dull pays · layer 4 · head 1/);
        await page.keyboard.press('Escape');
        assert.match(await caption(), /what \[CLS\] pays/);
      });

      test('the language changes and is kept', async () => {
        const switchTo = (name) =>
          page.evaluate((name) => {
            [...document.querySelectorAll('header a, header button')].find((one) => one.textContent.trim() === name).click();
          }, name);
        await switchTo('中文');
        await until(page, () => document.documentElement.lang.startsWith('zh'));
        assert.match(await textIn('.switch-model'), /[\u4e00-\u9fff]/);
        await page.reload();
        await until(page, () => document.documentElement.lang.startsWith('zh') && document.querySelector('.facts span') !== null);
        await switchTo('English');
        await until(page, () => document.documentElement.lang === 'en');
      });

      test('each demo’s model answers', async () => {
        for (const [demo, shows, wanted] of [
          ['sentiment-zh', '.verdict strong', ['NEGATIVE']],
          ['entities-medical', '.entity .span', ['headaches', 'nausea']],
          ['fill-mask-zh', '.blank', ['好']],
        ]) {
          await page.evaluate((demo) => (location.hash = `demo=${demo}`), demo);
          await until(
            page,
            (shows, wanted) => [...document.querySelectorAll(shows)].map((one) => one.textContent.trim()).join() === wanted.join(),
            shows,
            wanted,
          );
        }
      });

      test('nothing was complained of, no other host was asked', () => assert.deepEqual(complaints, []));
    });
  });
}
