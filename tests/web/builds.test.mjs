// Builds that do not start or compute wrongly are passed over.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dist, importModule, library } from '../support/built.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const { probeFeatures } = await importModule('platform.js');
const { relaxed } = probeFeatures();

const files = { simd128: path.join(dist, 'headlight.wasm'), relaxed: path.join(dist, 'headlight-relaxed.wasm') };
const folder = writeFolder(makeTinyModel());
const text = 'the movie was good';
const url = (file) => pathToFileURL(file);

// The dot products of the int8 kernels, and instructions that take and give the same types: f32x4.relaxed_madd and
// i16x8.relaxed_q15mulr_s, i32x4.mul.
const faults = {
  relaxed: [
    ['fd9302', 'fd8502'],
    ['fd9202', 'fd9102'],
  ],
  simd128: [['fdba01', 'fdb501']],
};

/** A copy of a build that computes as an engine would which has these instructions wrong. */
function broken(build) {
  const bytes = fs.readFileSync(files[build]);
  for (const [right, wrong] of faults[build].map((fault) => fault.map((hex) => Buffer.from(hex, 'hex')))) {
    let replaced = 0;
    for (let at = bytes.indexOf(right); at >= 0; at = bytes.indexOf(right, at + 1), replaced++) wrong.copy(bytes, at);
    assert.ok(replaced > 0, 'the instruction is there');
  }
  const file = path.join(temporaryFolder(), path.basename(files[build]));
  fs.writeFileSync(file, bytes);
  return url(file);
}

async function run(wasmUrl, build) {
  const warnings = [];
  const logger = { info: () => {}, warn: (message) => warnings.push(message) };
  const model = await library.load(folder, { wasmUrl, logger, ...(build && { build }) });
  const [{ label, score }] = await model.classify(text);
  model.dispose();
  return { ...model.platform, label, score, warnings };
}

const expected = await run(undefined, 'simd128');

function check(result, build, reason, warnings) {
  assert.equal(result.build, build);
  assert.match(result.reason, reason);
  assert.equal(result.label, expected.label);
  assert.ok(Math.abs(result.score - expected.score) < 1e-5);
  assert.equal(result.warnings.length, warnings);
}

test('SIMD128 that computes wrongly: plain kernels run', async () => {
  const result = await run({ simd128: broken('simd128') }, 'simd128');
  check(result, 'scalar', /plain kernels.*self-test of the simd128 build found gemm_i8 to be wrong/, 1);
});

test('one file that was named runs, whatever was chosen', async () => {
  check(await run(url(files.simd128)), 'simd128', /128-bit SIMD/, 0);
  check(await run(broken('simd128')), 'scalar', /plain kernels/, 1);
});

test('relaxed SIMD that computes wrongly: the next build runs', { skip: relaxed !== true && 'no relaxed SIMD' }, async () => {
  const wrong = { relaxed: broken('relaxed') };
  check(await run(wrong), 'simd128', /128-bit SIMD.*self-test of the relaxed build found gemm_i8 to be wrong/, 1);
  check(await run({ ...wrong, simd128: broken('simd128') }), 'scalar', /plain kernels.*relaxed build.*simd128 build/, 2);
});

test('a relaxed build that is not there: the next runs', { skip: relaxed !== true && 'no relaxed SIMD' }, async () => {
  check(await run({ relaxed: 'file:///no/such.wasm' }), 'simd128', /128-bit SIMD.*does not start.*such\.wasm/, 1);
});

test('no build at all is E_WASM', async () => {
  const nowhere = 'file:///no/such.wasm';
  await assert.rejects(library.load(folder, { wasmUrl: { relaxed: nowhere, simd128: nowhere } }), { code: 'E_WASM' });
});

test('a build in a data: address is E_WASM where it is damaged, and no message repeats its data', async () => {
  const data = `data:application/gzip;base64,${'A'.repeat(1000)}`;
  await assert.rejects(library.load(folder, { wasmUrl: data }), (error) => {
    assert.equal(error.code, 'E_WASM');
    assert.equal(error.file, 'data:application/gzip;base64');
    assert.ok(!error.message.includes('AAAA'), error.message);
    return true;
  });
});

test('the builds agree', { skip: relaxed !== true && 'no relaxed SIMD' }, async () => {
  check(await run(undefined, 'relaxed'), 'relaxed', /^relaxed SIMD;/, 0);
});
