// What an element shows, as a file.

import { html, type TemplateResult } from 'lit';
import type { Strings } from './strings/index.js';
import type { ViewData } from '../src/elements/index.js';

interface Savable extends HTMLElement {
  toCSV(): string;
  toData(): ViewData;
  toSVG(): string;
  toPNG(): Promise<Blob>;
  toHTML(): string;
}

/** Hands a file to the browser's downloads. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The mark at the beginning tells spreadsheets that it is UTF-8. */
export const csvBlob = (parts: readonly BlobPart[]): Blob =>
  new Blob(['\ufeff', ...parts], { type: 'text/csv;charset=utf-8' });

interface Kind {
  name: string;
  extension: string;
  make(element: Savable): Blob | Promise<Blob>;
}

const kinds: readonly Kind[] = [
  { name: 'CSV', extension: 'csv', make: (element) => csvBlob([element.toCSV()]) },
  {
    name: 'Excel',
    extension: 'xlsx',
    make: async (element) => (await import('./workbook.js')).workbook(element.toData()),
  },
  {
    name: 'JSON',
    extension: 'json',
    make: (element) => new Blob([JSON.stringify(element.toData(), null, 1)], { type: 'application/json' }),
  },
  { name: 'SVG', extension: 'svg', make: (element) => new Blob([element.toSVG()], { type: 'image/svg+xml' }) },
  { name: 'PNG', extension: 'png', make: (element) => element.toPNG() },
  { name: 'HTML', extension: 'html', make: (element) => new Blob([element.toHTML()], { type: 'text/html' }) },
];

/** A menu of the forms. @param tag the element in whose slot it lies */
export function saveMenu(strings: Strings, tag: string): TemplateResult {
  const onChange = async (event: Event) => {
    const menu = event.currentTarget as HTMLSelectElement;
    const { extension, make } = kinds[menu.selectedIndex - 1]!;
    menu.selectedIndex = 0;
    const element = menu.closest<Savable>(tag)!;
    download(await make(element), `${tag}.${extension}`);
  };
  return html`<span class="menu save" slot="tools"
    ><span class="menu-word" aria-hidden="true">${strings.save}</span
    ><select aria-label=${strings.save} @change=${onChange}>
      <option disabled selected>${strings.save}</option>
      ${kinds.map(({ name }) => html`<option>${name}</option>`)}
    </select></span
  >`;
}
