// Heads of layers, to read.

/** A line a layer that lost heads: 'layer 3: heads 1, 4–7'. heads: by layer, ascending. */
export const headLines = (heads: readonly (readonly number[])[]): string[] =>
  heads.flatMap((of, layer) => {
    if (of.length === 0) return [];
    return [`layer ${layer}: ${of.length === 1 ? 'head' : 'heads'} ${ranges(of).join(', ')}`];
  });

/** 1, 4, 5, 6 as '1', '4–6'. */
function ranges(numbers: readonly number[]): string[] {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
}
