// The beginning of a site's service worker (web/app/service-worker.ts): what it keeps.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** What the service worker is told by its first line. */
export interface Deployment {
  /** Addresses against the service worker's own, and what changes when a file does. */
  files: { url: string; revision: string }[];
  /** Whether it makes the page cross-origin isolated. */
  isolate: boolean;
}

export const serviceWorkerName = 'sw.js';
const firstLine = /^self\.headlight = .*;\n/;

/** What it is told; null for a script that is no site's. */
export function readDeployment(script: string): Deployment | null {
  const [, json] = /^self\.headlight = (.*);\n/.exec(script) ?? [];
  return json === undefined ? null : (JSON.parse(json) as Deployment);
}

/** The script with another first line. names: of the files that it keeps, in `folder`. */
export function deploy(script: string, folder: string, names: readonly string[], isolate: boolean): string {
  const files = [...names].sort().map((name) => {
    const hash = createHash('sha256').update(fs.readFileSync(path.join(folder, name)));
    return { url: name.split(path.sep).join('/'), revision: hash.digest('hex').slice(0, 16) };
  });
  const deployment: Deployment = { files, isolate };
  return `self.headlight = ${JSON.stringify(deployment)};\n${script.replace(firstLine, '')}`;
}
