// A text with marks in it; of a long one the part that holds them.

import { html, type TemplateResult } from 'lit';
import { excerptOf, marksIn, segmentsOf, type Span } from './marks.js';
import { languageOf } from './units.js';

/**
 * @param kind   a class of the paragraph
 * @param render what stands in the place of a mark; `mark` as it was given
 */
export function marked<Mark extends Span>(
  kind: string,
  text: string,
  marks: readonly Mark[],
  render: (text: string, mark: Mark) => unknown,
): TemplateResult {
  const excerpt = excerptOf(text, marks);
  const part = text.slice(excerpt.start, excerpt.end);
  return html`<p class=${kind} dir="auto" lang=${languageOf(text) || 'und'}>${excerpt.start > 0 ? '… ' : ''}${segmentsOf(
    part,
    marksIn(excerpt, marks),
  ).map((segment) => (segment.mark ? render(segment.text, segment.mark.given) : segment.text))}${
    excerpt.end < text.length ? ' …' : ''
  }</p>`;
}
