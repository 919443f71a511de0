#!/usr/bin/env node
// Writes the app's icons as pictures, from web/app/icon.svg.
//
//   node scripts/icons.mjs

import fs from 'node:fs';
import path from 'node:path';
import { launch } from '../tests/support/page.mjs';
import { root } from './setup/common.mjs';

const folder = path.join(root, 'web/app');
const icon = fs.readFileSync(path.join(folder, 'icon.svg'), 'utf8');

// A maskable icon fills the square, and what matters lies within four fifths of it.
const maskable = icon.replace(/<rect width="32".*?\/>/, '').replace('viewBox="0 0 32 32"', 'viewBox="-5 -6 42 42" style="background:#1d1a16"');

const browser = await launch();
for (const [name, svg, size] of [
  ['icon-192.png', icon, 192],
  ['icon-512.png', icon, 512],
  ['icon-maskable-512.png', maskable, 512],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  await page.screenshot({ path: path.join(folder, name), omitBackground: true });
  await page.close();
}
await browser.close();
