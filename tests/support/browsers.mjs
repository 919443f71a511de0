// Chromium and Firefox, driven by the same code: Puppeteer speaks WebDriver BiDi to Firefox, the DevTools' protocol to Chromium.

import puppeteer from 'puppeteer-core';
import { findBrowser, findFirefox } from '../../scripts/setup/browser.mjs';

const browsers = {
  Chromium: { browser: 'chrome', executablePath: () => findBrowser(), args: ['--no-sandbox'] },
  Firefox: { browser: 'firefox', executablePath: () => findFirefox(), args: [] },
};

export const browserNames = Object.keys(browsers);

export function launchBrowser(name) {
  const { executablePath, ...options } = browsers[name];
  return puppeteer.launch({ ...options, executablePath: executablePath(), headless: true });
}

/**
 * Opens an address. `complaints` gathers what the page complains of and every request to another host, `requests` all
 * addresses that were asked for.
 */
export async function visitIn(browser, address) {
  const { origin } = new URL(address);
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const complaints = [];
  const requests = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The library asks for files that a model's folder need not have.
    if (['error', 'warn'].includes(message.type()) && !/404/.test(message.text())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    requests.push(url);
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) complaints.push(url);
  });
  await page.goto(address);
  return { page, complaints, requests };
}

/** Waits until a function gives true in the page. Puppeteer's own way would need a policy with 'unsafe-eval'. */
export async function until(page, condition, ...args) {
  for (const end = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 30))) {
    if ((await page.evaluate(condition, ...args)) === true) return;
    if (Date.now() > end) throw new Error(`not within 30 s: ${condition}`);
  }
}
