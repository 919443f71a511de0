// Gives a worker thread of Node what a web worker has and Emscripten's glue asks for.

import { nodeModule } from './node.js';

const port = nodeModule('node:worker_threads')?.parentPort;
if (port) {
  const scope = globalThis as unknown as { onmessage?: (event: { data: unknown }) => void };
  Object.assign(globalThis, {
    self: globalThis,
    name: 'em-pthread',
    WorkerGlobalScope: Object,
    // By these Emscripten 3.1 knows a worker, and where it is.
    importScripts: () => {},
    location: { href: import.meta.url },
    postMessage: (message: unknown) => port.postMessage(message),
  });
  port.on('message', (data: unknown) => scope.onmessage?.({ data }));
}
