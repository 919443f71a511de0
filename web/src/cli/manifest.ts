// headlight.json, the manifest of a pack (docs/format.md).

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { HeadlightError, describe } from '../errors.js';
import { readText } from './command.js';
import { namesIn } from './output.js';
import type { FilePart, FileSums } from '../types.js';

export interface Manifest {
  format: 1;
  files: Record<string, FileSums>;
}

export const manifestName = 'headlight.json';
/** Read before the manifest, and so never in parts. */
const configName = 'config.json';
export const chunkBytes = 1 << 20;

async function measure(file: string): Promise<FileSums> {
  const hash = createHash('sha256');
  for await (const chunk of fs.createReadStream(file, { highWaterMark: chunkBytes })) hash.update(chunk as Uint8Array);
  return { bytes: fs.statSync(file).size, sha256: hash.digest('hex') };
}

/** Describes these files of a folder; those of more than `maxPart` bytes, but config.json, are cut into parts. */
export async function describeFiles(folder: string, names: readonly string[], maxPart = Infinity): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const name of [...names].sort()) {
    const sums = await measure(path.join(folder, name));
    const isLarge = sums.bytes > maxPart && name !== configName;
    files[name] = isLarge ? { ...sums, parts: await split(folder, name, maxPart) } : sums;
  }
  return { format: 1, files };
}

export function writeManifest(folder: string, manifest: Manifest): void {
  fs.writeFileSync(path.join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Puts parts of at most `partBytes` in the place of a file. */
async function split(folder: string, name: string, partBytes: number): Promise<FilePart[]> {
  const file = path.join(folder, name);
  const { size } = fs.statSync(file);
  const count = Math.ceil(size / partBytes);
  const number = (n: number) => String(n).padStart(5, '0');
  const parts: FilePart[] = [];
  for (let index = 0; index < count; index++) {
    const part = `${name}.part-${number(index + 1)}-of-${number(count)}`;
    const start = index * partBytes;
    const bytes = fs.createReadStream(file, { start, end: Math.min(size, start + partBytes) - 1, highWaterMark: chunkBytes });
    await pipeline(bytes, fs.createWriteStream(path.join(folder, part)));
    parts.push({ file: part, ...(await measure(path.join(folder, part))) });
  }
  fs.rmSync(file);
  return parts;
}

/** Compares a pack's files with its manifest; returns how many there are. Throws at the first that differs. */
export async function verify(given: string): Promise<number> {
  if (/^https?:/i.test(given)) {
    const message = `${given} is an address; --verify compares the files of a folder of this machine`;
    const advice = "Leave --verify out: what comes from an address is compared with its manifest's sums as it comes. Or download the folder first.";
    throw new HeadlightError('E_INVALID_ARGUMENT', message, { file: given }, { advice });
  }
  const folder = /^file:/i.test(given) ? fileURLToPath(given) : given;
  namesIn(folder);
  const manifest = path.join(folder, manifestName);
  if (!fs.existsSync(manifest)) {
    const message = `${folder} is no pack: it has no ${manifestName}, which tells the sums to verify by`;
    const advice = 'Leave --verify out, or give the folder that headlight pack or headlight prune wrote.';
    throw new HeadlightError('E_INVALID_ARGUMENT', message, { file: folder }, { advice });
  }
  const files = Object.entries(readManifest(manifest).files).flatMap(([name, sums]): [string, FileSums][] =>
    sums.parts ? sums.parts.map(({ file, ...part }) => [file, part]) : [[name, sums]],
  );
  for (const [name, expected] of files) {
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) throw new HeadlightError('E_NOT_FOUND', `There is no ${file}`, { file });
    const { bytes, sha256 } = await measure(file);
    if (bytes < expected.bytes) {
      throw new HeadlightError('E_MODEL_TRUNCATED', `${file} has ${bytes} of ${expected.bytes} bytes`, { file });
    }
    if (sha256 !== expected.sha256) {
      throw new HeadlightError('E_MODEL_CORRUPT', `${file} does not have the manifest's SHA-256 sum`, { file });
    }
  }
  return files.length;
}

/** The files of a folder that its manifest tells, and the manifest; null for a folder that has none. */
export function filesOfManifest(folder: string): string[] | null {
  const manifest = path.join(folder, manifestName);
  if (!fs.existsSync(manifest)) return null;
  const files = Object.entries(readManifest(manifest).files);
  return [manifestName, ...files.flatMap(([name, { parts }]) => (parts ? parts.map(({ file }) => file) : [name]))];
}

function readManifest(file: string): Manifest {
  const text = readText(file);
  try {
    const manifest = JSON.parse(text) as Manifest;
    if (typeof manifest?.files !== 'object' || manifest.files === null) throw new Error('it lists no files');
    return manifest;
  } catch (error) {
    throw new HeadlightError(
      'E_MODEL_CORRUPT',
      `${file} is no manifest: ${describe(error)}`,
      { file },
      { cause: error },
    );
  }
}
