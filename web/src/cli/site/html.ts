// The page's HTML, with a model's name in it.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HeadlightError } from '../../errors.js';
import type { SiteModel } from './model.js';

/** dist/, where the page's files lie beside the engine's. */
export const dist = path.dirname(fileURLToPath(import.meta.url));

/** What the page knows of its model (web/app/site.ts). */
export function siteBlock({ name, title, precision, info, examples }: SiteModel, held: boolean): string {
  const site = { title, model: `./models/${name}`, held, precision, info, examples };
  return dataBlock('application/json', 'id="headlight-site"', toHtmlJson(site));
}

/** A script element that is data: nothing runs it. `data` must hold no tag. */
export function dataBlock(type: string, attributes: string, data: string): string {
  return `<script type="${type}" ${attributes}>${data}</script>`;
}

/** JSON in which no text ends the element that holds it. */
export const toHtmlJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** One place of the page's HTML; throws where it is not there. */
export function replaceOnce(html: string, place: RegExp, text: string): string {
  if (!place.test(html)) throw new HeadlightError('E_INTERNAL', `The page has no ${place.source}`);
  return html.replace(place, () => text);
}

/** Whether a file is a page that `headlight site` wrote. */
export function isSite(file: string): boolean {
  if (!fs.existsSync(file) || !fs.statSync(file).isFile()) return false;
  const descriptor = fs.openSync(file, 'r');
  try {
    const start = Buffer.alloc(1 << 16);
    return start.subarray(0, fs.readSync(descriptor, start, 0, start.length, 0)).includes('id="headlight-site"');
  } finally {
    fs.closeSync(descriptor);
  }
}
