#!/usr/bin/env node
// Runs the fuzzers of tests/fuzz, two at a time, and ends with a table.
//
//   npm run fuzz [-- NAME...] [--seconds N]      (default: all, 20 seconds each)
//
// What broke once, tests/fuzz/corpus/NAME, is run first. Seeds are made of tests/data; what is found interesting stays in
// build/fuzz/corpus/NAME for the next time, what breaks goes to build/fuzz/findings. Ends with 1 where something broke.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { cmakeBuild } from './cmake.mjs';
import { setUp } from './setup.mjs';
import { SetupError, root, say } from './setup/common.mjs';

const build = path.join(root, 'build/fuzz');
const data = path.join(root, 'tests/data');
const read = (...parts) => fs.readFileSync(path.join(data, ...parts));
const golden = fs.readdirSync(path.join(data, 'golden')).filter((name) => fs.existsSync(path.join(data, 'golden', name, 'config.json')));
const files = (name) =>
  golden.filter((folder) => fs.existsSync(path.join(data, 'golden', folder, name))).map((folder) => read('golden', folder, name));
const after = (numbers) => (bytes) => Buffer.concat([Buffer.from(numbers), bytes]);
const zero = Buffer.from([0]);

// By fuzzer: the largest input that is tried, and inputs to begin with.
const fuzzers = {
  safetensors: { maxLength: 1 << 14, seeds: () => [read('torch/reference.safetensors')].flatMap((bytes) => [0x83, 0x10].map((n) => after([n])(bytes))) },
  torch: {
    maxLength: 1 << 15,
    seeds: () =>
      fs.readdirSync(path.join(data, 'torch')).filter((name) => name.endsWith('.bin')).flatMap((name) => [0x85, 0x10].map((n) => after([n])(read('torch', name)))),
  },
  config: { maxLength: 1 << 13, seeds: () => files('config.json') },
  tokenizer_json: { maxLength: 1 << 15, seeds: () => files('tokenizer.json') },
  vocabulary: {
    maxLength: 1 << 14,
    seeds: () => [
      ...files('vocab.txt').map((bytes) => Buffer.concat([Buffer.from([0]), bytes, zero, Buffer.from('{"do_lower_case": true}')])),
      ...golden
        .filter((folder) => fs.existsSync(path.join(data, 'golden', folder, 'merges.txt')))
        .map((folder) => Buffer.concat([Buffer.from([1]), read('golden', folder, 'vocab.json'), zero, read('golden', folder, 'merges.txt'), zero, read('golden', folder, 'tokenizer_config.json')])),
      Buffer.from('\x01{"a":0,"b":1,"ab":2,"<unk>":3}\0#version\na b\n\0{"tokenizer_class":"RobertaTokenizer","unk_token":"<unk>"}\0{}\0{"<x>":4}'),
    ],
  },
  sentencepiece: { maxLength: 1 << 14, seeds: () => [1, 2].flatMap((type) => [0, 1, 2, 3].map((kind) => after([kind])(sentencePieceModel(type)))) },
  regex: {
    maxLength: 512,
    seeds: () =>
      ["'s|'t|'re| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", '(?i:a|b)+?\\b[^x-z[0-9]]{2,5}$', '(?<=a)\\x{41}*(?<!\\d)\\Z'].map((pattern) => Buffer.from(`${pattern}\0It's 12 o'clock, caf\u00e9`)),
  },
  forward: { maxLength: 512, seeds: () => [0, 1, 2, 3, 0x13, 0x31].map((task) => Buffer.concat([Buffer.from([task, 12]), Buffer.from('The movie was fantastic!\0bad 7')])) },
};

/** A SentencePiece model, as a protobuf message, of type 1 (Unigram) or 2 (BPE). */
function sentencePieceModel(type) {
  const field = (number, bytes) => Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
  const score = (value) => {
    const bytes = Buffer.from([(2 << 3) | 5, 0, 0, 0, 0]);
    bytes.writeFloatLE(value, 1);
    return bytes;
  };
  const enumeration = (number, value) => Buffer.from([number << 3, value]);
  const pieces = [['<pad>', 3], ['<unk>', 2], ['<s>', 3], ['</s>', 3], ['\u2581', 1], ['\u2581a', 1], ['b', 1], ['ab', 1], ['<0x41>', 6]];
  return Buffer.concat([
    ...pieces.map(([piece, kind], i) => field(1, Buffer.concat([field(1, Buffer.from(piece)), score(-i), enumeration(3, kind)]))),
    field(2, Buffer.concat([enumeration(3, type), enumeration(35, 1)])),
    field(3, Buffer.concat([field(1, Buffer.from('nmt_nfkc')), enumeration(3, 1), enumeration(4, 1), enumeration(5, 1)])),
  ]);
}

