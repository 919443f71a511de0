// "Save as CSV · SVG · PNG" of an element.

import { html, type TemplateResult } from 'lit';
import type { Strings } from './strings/index.js';

interface Savable extends HTMLElement {
  toCSV(): string;
  toSVG(): string;
  toPNG(): Promise<Blob>;
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

const kinds: Record<string, (element: Savable) => Blob | Promise<Blob>> = {
  CSV: (element) => csvBlob([element.toCSV()]),
  SVG: (element) => new Blob([element.toSVG()], { type: 'image/svg+xml' }),
  PNG: (element) => element.toPNG(),
};

/** @param tag the element in whose slot the buttons lie */
export function saveButtons(strings: Strings, tag: string): TemplateResult {
  const save = async (event: Event, kind: string) => {
    const element = (event.currentTarget as Element).closest<Savable>(tag)!;
    download(await kinds[kind]!(element), `${tag}.${kind.toLowerCase()}`);
  };
  return html`<span class="save" slot="tools">
    ${strings.save}
    ${Object.keys(kinds).map(
      (kind) =>
        html`<button type="button" class="plain" @click=${(event: Event) => save(event, kind)}>${kind}</button>`,
    )}
  </span>`;
}
