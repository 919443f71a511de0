import fs from 'node:fs';
import path from 'node:path';
import { startBuild } from '../builds.js';
import { HeadlightError } from '../errors.js';
import { load } from '../load.js';
import type { WasmInstance } from '../wasm.js';
import { UsageError, jsonOption, print, printJson, type Command } from './command.js';
import { copySmallFiles, readShards, smallFiles, writeIndex } from './folder-files.js';
import { chunkBytes, describeFiles, filesOfManifest, writeManifest, type Manifest } from './manifest.js';
import { checkOutput, folderAtomically, megabytes, namesIn, type Output } from './output.js';

const help = `Usage: headlight pack FOLDER -o FOLDER [--max-part SIZE] [--force] [--json]

Quantises the weights of a Hugging Face folder to int8 and writes a folder of its own, with the tokenizer and a
manifest of sizes and SHA-256 sums. The output appears whole or not at all.

  -o, --output FOLDER  where to
      --max-part SIZE  cut larger files into parts of this size, which load joins: 20MB, 24MiB
      --force          replace a pack that is there; files that headlight did not write are never removed
      --json           print the manifest
`;

/** By preference, as the engine has it: one file, or an index of shards. */
const weightForms = ['model.safetensors', 'pytorch_model.bin'];
const packedIndexName = 'model.safetensors.index.int8.json';

/** Folders with a manifest are packs, and what `headlight prune` writes. */
export const packOutput = (force: boolean): Output => ({ force, kind: 'pack', written: filesOfManifest });

export const pack: Command = {
  summary: 'an int8 pack of a model',
  help,
  takes: 'folder',
  options: { ...jsonOption, output: { type: 'string', short: 'o' }, 'max-part': { type: 'string' }, force: { type: 'boolean' } },
  async run(values, [folder, ...others]) {
    const { output, force } = values;
    if (folder === undefined || others.length > 0) throw new UsageError('pack takes one folder', help);
    if (typeof output !== 'string' || output === '') throw new UsageError('-o FOLDER is missing', help);
    const maxPart = sizeOption(values['max-part']);
    const weights = findWeights(folder);
    checkOutput(folder, output, packOutput(force === true));
    const manifest = await folderAtomically(output, (target) => writePack(folder, weights, target, maxPart));
    if (values['json']) return printJson(manifest);
    const size = Object.values(manifest.files).reduce((sum, { bytes }) => sum + bytes, 0);
    const before = weights.reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
    print(`${output}: ${megabytes(size)}, weights before ${megabytes(before)}\n`);
  },
};

const units = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 };
/** So many parts that each has a request of its own are of no use. */
const leastPartBytes = 1e5;

/** The bytes of '20MB'; Infinity where nothing is given. */
function sizeOption(given: unknown): number {
  if (given === undefined) return Infinity;
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMG]?i?B)$/i.exec(String(given)) ?? [];
  const bytes = Math.floor(Number(number) * (units[unit.toUpperCase() as keyof typeof units] ?? NaN));
  if (bytes >= leastPartBytes) return bytes;
  throw new UsageError('--max-part must be a size of at least 100KB, as 20MB or 24MiB', help);
}

/** The weight files of a folder, one or several shards. Throws E_NOT_FOUND, E_INVALID_ARGUMENT for a pack. */
function findWeights(folder: string): string[] {
  const names = namesIn(folder);
  if (names.some((name) => /\.int8\.safetensors$/.test(name))) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `${folder} is a pack already`, { file: folder });
  }
  const require = (name: string) => {
    if (names.includes(name)) return name;
    throw new HeadlightError('E_NOT_FOUND', `There is no ${path.join(folder, name)}`, {
      file: path.join(folder, name),
    });
  };
  require('config.json');
  for (const name of weightForms) {
    if (names.includes(`${name}.index.json`)) return readShards(path.join(folder, `${name}.index.json`)).map(require);
    if (names.includes(name)) return [name];
  }
  return [require(weightForms[0] as string)];
}

async function writePack(folder: string, weights: string[], target: string, maxPart: number): Promise<Manifest> {
  const { wasm } = await startBuild({ build: 'simd128' });
  const wanted = smallFiles(wasm);

  const packed = weights.map(packedName);
  for (const [index, name] of weights.entries()) {
    await packFile(wasm, path.join(folder, name), path.join(target, packed[index] as string));
  }
  const written = [...copySmallFiles(folder, target, wanted), ...packed];
  if (weights.length > 1 || !weightForms.includes(weights[0] as string)) {
    writeIndex(target, packedIndexName, packed);
    written.push(packedIndexName);
  }
  const manifest = await describeFiles(target, written, maxPart);
  writeManifest(target, manifest);
  (await load(target)).dispose(); // what does not load is no pack
  return manifest;
}

async function packFile(wasm: WasmInstance, from: string, to: string): Promise<void> {
  const out = fs.openSync(to, 'wx');
  const write = () => writeParts(out, wasm.reply());
  try {
    const nameSize = wasm.write(Buffer.from(path.basename(from)));
    wasm.call((glue) => glue._hl_packer_create(nameSize));
    for await (const chunk of fs.createReadStream(from, { highWaterMark: chunkBytes })) {
      const size = wasm.write(chunk as Uint8Array);
      wasm.call((glue) => glue._hl_packer_feed(size));
      write();
    }
    wasm.call((glue) => glue._hl_packer_finish());
  } catch (error) {
    if (!(error instanceof HeadlightError)) throw error;
    const { code, message, tensor, offset } = error;
    throw new HeadlightError(code, message, {
      file: from,
      ...(tensor !== undefined && { tensor }),
      ...(offset !== undefined && { offset }),
    });
  } finally {
    fs.closeSync(out);
  }
}

/** Writes parts of a file, each of which comes with its offset and its size before it. */
function writeParts(out: number, parts: Uint8Array): void {
  const view = new DataView(parts.buffer, parts.byteOffset, parts.byteLength);
  for (let at = 0; at < parts.length; ) {
    const offset = Number(view.getBigUint64(at, true));
    const size = Number(view.getBigUint64(at + 8, true));
    fs.writeSync(out, parts, at + 16, size, offset);
    at += 16 + size;
  }
}

/** model.int8.safetensors, or a shard's name as save_pretrained has it. */
function packedName(name: string): string {
  return name.replace(/^pytorch_model/, 'model').replace(/\.(safetensors|bin)$/, '.int8.safetensors');
}
