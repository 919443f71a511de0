// Prints token ids, attention mask, types and logits of a text, as JSON: logits.mjs FOLDER TEXT

import { library } from '../../support/built.mjs';

const [folder, text] = process.argv.slice(2);
const model = await library.load(folder);
const { ids, typeIds } = await model.tokenize(text);
const { logits, startLogits } = await model.forward(text);
model.dispose();
const { data, shape } = logits ?? startLogits;
console.log(JSON.stringify({ ids: [...ids], typeIds: [...typeIds], logits: [...data], shape }));
