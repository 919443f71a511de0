import { HeadlightError } from '../errors.js';
import { withCuts } from './results.js';
import type { Answer, Cut, Question, Results } from '../types.js';

/** What the engine returns for one question. */
export interface AnswerReply {
  answers: Answer[];
  truncated: Cut[];
}

export const toAnswers = ({ answers, truncated }: AnswerReply): Results<Answer> => withCuts(answers, truncated);

/** A question as the engine takes it; throws E_INVALID_ARGUMENT for what is none. */
export function toQuestionPair(question: Question): { text: string; textPair: string } {
  if (typeof question === 'object' && question !== null) {
    const { question: text, context: textPair, ...others } = question;
    const isText = typeof text === 'string' && typeof textPair === 'string';
    if (isText && Object.keys(others).length === 0) return { text, textPair };
  }
  throw new HeadlightError('E_INVALID_ARGUMENT', 'An input must be { question, context }, both strings');
}
