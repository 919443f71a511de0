// Pages for the browser tests: the built app, the same app on the mock model, or elements alone; and a Chromium.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { serve } from '../../scripts/serve.mjs';
import { findBrowser } from '../../scripts/setup/browser.mjs';
import { folderPlugin } from '../../web/app/folder-plugin.mjs';
import { zipPlugin } from '../../web/app/zip-plugin.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const mock = path.join(root, 'tests/support/mock-model.mjs');

/** In place of the library, where the app asks for it. */
const mockPlugin = {
  name: 'mock',
  setup(build) {
    build.onResolve({ filter: /\/src\/index\.js$/ }, ({ importer }) =>
      importer.includes(`${path.sep}app${path.sep}`) ? { path: mock } : undefined,
    );
  },
};

const bundle = (entryPoints, outdir) =>
  esbuild.build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    plugins: [mockPlugin, folderPlugin, zipPlugin],
  });

const folders = [];
process.on('exit', () => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

const temporary = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'headlight-page-'));
  folders.push(folder);
  return folder;
};

/** The app on the mock model. */
export async function serveMockApp() {
  const folder = temporary();
  await bundle({ main: 'web/app/main.ts' }, folder);
  for (const name of fs.readdirSync(path.join(root, 'web/app'))) {
    if (/\.(html|css|svg|png|webmanifest)$/.test(name))
      fs.copyFileSync(path.join(root, 'web/app', name), path.join(folder, name));
  }
  fs.copyFileSync(
    path.join(root, 'tests/data/articles/review-rows.json'),
    path.join(folder, 'review-rows.json'),
  );
  fs.writeFileSync(path.join(folder, 'sw.js'), ''); // one that does nothing
  return serve({ root: folder });
}

/** The app as it is built, with its model. */
export const serveApp = () => serve({ root: builtApp });
export const builtApp = path.join(process.env.HEADLIGHT_DIST ?? path.join(root, 'dist'), 'app');

/** A page with nothing but the elements and, as globals, mockResult and mapsOf. */
export async function serveElements() {
  const folder = temporary();
  await bundle({ elements: 'tests/support/elements-page.mjs' }, folder);
  fs.writeFileSync(
    path.join(folder, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elements</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src data:">
<meta name="color-scheme" content="light dark"><script type="module" src="elements.js"></script><main><h1>Elements</h1><div id="stage"></div></main></html>`,
  );
  return serve({ root: folder });
}

export const launch = (...args) => chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', ...args] });

/**
 * Opens an address in a context of its own. `complaints` gathers what the page complains of, and every request to
 * another host but those of `foreign`; a test ends with none.
 */
export async function visit(browser, server, address = '', { foreign = [], ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The library asks for files that a model's folder need not have.
    const { url } = message.location();
    const optional =
      /404/.test(message.text()) && (/\/(models|nowhere)\//.test(url) || foreign.some((host) => url.startsWith(host)));
    if (['error', 'warning'].includes(message.type()) && !optional) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, href } = new URL(request.url());
    if (![server.url, ...foreign].some((host) => href.startsWith(host)) && !['data:', 'blob:'].includes(protocol)) complaints.push(href);
  });
  await page.goto(server.url + address);
  return { context, page, complaints };
}

/** The app's model is here. */
export const ready = (page) => page.waitForSelector('.facts span');

/** The app shows its reading of `text`. */
export const readTo = (page, text) =>
  page.waitForFunction((wanted) => {
    const element = document.querySelector('headlight-text');
    return element?.text === wanted && element.tokens.length > 0 && !document.querySelector('.stale');
  }, text);

/** Types a text into the app and waits until it is read. */
export async function write(page, text) {
  await page.fill('#text', text);
  await readTo(page, text);
}

/** Chooses a model's folder, as one does in the browser's dialogue. */
export async function chooseModel(page, folder) {
  const opener = page.locator('.switch-model button');
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
  await page.locator('input[data-for=model]').setInputFiles(folder);
}

/** axe's findings on the page, as 'rule: element'. */
export async function axeFindings(page) {
  // From a file of this project rather than from the page's own origin: its policy allows no other script.
  await page.evaluate(fs.readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.html.slice(0, 120)}`),
    );
  });
}
