import fs from 'node:fs';
import path from 'node:path';
import { startBuild } from '../builds.js';
import { HeadlightError, describe } from '../errors.js';
import { load } from '../load.js';
import type { WasmInstance } from '../wasm.js';
import { UsageError, jsonOption, print, printJson, type Command } from './command.js';
import { chunkBytes, manifestName, writeManifest, type Manifest } from './manifest.js';

const help = `Usage: headlight pack FOLDER -o FOLDER [--max-part SIZE] [--force] [--json]

Quantises the weights of a Hugging Face folder to int8 and writes a folder of its own, with the tokenizer and a
manifest of sizes and SHA-256 sums. The output appears whole or not at all.

  -o, --output FOLDER  where to
      --max-part SIZE  cut larger files into parts of this size, which load joins: 20MB, 24MiB
      --force          replace what is there
      --json           print the manifest
`;

/** By preference, as the engine has it: one file, or an index of shards. */
const weightForms = ['model.safetensors', 'pytorch_model.bin'];
const packedIndexName = 'model.safetensors.index.int8.json';
const vocabularies = ['vocab.txt', 'vocab.json', 'merges.txt', 'sentencepiece.bpe.model', 'spiece.model', 'spm.model'];

export const pack: Command = {
  summary: 'an int8 pack of a model',
  help,
  options: { ...jsonOption, output: { type: 'string', short: 'o' }, 'max-part': { type: 'string' }, force: { type: 'boolean' } },
  async run(values, [folder, ...others]) {
    const { output, force } = values;
    if (folder === undefined || others.length > 0) throw new UsageError('pack takes one folder', help);
    if (typeof output !== 'string' || output === '') throw new UsageError('-o FOLDER is missing', help);
    const maxPart = sizeOption(values['max-part']);
    const weights = findWeights(folder);
    checkOutput(folder, output, force === true);
    const manifest = await atomically(output, (target) => writePack(folder, weights, target, maxPart));
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
  const names = readFolder(folder);
  if (!names) throw new HeadlightError('E_NOT_FOUND', `There is no folder ${folder}`, { file: folder });
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

function readShards(index: string): string[] {
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

export function checkOutput(folder: string, output: string, force: boolean): void {
  const refuse = (why: string) => new HeadlightError('E_INVALID_ARGUMENT', `${output} ${why}`, { file: output });
  const [from, to] = [fs.realpathSync(folder), resolveLinks(output)];
  if (from === to || from.startsWith(to + path.sep)) throw refuse('holds the folder that is to be packed');
  const here = fs.realpathSync('.');
  if (here === to || here.startsWith(to + path.sep)) throw refuse('holds the current folder');
  const there = readFolder(output);
  if (!there && fs.existsSync(output)) throw refuse('is no folder');
  if (!there || there.length === 0) return;
  if (!there.includes(manifestName)) throw refuse('is not empty and is no pack; --force replaces packs alone');
  if (!force) throw refuse('is not empty; --force replaces it');
}

/** Writes a folder beside `output`, then renames it. What is half done is removed, on Ctrl-C as well. */
export async function atomically<Result>(output: string, write: (target: string) => Promise<Result>): Promise<Result> {
  const final = path.resolve(output);
  const target = `${final}.partial-${process.pid}`;
  const remove = () => {
    if (fs.existsSync(target)) fs.rmSync(target, { recursive: true, force: true });
  };
  const stop = (signal: NodeJS.Signals) => {
    remove();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    // In two calls: where nothing can be made, as in /proc, Node's recursive one does not return.
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.mkdirSync(target);
    const result = await write(target);
    replace(final, target);
    return result;
  } catch (error) {
    if (error instanceof HeadlightError) throw error;
    throw new HeadlightError(
      'E_INVALID_ARGUMENT',
      `${output} cannot be written: ${describe(error)}`,
      { file: output },
      { cause: error },
    );
  } finally {
    remove();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function replace(final: string, target: string): void {
  const old = `${final}.old-${process.pid}`;
  const existed = fs.existsSync(final);
  if (existed) fs.renameSync(final, old);
  try {
    fs.renameSync(target, final);
  } catch (error) {
    if (existed) fs.renameSync(old, final);
    throw error;
  }
  fs.rmSync(old, { recursive: true, force: true });
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
  const manifest = await writeManifest(target, written, maxPart);
  (await load(target)).dispose(); // what does not load is no pack
  return manifest;
}

/** The names of all files but weights that tell a model. */
export function smallFiles(wasm: WasmInstance): string[] {
  wasm.send({ method: 'smallFiles', params: {} }, (glue, size) => glue._hl_query(size));
  return (wasm.replyJson() as { result: string[] }).result;
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

/** config.json and what tells the tokenizer, but no manifest; a vocabulary file only where there is no tokenizer.json. */
export function copySmallFiles(folder: string, target: string, wanted: string[]): string[] {
  const there = readFolder(folder) ?? [];
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

/** The names in a folder, or null where there is none. */
export function readFolder(folder: string): string[] | null {
  return fs.existsSync(folder) && fs.statSync(folder).isDirectory() ? fs.readdirSync(folder) : null;
}

function resolveLinks(file: string): string {
  return fs.existsSync(file) ? fs.realpathSync(file) : path.resolve(file);
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
