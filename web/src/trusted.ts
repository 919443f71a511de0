// Addresses of workers where a page requires Trusted Types: the policy `headlight` vouches for those of the page's own
// origin, the only ones that a browser starts workers from.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown };
}

/** Makes an address one that a worker takes. */
type ScriptUrl = (url: string | URL) => string | URL;

let scriptUrl: ScriptUrl | undefined;
let isRefused = false;

/** Why a worker may not start: empty, unless the page refused the policy. */
export const refusedPolicy = (): string =>
  isRefused ? "the page requires Trusted Types and refuses the policy headlight: add it to trusted-types in the page's policy" : '';

/** The address, vouched for where it is of this origin, the browser knows Trusted Types and the page allows the policy. */
export function trustedScriptUrl(url: string | URL): string | URL {
  return (scriptUrl ??= findPolicy())(url);
}

function findPolicy(): ScriptUrl {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  try {
    const policy = trustedTypes?.createPolicy('headlight', { createScriptURL: (url) => url });
    // TypeScript's declaration of Worker knows no trusted addresses.
    if (policy) return (url) => (isOwn(url) ? (policy.createScriptURL(String(url)) as string) : url);
  } catch {
    // The page allows other policies alone; whether it requires one shows when the worker starts.
    isRefused = true;
  }
  return (url) => url;
}

function isOwn(url: string | URL): boolean {
  return new URL(url, globalThis.document?.baseURI ?? location.href).origin === location.origin;
}

/**
 * What `start` starts, its address vouched for. Bundlers know `new Worker(new URL(…))` only as it stands, with an address
 * and the global constructor: so that one is another while `start` runs, which is no longer than this call.
 */
export function startTrusted(start: () => Worker): Worker {
  const { Worker: native } = globalThis;
  if (!('trustedTypes' in globalThis)) return start();
  globalThis.Worker = function (url: string | URL, options?: WorkerOptions) {
    return new native(trustedScriptUrl(url), options);
  } as unknown as typeof Worker;
  try {
    return start();
  } finally {
    globalThis.Worker = native;
  }
}
