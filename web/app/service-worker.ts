// The service worker, dist/app/sw.js: keeps the page and the engine for when there is no network, and may make the page
// cross-origin isolated where the server cannot send the headers for it. The bytes of models are the library's cache's.
//
// A new version is fetched beside the old one and takes over once no page of the old one is open; the old one's files
// go then. A page is never reloaded.

import { addPlugins, cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';
import type { Deployment } from '../src/cli/site/service-worker.js';

interface Waiting extends Event {
  waitUntil(promise: Promise<unknown>): void;
}

interface Scope {
  /** The first line of the script. */
  headlight: Deployment;
  caches: CacheStorage;
  registration: { scope: string };
  addEventListener(type: string, listener: (event: Waiting & { data?: unknown }) => void): void;
}

const scope = globalThis as unknown as Scope;
const { files, isolate } = scope.headlight;

/** Holds a note where threads did not run in this browser. */
const notes = `headlight-notes-${scope.registration.scope}`;
const noThreads = new URL('no-threads', scope.registration.scope).href;

let isolating: Promise<boolean> | null = null;

function isIsolating(): Promise<boolean> {
  isolating ??= scope.caches
    .open(notes)
    .then((store) => store.match(noThreads))
    .then((note) => note === undefined);
  return isolating;
}

/**
 * A copy with the headers by which a page, and each of its workers, is cross-origin isolated. 'require-corp', since not
 * all browsers take 'credentialless' from a service worker; the page loads nothing of other origins but by CORS.
 */
function isolated(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

if (isolate) {
  addPlugins([{ handlerWillRespond: async ({ response }) => ((await isIsolating()) ? isolated(response) : response) }]);
  scope.addEventListener('message', (event) => {
    if (event.data !== 'no-threads') return;
    isolating = Promise.resolve(false);
    event.waitUntil(scope.caches.open(notes).then((store) => store.put(noThreads, new Response())));
  });
}
// A new version, or a new browser, may do better.
scope.addEventListener('activate', (event) => event.waitUntil(scope.caches.delete(notes)));

cleanupOutdatedCaches();
// The address of a model is no part of the page's own.
precacheAndRoute(files, { ignoreURLParametersMatching: [/./], cleanURLs: false });
