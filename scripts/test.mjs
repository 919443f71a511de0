#!/usr/bin/env node
// Sets up what is missing, builds, runs test suites, and ends with a table of what passed and failed.
//
//   npm test [-- SUITE...]      native wasm relaxed node browser firefox lint   (without any: all seven)
//                               package fuzz long peers (take longer; tests/last-run.json has their last result)
//
// A suite that cannot run has failed. Nothing is skipped.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cmakeBuild } from './cmake.mjs';
import { lint } from './lint.mjs';
import { setUp } from './setup.mjs';
import { findBrowser } from './setup/browser.mjs';
import { exportOnce, installPeers, pythonPackages } from '../bench/models.mjs';
import { SetupError, digestOf, output, prefix, root, say } from './setup/common.mjs';
import { findRelaxedNode } from './setup/node.mjs';
import { fromPyPI } from './setup/pypi.mjs';
import { fuzz } from './fuzz.mjs';

// Each gives the numbers of what passed and failed.
const suites = {
  native: () => cppSuite('release'),
  wasm: () => cppSuite('wasm'),
  relaxed: () => relaxedSuite(),
  node: async () => {
    await buildAll();
    return nodeSuite(['tests/web', 'tests/run', 'tests/docs']);
  },
  browser: async () => {
    await setUp('browser');
    await buildAll();
    process.env.HEADLIGHT_CHROMIUM = findBrowser();
    return nodeSuite(['tests/browser'], { build: 'relaxed' });
  },
  // What every browser must do, in Chromium and in Firefox.
  firefox: async () => {
    await setUp('browser', 'firefox');
    await buildAll();
    return nodeSuite(['tests/smoke'], { build: 'relaxed' });
  },
  lint: async () => {
    await setUp('packages', 'lint');
    return lint();
  },
  package: async () => {
    await setUp('browser');
    await buildAll();
    process.env.HEADLIGHT_CHROMIUM = findBrowser();
    return nodeSuite(['tests/package']);
  },
  long: async () => add(await cppSuite('sanitize'), await peersSuite()),
  fuzz: () => fuzz(),
  peers: () => peersSuite(),
};
const everyTime = ['native', 'wasm', 'relaxed', 'node', 'browser', 'firefox', 'lint'];
const seldom = ['package', 'fuzz', 'long', 'peers'];
const record = path.join(root, 'tests/last-run.json');

let built = false;

// Builds once a run, however many suites ask for it.
async function buildAll() {
  await setUp('packages');
  const { build } = await import('./build.mjs');
  if (!built) await build();
  built = true;
}

// Builds a CMake preset and runs its tests through ctest. Counts Catch2's test cases.
async function cppSuite(preset) {
  await setUp('tools', 'sources', preset === 'wasm' ? 'emscripten' : 'compiler');
  say(`building preset ${preset}`);
  cmakeBuild(preset);
  const jobs = String(os.availableParallelism());
  const { status, text } = await runShown('ctest', ['--preset', preset, '--verbose', '--parallel', jobs]);
  // ctest marks the output of test N by "N: ", and shows that of failed tests again without.
  return countCatch(text.match(/^\d+: .*$/gm)?.join('\n') ?? '', status);
}

// The build with relaxed SIMD, in a Node that computes it rightly: the engine's tests and the library's.
async function relaxedSuite() {
  await setUp('tools', 'sources', 'emscripten');
  cmakeBuild('wasm-relaxed', 'headlight_tests');
  await buildAll();
  const node = await findRelaxedNode();
  const engine = await catchRun(node, [path.join(root, 'build/wasm-relaxed/headlight_tests.js'), '~[.]']);
  return add(engine, await nodeSuite(['tests/web'], { node, build: 'relaxed' }));
}

// What PyTorch's own library makes of our files, and pipeline() beside transformers.js.
async function peersSuite() {
  const env = { ...process.env, PYTHONPATH: await pythonPackages(), HF_HUB_OFFLINE: '1' };
  const newest = await unittestSuite('tests/peers/*_test.py', env);
  await buildAll();
  // The last of transformers that reads pruned_heads, beside the other packages.
  const before = await fromPyPI('transformers-4', 'tests/peers/transformers_4/requirements.txt', 'transformers 4');
  const older = await unittestSuite('tests/peers/transformers_4/*_test.py', {
    ...env,
    PYTHONPATH: `${before}${path.delimiter}${env.PYTHONPATH}`,
  });
  await installPeers();
  const script = path.join(root, 'tests/peers/export_onnx.py');
  process.env.HEADLIGHT_PEER_MODELS = await exportOnce(path.join(prefix, `peer-models-${digestOf(script)}`), script);
  return [newest, older, await nodeSuite(['tests/peers'])].reduce(add);
}

