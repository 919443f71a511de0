// A text cut at the spans that are marked in it.

export interface Span {
  /** UTF-16 units. */
  start: number;
  end: number;
}

export interface Segment<Mark extends Span> {
  text: string;
  /** null between marks. */
  mark: Mark | null;
}

/** Segments that joined are the text. Of marks that overlap, the first in the text is kept. */
export function segmentsOf<Mark extends Span>(text: string, marks: readonly Mark[]): Segment<Mark>[] {
  const segments: Segment<Mark>[] = [];
  let at = 0;
  for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
    const end = Math.min(mark.end, text.length);
    if (mark.start < at || end <= mark.start) continue;
    if (mark.start > at) segments.push({ text: text.slice(at, mark.start), mark: null });
    segments.push({ text: text.slice(mark.start, end), mark });
    at = end;
  }
  if (at < text.length) segments.push({ text: text.slice(at), mark: null });
  return segments;
}

/** Characters of a long text that an answer shows around what it marks. */
const AROUND = 300;
/** A shorter text is shown whole. */
const SHORT = 3000;

/** The part of a text that holds all marks with some of what stands around them, cut at spaces where there are any. */
export function excerptOf(text: string, marks: readonly Span[]): Span {
  if (text.length <= SHORT) return { start: 0, end: text.length };
  const first = Math.min(text.length, ...marks.map(({ start }) => start)) % text.length;
  const last = Math.max(0, ...marks.map(({ end }) => end));
  const space = (at: number) => {
    const found = text.indexOf(' ', at);
    return found >= 0 && found < at + 20 ? found + 1 : at;
  };
  return {
    start: first > AROUND ? space(first - AROUND) : 0,
    end: last + AROUND < text.length ? space(last + AROUND) : text.length,
  };
}

/** Where marks that are within an excerpt stand in it, each with the mark as it was given. */
export const marksIn = <Mark extends Span>(excerpt: Span, marks: readonly Mark[]): (Span & { given: Mark })[] =>
  marks
    .filter(({ start, end }) => start >= excerpt.start && end <= excerpt.end)
    .map((given) => ({ start: given.start - excerpt.start, end: given.end - excerpt.start, given }));
