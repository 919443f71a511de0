import { load } from 'bert-headlight/inline';

// In a function: Vite 5 and 6 build for browsers that lack await at the top of a module.
async function read() {
  const model = await load('./model');
  const [best] = await model.classify('the movie was good');
  document.querySelector('output').textContent = JSON.stringify({ ...best, worker: model.platform.worker });
}

read();
