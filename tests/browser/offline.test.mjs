// The page without a network, its updates, and threads on a server that sends no headers for them: the service worker.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../../scripts/serve.mjs';
import { succeed } from '../support/command.mjs';
import * as support from '../support/page.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const place = temporaryFolder();
const model = writeFolder(makeTinyModel());
let browser;

before(async () => {
  browser = await support.launch();
});
after(() => browser.close());

const make = (output, ...options) => succeed(['site', '--model', model, '-o', path.join(place, output), '--force', ...options]);

const read = (page) =>
  page.waitForFunction(() => document.querySelector('headlight-text')?.tokens.length > 0 && !document.querySelector('.stale'), null, { timeout: 60_000 });

/** But for what the console says of requests that a network which is cut does not answer. */
const others = (complaints) => complaints.filter((text) => !/ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED)/.test(text));

/** The service worker keeps the page; the model's files are kept since it was loaded. */
const kept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active.state));

test('the app loads once, the network is cut, it reloads and classifies', async () => {
  const server = await support.serveApp();
  const { page, context, complaints } = await support.visit(browser, server);
  await support.ready(page);
  await kept(page);
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null, 'an open page is left alone');
  await server.close();
  await context.setOffline(true);

  await page.reload();
  await support.ready(page);
  await support.write(page, 'A dull and lifeless film.');
  assert.match(await page.locator('.verdict').textContent(), /NEGATIVE/);
  // What the page loads late is kept, too.
  await page.locator('input[type=file]:not([data-for=model])').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('text\na good film\nbad\n') });
  await page.waitForSelector('headlight-table table');

  const another = await context.newPage();
  await another.goto(`${server.url}?model=./models/sentiment-en`);
  await read(another);
  assert.match(await another.locator('.verdict').textContent(), /POSITIVE/);
  assert.deepEqual(others(complaints), []);
  await context.close();
});

test('the app can be installed', async () => {
  const server = await support.serveApp();
  const { page, context } = await support.visit(browser, server);
  const session = await context.newCDPSession(page);
  const { data, errors, url } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.equal(url, `${server.url}manifest.webmanifest`);
  const { icons } = JSON.parse(data);
  for (const { src, type, sizes } of icons.filter(({ type }) => type === 'image/png')) {
    const bytes = fs.readFileSync(path.join(support.builtApp, src));
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, `${src} ${type}`);
  }
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // A window of its own profile is as good as a private one.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'), []);
  await context.close();
  await server.close();
});

test('a new version waits for the next visit; an open page goes on with the old one, whose files then go', async () => {
  await make('site', '--title', 'First');
  const server = await serve({ root: path.join(place, 'site') });
  const { page, context, complaints } = await support.visit(browser, server);
  await read(page);
  await kept(page);
  await page.reload();
  await read(page);

  await make('site', '--title', 'Second');
  // A file that only the new version has, in place of one that only the old one had.
  const late = fs.readdirSync(path.join(place, 'site')).find((name) => /^view-.*\.js$/.test(name));
  fs.renameSync(path.join(place, 'site', late), path.join(place, 'site', 'view-new.js'));
  const script = path.join(place, 'site', 'sw.js');
  fs.writeFileSync(script, fs.readFileSync(script, 'utf8').replaceAll(late, 'view-new.js'));
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    while (!registration.waiting) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  assert.equal(await page.title(), 'First');
  await page.locator('input[type=file]:not([data-for=model])').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('text\na good film\n') });
  await page.waitForSelector('headlight-table table');
  await page.reload();
  assert.equal(await page.title(), 'First');

  await page.close();
  const next = await context.newPage();
  await next.goto(server.url);
  await next.waitForFunction(() => document.title === 'Second');
  await read(next);
  const views = await next.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(stores.map((store) => store.keys()))).flat();
    return requests.map(({ url }) => new URL(url).pathname).filter((name) => /view-/.test(name));
  });
  assert.deepEqual(views, ['/view-new.js']);
  assert.deepEqual(others(complaints), []);
  await context.close();
  await server.close();
});

/** Whether the page is isolated, and how many threads run. */
const threadsOf = (page) =>
  page.evaluate(() => [crossOriginIsolated, document.querySelector('headlight-app').desk.session.model.platform.threads]);

test('with --threads the page is cross-origin isolated from the second visit on, and threads run', async () => {
  await make('threads', '--threads');
  const server = await serve({ root: path.join(place, 'threads') });
  const { page, context, complaints } = await support.visit(browser, server);
  const state = () => threadsOf(page);
  await read(page);
  await kept(page);
  assert.deepEqual(await state(), [false, 1]);
  await page.reload();
  await read(page);
  assert.deepEqual(await state(), [true, Math.min(os.availableParallelism(), 4)]);
  // The same without a network.
  await server.close();
  await page.reload();
  await read(page);
  assert.deepEqual(await state(), [true, Math.min(os.availableParallelism(), 4)]);

  assert.deepEqual(others(complaints), []);
  await context.close();
});

test('a browser in which threads do not start is not made to wait for them again', async () => {
  await make('stuck', '--threads');
  fs.writeFileSync(path.join(place, 'stuck/threads-worker.js'), '');
  const server = await serve({ root: path.join(place, 'stuck') });
  const { page, context, complaints } = await support.visit(browser, server);
  await read(page);
  await kept(page);
  await page.reload();
  await read(page);
  assert.deepEqual(await threadsOf(page), [true, 1]);
  await page.waitForFunction(async () => (await caches.keys()).some((name) => name.startsWith('headlight-notes')));
  await page.reload();
  await read(page);
  assert.deepEqual(await threadsOf(page), [false, 1]);
  assert.deepEqual(complaints, []);
  await context.close();
  await server.close();
});

test('without --threads it never is', async () => {
  await make('plain');
  const server = await serve({ root: path.join(place, 'plain') });
  const { page, context } = await support.visit(browser, server);
  await read(page);
  await kept(page);
  await page.reload();
  await read(page);
  assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null && !crossOriginIsolated));
  await context.close();
  await server.close();
});

test('a page of an insecure origin, or without the service worker’s script, works all the same', async () => {
  await make('bare');
  const server = await serve({ root: path.join(place, 'bare') });
  const { port } = new URL(server.url);
  const other = await support.launch('--host-resolver-rules=MAP headlight.test 127.0.0.1');
  const insecure = { url: `http://headlight.test:${port}/` };
  const { page, complaints } = await support.visit(other, insecure);
  await read(page);
  assert.deepEqual(await page.evaluate(() => [isSecureContext, 'serviceWorker' in navigator]), [false, false]);
  assert.deepEqual(others(complaints), []);
  await other.close();

  fs.rmSync(path.join(place, 'bare/sw.js'));
  const { page: second, context, complaints: more } = await support.visit(browser, server);
  await read(second);
  assert.deepEqual(more.filter((text) => !/404/.test(text)), []);
  await context.close();
  await server.close();
});
