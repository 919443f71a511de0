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
