// A spreadsheet of what an element shows: a sheet of the values with their light, and one of where they come from.

import writeExcelFile from 'write-excel-file/browser';
import type { Cell, ViewData } from '../src/elements/index.js';

/** Full light, positive and negative, as the page has them on white. */
const lights = { positive: [255, 197, 71], negative: [153, 196, 255] } as const;

const hex = (parts: readonly number[]): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** The tint of a value whose full light is at `full`. */
export function tint(value: number, full: number): string {
  const strength = full > 0 ? Math.min(1, Math.abs(value) / full) : 0;
  return hex(lights[value < 0 ? 'negative' : 'positive'].map((part) => 255 + (part - 255) * strength));
}

export async function workbook({ caption, about, columns, lit, rows }: ViewData): Promise<Blob> {
  const full = rows.reduce((most, row) => lit.reduce((more, i) => Math.max(more, Math.abs(Number(row[i]))), most), 0);
  const cell = (value: Cell, column: number) =>
    typeof value === 'number' && lit.includes(column)
      ? { value, type: Number, backgroundColor: tint(value, full) }
      : { value, type: typeof value === 'number' ? Number : String };
  const origin = Object.entries({ caption, ...about }).map((entry) => entry.map((value) => ({ value, type: String })));
  return writeExcelFile([
    {
      sheet: 'values',
      stickyRowsCount: 1,
      data: [
        columns.map((value) => ({ value, type: String, fontWeight: 'bold' as const })),
        ...rows.map((row) => row.map(cell)),
      ],
    },
    { sheet: 'about', data: origin },
  ]).toBlob();
}
