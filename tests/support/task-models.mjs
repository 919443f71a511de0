// A small model for each task, loaded.

import path from 'node:path';
import { library } from './built.mjs';
import { committedGolden } from './golden.mjs';
import { makeTinyModel, writeFolder } from './tiny-model.mjs';

const load = (folder) => library.load(folder);
/** The folder of a committed golden. */
export const golden = (name) => path.join(committedGolden, name);

export const folder = writeFolder(makeTinyModel());
export const classifier = await load(folder);
export const entities = await load(golden('bertrelkeyquery-tokcls'));
export const masks = await load(golden('bert-mlm'));
export const answers = await load(golden('roberta-qa'));
export const sentences = await load(golden('bert-nsp'));
export const entailment = await load(golden('roberta-nli'));
export const ranker = await load(writeFolder(makeTinyModel({ labels: ['LABEL_0'] })));
export const models = [classifier, entities, masks, answers, sentences, entailment, ranker];