/** Builds and runs; returns {passed, failed}, of fuzzers. */
export async function fuzz({ names = Object.keys(fuzzers), seconds = 20 } = {}) {
  await setUp('tools', 'sources', 'fuzzer');
  say('building the fuzzers');
  cmakeBuild('fuzz', 'headlight_fuzzers');
  const rows = [];
  const left = [...names];
  const work = async () => {
    for (let name = left.shift(); name; name = left.shift()) rows.push(await runOne(name, seconds));
  };
  await Promise.all(Array.from({ length: Math.min(2, os.availableParallelism()) }, work));
  console.log('\nfuzzer           inputs tried  kept  branches  seconds  result');
  for (const { name, tried, kept, branches, took, broke } of rows) {
    const numbers = [String(tried).padStart(12), String(kept).padStart(5), String(branches).padStart(9), String(took).padStart(8)];
    console.log(`${name.padEnd(16)}${numbers.join(' ')}  ${broke ? `BROKE: ${broke}` : 'nothing broke'}`);
  }
  const failed = rows.filter(({ broke }) => broke).length;
  return { passed: rows.length - failed, failed };
}

async function runOne(name, seconds) {
  const program = path.join(build, `${name}_fuzz`);
  const corpus = path.join(build, 'corpus', name);
  const findings = path.join(build, 'findings', `${name}-`);
  fs.mkdirSync(corpus, { recursive: true });
  fs.mkdirSync(path.dirname(findings), { recursive: true });
  fuzzers[name].seeds().forEach((bytes, i) => fs.writeFileSync(path.join(corpus, `seed-${i}`), bytes));
  const known = path.join(root, 'tests/fuzz/corpus', name);
  const args = ['-timeout=10', '-rss_limit_mb=2048', '-malloc_limit_mb=1024', `-artifact_prefix=${findings}`];
  const old = fs.existsSync(known) ? fs.readdirSync(known).map((file) => path.join(known, file)) : [];
  const first = old.length > 0 ? await runProgram(program, [...args, ...old]) : { status: 0, text: '' };
  const started = performance.now();
  const length = `-max_len=${fuzzers[name].maxLength}`;
  const { status, text } = first.status === 0 ? await runProgram(program, [...args, length, `-max_total_time=${seconds}`, '-print_final_stats=1', corpus]) : first;
  const number = (pattern) => Number(text.match(pattern)?.at(-1)?.match(/\d+/)?.[0] ?? 0);
  if (status !== 0) process.stderr.write(text.slice(-6000));
  return {
    name,
    tried: number(/number_of_executed_units: *\d+/g),
    kept: fs.readdirSync(corpus).length,
    branches: number(/cov: \d+/g),
    took: Math.round((performance.now() - started) / 1000),
    broke: status === 0 ? null : (text.match(/Test unit written to (\S+)/)?.[1] ?? text.match(/ERROR: .*/)?.[0] ?? `exit code ${status}`),
  };
}

function runProgram(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: build, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      // The last lines tell what happened.
      stream.on('data', (chunk) => (text = (text + chunk).slice(-100_000)));
    }
    child.on('error', (error) => reject(new SetupError(`${program} cannot be run: ${error.message}`)));
    child.on('close', (status) => resolve({ status, text }));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({ options: { seconds: { type: 'string', default: '20' } }, allowPositionals: true });
  const unknown = positionals.find((name) => !fuzzers[name]);
  if (unknown) {
    console.error(`there is no fuzzer ${unknown}; there are ${Object.keys(fuzzers).join(', ')}`);
    process.exit(2);
  }
  const result = await fuzz({ ...(positionals.length > 0 && { names: positionals }), seconds: Number(values.seconds) }).catch((error) => {
    if (!(error instanceof SetupError)) throw error;
    console.error(`headlight: ${error.message}`);
    return { failed: 1 };
  });
  process.exitCode = result.failed > 0 ? 1 : 0;
}
