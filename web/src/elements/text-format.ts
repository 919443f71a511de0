// Numbers and words as the elements write them.

export type NumberFormat = 'percent' | 'number';

/** '34 %' of 0.34, '0.4 %' below one per cent; '0.34' as a number. A true minus sign. */
export function formatWeight(value: number, format: NumberFormat): string {
  const size = Math.abs(value);
  // What is written as 0 has no sign.
  const sign = value < 0 && (format === 'percent' || size >= 0.005) ? '\u2212' : '';
  if (size === 0) return format === 'number' ? '0' : '0\u202f%';
  if (format === 'number') return sign + (size === 1 ? '1' : size.toFixed(2));
  const percent = size * 100;
  if (percent > 0 && percent < 0.1) return `${sign}<0.1\u202f%`;
  return `${sign}${percent.toFixed(percent < 9.95 ? 1 : 0)}\u202f%`;
}

/** Puts values in the places of a sentence: fill('{token} took {share}', { token: '[SEP]', share: '61 %' }). */
export const fill = (sentence: string, values: Record<string, string | number>): string =>
  sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

/** A float32 in the fewest digits that give it back. */
export const floatText = (value: number): string => String(Number(value.toPrecision(9)));

/** Comma-separated values (RFC 4180), lines end in CRLF. */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows
    .map((row) =>
      row
        .map((cell) => {
          const text = typeof cell === 'number' ? floatText(cell) : cell;
          return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        })
        .join(','),
    )
    .join('\r\n') + '\r\n';
