// Where the bytes of models behind an address are kept for when there is no network.

import type { LoadOptions } from '../src/types.js';

const STORE = 'headlight-models';

/** The options by which `load` keeps them. */
export const keeping = (location: unknown): Pick<LoadOptions, 'fetch'> =>
  typeof location === 'string' && isSecureContext && 'caches' in window ? { fetch: keepingFetch } : {};

/** As `fetch`: the server's answer, of which a copy is kept; the copy where the server cannot be asked. */
async function keepingFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    const copy = request.signal.aborted ? null : await copyOf(request);
    if (!copy) throw error;
    return copy;
  }
  // A part of a file cannot be kept, and the fault of a server need not be.
  if (response.status !== 206 && response.status < 500) void keep(request, response.clone());
  return response;
}

const copyOf = async (request: Request): Promise<Response | null> => {
  try {
    const store = await caches.open(STORE);
    return (await store.match(request.url, { ignoreVary: true })) ?? null;
  } catch {
    return null; // a browser that keeps nothing
  }
};

async function keep(request: Request, response: Response): Promise<void> {
  try {
    const copy = await copyOf(request);
    if (copy && versionOf(copy) !== '' && versionOf(copy) === versionOf(response)) return await response.body?.cancel();
    await (await caches.open(STORE)).put(request.url, response);
  } catch {
    // The storage is full, or the download broke off: then there is no copy.
  }
}

const versionOf = ({ status, headers }: Response): string => {
  const tag = headers.get('ETag') ?? headers.get('Last-Modified');
  return tag === null ? '' : `${status} ${tag}`;
};
