#!/usr/bin/env node
// Headlight beside onnxruntime-web and transformers.js, on this machine, interleaved.
//
//   npm run bench [-- --quick] [--models NAMES] [--groups NAMES] [--lengths N,N] [--runs N]
//                    [--clock cpu] [--output FILE]
//
// --quick: MiniLM-L6 alone, n = 16 and 128, 3 runs. Groups: node (logits), outputs (all tokens, attentions), batch, threads,
// operators (single operators and the bare kernel's peak), chromium (logits), label (text in, label out, in Chromium),
// cold (from nothing to the first result, in Chromium), native (PyTorch and onnxruntime, one thread).
// --clock cpu: the processor's time rather than what passes, outside Chromium; for a machine that does other things.
// Writes FILE.json and FILE.md (default build/bench/results), and prints the latter.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';
import { cmakeBuild } from '../scripts/cmake.mjs';
import { findBrowser } from '../scripts/setup/browser.mjs';
import { output, root, say } from '../scripts/setup/common.mjs';
import { findRelaxedNode } from '../scripts/setup/node.mjs';
import { groupsOf } from './groups.mjs';
import { installPeers, prepareModels, sizes } from './models.mjs';
import { markdown } from './report.mjs';

const nodeVersion = '26.12.1'; // the newest that npm's node-linux-* has
const here = fileURLToPath(new URL('.', import.meta.url));
const groupNames = ['node', 'outputs', 'batch', 'threads', 'operators', 'chromium', 'label', 'cold', 'downloads', 'native'];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    models: { type: 'string' },
    groups: { type: 'string' },
    lengths: { type: 'string' },
    runs: { type: 'string' },
    clock: { type: 'string', default: 'ms' },
    output: { type: 'string' },
  },
});
const list = (text) => text.split(',').filter(Boolean);
const chosenModels = list(values.models ?? (values.quick ? 'minilm-l6' : Object.keys(sizes).join()));
const chosenGroups = list(values.groups ?? groupNames.join());
const lengths = list(values.lengths ?? (values.quick ? '16,128' : '16,64,128,256,512')).map(Number);
const runs = Number(values.runs ?? (values.quick ? 3 : 9));
const unknown = [...chosenModels.filter((name) => !sizes[name]), ...chosenGroups.filter((name) => !groupNames.includes(name))];
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}`);

await build();
cmakeBuild('wasm', 'headlight_bench');
cmakeBuild('wasm-relaxed', 'headlight_bench');
await installPeers();
const models = await prepareModels(chosenModels);
const newestNode = await findRelaxedNode(nodeVersion);
const packageVersion = (name) =>
  JSON.parse(fs.readFileSync(path.join(here, 'node_modules', name, 'package.json'), 'utf8')).version;

const groups = groupsOf({ models, newestNode, runs, lengths, clock: values.clock });
const results = { machine: describeMachine(), runs, clock: values.clock, tables: [] };
for (const name of chosenGroups) {
  for (const model of chosenModels) {
    say(`${name}, ${model}`);
    results.tables.push(...(await groups[name](model)));
  }
}
const file = path.resolve(values.output ?? path.join(root, 'build/bench/results'));
fs.mkdirSync(path.dirname(file), { recursive: true });
fs.writeFileSync(`${file}.json`, `${JSON.stringify(results, null, 1)}\n`);
fs.writeFileSync(`${file}.md`, markdown(results));
console.log(markdown(results));
process.exit(0);

function describeMachine() {
  const git = output('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  return {
    cpu: os.cpus()[0].model,
    cores: os.availableParallelism(),
    load: os.loadavg()[0],
    node: output(newestNode, ['--version']).trim(),
    chromium: output(findBrowser() ?? 'false', ['--version'])?.trim() ?? null,
    headlight: git?.trim() ?? null,
    'onnxruntime-web': packageVersion('onnxruntime-web'),
    '@huggingface/transformers': packageVersion('@huggingface/transformers'),
  };
}
