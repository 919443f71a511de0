import { invalid, reading } from '../options.js';
import { withCuts } from './results.js';
import type { InputPair } from '../engine.js';
import type { Answer, Cut, Question, Results } from '../types.js';

/** What the engine returns for one question. */
export interface AnswerReply {
  answers: Answer[];
  truncated: Cut[];
}

export const toAnswers = ({ answers, truncated }: AnswerReply): Results<Answer> => withCuts(answers, truncated);

/** Questions as the engine takes them; throws E_INVALID_ARGUMENT for what is none. */
export function toQuestionPairs(questions: Question | readonly Question[]): InputPair | InputPair[] {
  return reading('An input', () =>
    Array.isArray(questions) ? Array.from(questions as Question[], toQuestionPair) : toQuestionPair(questions as Question),
  );
}

function toQuestionPair(question: Question): InputPair {
  if (typeof question === 'object' && question !== null) {
    const { question: text, context: textPair, ...others } = question;
    const isText = typeof text === 'string' && typeof textPair === 'string';
    if (isText && Object.keys(others).length === 0) return { text, textPair };
  }
  throw invalid('An input must be { question, context }, both strings');
}
