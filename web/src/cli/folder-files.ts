// The files of a model's folder: those that tell it, and its safetensors with their index.

import fs from 'node:fs';
import path from 'node:path';
import { HeadlightError, describe } from '../errors.js';
import type { WasmInstance } from '../wasm.js';
import { manifestName } from './manifest.js';
import { namesIn } from './output.js';

const vocabularies = ['vocab.txt', 'vocab.json', 'merges.txt', 'sentencepiece.bpe.model', 'spiece.model', 'spm.model'];

/** The names of all files but weights that tell a model. */
export function smallFiles(wasm: WasmInstance): string[] {
  wasm.send({ method: 'smallFiles', params: {} }, (glue, size) => glue._hl_query(size));
  return (wasm.replyJson() as { result: string[] }).result;
}

/** config.json and what tells the tokenizer, but no manifest; a vocabulary file only where there is no tokenizer.json. */
export function copySmallFiles(folder: string, target: string, wanted: string[]): string[] {
  const there = namesIn(folder);
  const redundant = [manifestName, ...(there.includes('tokenizer.json') ? vocabularies : [])];
  const isThere = (name: string) => there.includes(name) || (name.includes('/') && fs.existsSync(path.join(folder, name)));
  const names = wanted.filter((name) => isThere(name) && !/\.index\./.test(name) && !redundant.includes(name));
  // Contents alone: a pack of a read-only folder is not read-only.
  for (const name of names) {
    fs.mkdirSync(path.dirname(path.join(target, name)), { recursive: true });
    fs.writeFileSync(path.join(target, name), fs.readFileSync(path.join(folder, name)));
  }
  return names;
}

/** Of a safetensors file: its tensors, and __metadata__, which has no offsets. */
export type SafetensorsHeader = Record<
  string,
  { dtype: string; shape: number[]; data_offsets?: [number, number] }
>;

/** Writes the index of these shards under `name`, as Hugging Face writes it. */
export function writeIndex(target: string, name: string, shards: string[]): void {
  const weightMap: Record<string, string> = {};
  let totalSize = 0;
  for (const shard of shards) {
    const { header } = readHeader(path.join(target, shard));
    for (const [tensor, { data_offsets }] of Object.entries(header)) {
      if (!data_offsets) continue; // __metadata__
      weightMap[tensor] = shard;
      totalSize += data_offsets[1] - data_offsets[0];
    }
  }
  const index = { metadata: { total_size: totalSize }, weight_map: weightMap };
  fs.writeFileSync(path.join(target, name), `${JSON.stringify(index, null, 2)}\n`);
}

export function readHeader(file: string): { header: SafetensorsHeader; begin: number } {
  const descriptor = fs.openSync(file, 'r');
  try {
    const size = Buffer.alloc(8);
    fs.readSync(descriptor, size, 0, 8, 0);
    const header = Buffer.alloc(Number(size.readBigUInt64LE()));
    fs.readSync(descriptor, header, 0, header.length, 8);
    return { header: JSON.parse(header.toString()) as SafetensorsHeader, begin: 8 + header.length };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The shards that an index of weights names. Throws E_MODEL_CORRUPT. */
export function readShards(index: string): string[] {
  try {
    const { weight_map } = JSON.parse(fs.readFileSync(index, 'utf8')) as { weight_map: Record<string, string> };
    return [...new Set(Object.values(weight_map))].sort();
  } catch (error) {
    throw new HeadlightError(
      'E_MODEL_CORRUPT',
      `${index} is no index of shards: ${describe(error)}`,
      { file: index },
      { cause: error },
    );
  }
}

