// Sentences whose words are tagged as entities by the scheme IOB2: B-TYPE begins an entity, I-TYPE goes on with it, O is
// outside of any.

import { HeadlightError } from '../../errors.js';
import { linesOf, readText } from '../command.js';
import { failAt } from './evaluation.js';

export interface Sentence {
  words: string[];
  /** One a word. */
  tags: string[];
  /** In the file, from 1. */
  line: number;
}

export interface TaggedEntity {
  type: string;
  /** Half-open range of words. */
  start: number;
  end: number;
}

/**
 * A line is word TAB tag, sentences part at blank lines. Throws E_INVALID_ARGUMENT, with the line, for another line, and
 * for an I-TYPE that goes on with nothing.
 */
export function readSentences(file: string): Sentence[] {
  const sentences: Sentence[] = [];
  let open: Sentence | undefined;
  for (const [index, text] of linesOf(readText(file)).entries()) {
    const line = index + 1;
    if (text.trim() === '') {
      open = undefined;
      continue;
    }
    const [word = '', tag = '', ...others] = text.split('\t');
    if (word.trim() === '' || others.length > 0) failAt(file, line, 'is not a word, a tab and a tag');
    if (!isTag(tag)) failAt(file, line, `has the tag "${tag}", which is not O, B-TYPE or I-TYPE`);
    if (!open) sentences.push((open = { words: [], tags: [], line }));
    if (tag.startsWith('I-') && typeOf(open.tags.at(-1) ?? 'O') !== typeOf(tag)) {
      failAt(file, line, `has the tag ${tag} after no ${typeOf(tag)}: an entity begins with B-`);
    }
    open.words.push(word);
    open.tags.push(tag);
  }
  if (sentences.length === 0) throw new HeadlightError('E_INVALID_ARGUMENT', `${file} has no sentences`, { file });
  return sentences;
}

/** Strictly: an I-TYPE that goes on with nothing is in no entity. */
export function entitiesOf(tags: readonly string[]): TaggedEntity[] {
  const found: TaggedEntity[] = [];
  let open: TaggedEntity | undefined;
  for (const [index, tag] of tags.entries()) {
    if (open && tag.startsWith('I-') && typeOf(tag) === open.type) {
      open.end = index + 1;
      continue;
    }
    open = undefined;
    if (tag.startsWith('B-')) found.push((open = { type: typeOf(tag), start: index, end: index + 1 }));
  }
  return found;
}

export function isTag(tag: string): boolean {
  return tag === 'O' || /^[BI]-./.test(tag);
}

/** '' for O. */
export function typeOf(tag: string): string {
  return tag.slice(2);
}
