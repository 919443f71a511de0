// The page without a network: the service worker (service-worker.ts) keeps its files.

import { trustedScriptUrl } from '../src/trusted.js';
import type { Platform } from '../src/types.js';

/** Registers the service worker where there can be one; without it the page works all the same. */
export function keepPage(): void {
  if (!/^https?:$/.test(location.protocol) || !isSecureContext || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register(trustedScriptUrl('./sw.js')).catch(() => {});
}

/**
 * Threads that do not run although the page is cross-origin isolated cost a wait at each load: the service worker is
 * told, and isolates the page no more.
 */
export function tellThreads({ threads }: Platform): void {
  if (!crossOriginIsolated || threads > 1 || navigator.hardwareConcurrency <= 1) return;
  navigator.serviceWorker?.controller?.postMessage('no-threads');
}
