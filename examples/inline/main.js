import { load } from 'bert-headlight/inline';

const model = await load('./model');
const [best] = await model.classify('the movie was good');
document.querySelector('output').textContent = JSON.stringify({ ...best, worker: model.platform.worker });
