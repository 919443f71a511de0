// The input of every contender: n tokens, [CLS] and [SEP] among them, of the vocabulary that export_models.py writes.

const classToken = 101;
const separator = 102;

/** Ids of a text of n tokens. */
export function idsOf(n) {
  const inner = Array.from({ length: n - 2 }, (_, i) => 1000 + ((i * 7919) % 20000));
  return [classToken, ...inner, separator];
}

/** The text that has these ids. */
export const textOf = (n) =>
  idsOf(n)
    .slice(1, -1)
    .map((id) => `w${id}`)
    .join(' ');
