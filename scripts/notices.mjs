#!/usr/bin/env node
// Writes the sections of THIRD_PARTY_NOTICES about the packages that the page bundles, as the last build found them; what
// stands before them is written by hand.
//
//   npm run notices

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup/common.mjs';

const file = path.join(root, 'THIRD_PARTY_NOTICES');
const rule = '='.repeat(100);

// Packages by the bundles that hold them.
export const bundled = () => JSON.parse(fs.readFileSync(path.join(root, 'build/bundled-packages.json'), 'utf8'));

export const inPage = () => [...new Set(Object.values(bundled()).flat())].sort();

function sectionOf(name) {
  const folder = path.join(root, 'node_modules', name);
  const { license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const licenceFile = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!licenceFile) throw new Error(`${name} has no file that holds its licence`);
  const text = fs.readFileSync(path.join(folder, licenceFile), 'utf8').replace(/[^\S\n]+$/gm, '').trim();
  return `${rule}\n${name}\nin the page · ${license}\n${rule}\n\n${text}\n`;
}

// The file as it should be.
export function written() {
  const text = fs.readFileSync(file, 'utf8');
  const generated = text.search(/^=+\n[^\n]+\nin the page · /m);
  return `${text.slice(0, generated).trimEnd()}\n\n${inPage().map(sectionOf).join('\n')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) fs.writeFileSync(file, written());
