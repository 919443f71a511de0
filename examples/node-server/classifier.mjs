// A thread of the pool, with a model of its own.

import { parentPort, workerData } from 'node:worker_threads';
import { load } from 'bert-headlight';

const model = await load(workerData.model);

parentPort.on('message', async ({ id, text }) => {
  try {
    const [best] = await model.classify(text, { overlong: 'window' });
    parentPort.postMessage({ id, result: best });
  } catch (error) {
    parentPort.postMessage({ id, error: error.message });
  }
});
parentPort.postMessage({ ready: true });