async function unittestSuite(files, env) {
  const { status, text } = await runShown('sh', ['-c', `python3 -m unittest -v ${files} 2>&1`], env);
  // What a test prints may stand between its name and its result.
  const ran = Number(text.match(/^Ran (\d+) tests? in/m)?.[1] ?? 0);
  const failed = [...text.matchAll(/(?:failures|errors)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return mustFail({ passed: Math.max(0, ran - failed), failed }, status);
}

async function catchRun(program, args) {
  const { status, text } = await runShown(program, [...args, '--colour-mode', 'none']);
  return countCatch(text, status);
}

function countCatch(text, status) {
  let result = { passed: 0, failed: 0 };
  for (const [, cases] of text.matchAll(/All tests passed \(.* in (\d+) test cases?\)/g)) {
    result = add(result, { passed: Number(cases), failed: 0 });
  }
  for (const [, counts] of text.matchAll(/test cases: (.*)/g)) {
    const count = (what) => Number(counts.match(new RegExp(`(\\d+) ${what}`))?.[1] ?? 0);
    result = add(result, { passed: count('passed'), failed: count('failed') });
  }
  return mustFail(result, status);
}

// Runs a Node's test runner over all *.test.mjs below folders. Tests name the builds of the engine that they ran; where
// `build` is not among them, that is a failure.
async function nodeSuite(folders, { node = process.execPath, build } = {}) {
  const files = folders.flatMap(testFiles);
  const { status, text } = await runShown(node, ['--test', '--test-reporter=spec', ...files]);
  const count = (what) => Number(text.match(new RegExp(`^\\S+ ${what} (\\d+)$`, 'm'))?.[1] ?? 0);
  const result = mustFail({ passed: count('pass'), failed: count('fail') + count('cancelled') }, status);
  const builds = new Set([...text.matchAll(/^\s*\S+ build (\w+)$/gm)].map(([, name]) => name));
  if (build && !builds.has(build)) {
    console.error(`headlight: the build ${build} did not run`);
    return add(result, { passed: 0, failed: 1 });
  }
  return { ...result, builds: [...builds] };
}

function testFiles(folder) {
  const all = fs.existsSync(path.join(root, folder)) ? fs.readdirSync(path.join(root, folder), { recursive: true }) : [];
  const files = all.filter((file) => file.endsWith('.test.mjs')).map((file) => path.join(folder, file));
  if (files.length === 0) throw new SetupError(`${folder} holds no *.test.mjs`);
  return files;
}

// Runs a program, shows its output and gives it back.
function runShown(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => {
      chunks.push(chunk);
      process.stdout.write(chunk);
    });
    child.on('error', (error) => reject(new SetupError(`${command} cannot be run: ${error.message}`)));
    child.on('close', (status) => resolve({ status, text: Buffer.concat(chunks).toString() }));
  });
}

const add = (a, b) => ({ builds: b.builds ?? a.builds, passed: a.passed + b.passed, failed: a.failed + b.failed });

// A runner that reports failure, or reports nothing, counts as at least one failure.
function mustFail(result, status) {
  const failed = (status !== 0 || result.passed === 0) && result.failed === 0;
  return failed ? { ...result, failed: 1 } : result;
}

function readRecord() {
  return fs.existsSync(record) ? JSON.parse(fs.readFileSync(record, 'utf8')) : {};
}

function writeRecord(name, result) {
  const commit = output('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const { passed, failed } = result;
  const entry = { date: new Date().toISOString().slice(0, 10), commit: commit?.trim() ?? null, passed, failed };
  fs.writeFileSync(record, `${JSON.stringify({ ...readRecord(), [name]: entry }, null, 2)}\n`);
}

async function runSuite(name) {
  console.log(`\n== ${name}`);
  try {
    return await suites[name]();
  } catch (error) {
    console.error(error instanceof SetupError ? `headlight: ${error.message}` : error);
    return { passed: 0, failed: 1 };
  }
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !suites[name]);
if (unknown.length > 0) {
  console.error(`no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}`);
  process.exit(2);
}

const rows = [];
for (const name of chosen.length > 0 ? chosen : everyTime) {
  const started = performance.now();
  const result = await runSuite(name);
  if (seldom.includes(name)) writeRecord(name, result);
  rows.push({ name, ...result, seconds: Math.round((performance.now() - started) / 1000) });
}

console.log('\nsuite        passed  failed  seconds  builds of the engine');
for (const { name, passed, failed, seconds, builds = [] } of rows) {
  console.log(`${name.padEnd(10)}${[passed, failed, seconds].map((n) => String(n).padStart(9)).join('')}  ${builds.join(', ')}`);
}
if (chosen.length === 0) {
  for (const name of seldom) {
    const last = readRecord()[name];
    const when = last ? `${last.date} at ${last.commit}: ${last.passed} passed, ${last.failed} failed` : 'never';
    console.log(`npm run test:${name} last ran: ${when}`);
  }
}
const total = rows.reduce(add, { passed: 0, failed: 0 });
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
