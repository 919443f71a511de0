import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { importModule, library, root } from '../support/built.mjs';

test('codes and advice are those of the engine', () => {
  const source = fs.readFileSync(path.join(root, 'src/error_codes.def'), 'utf8');
  const entries = [...source.matchAll(/^HEADLIGHT_ERROR\((\w+), ("(?:[^"\\]|\\.)*")\)$/gm)];
  assert.ok(entries.length > 20);
  assert.deepEqual(
    library.errorAdvice,
    Object.fromEntries(entries.map(([, code, advice]) => [code, JSON.parse(advice)])),
  );
});

test('an error keeps code, place and advice across threads', async () => {
  const { HeadlightError } = await importModule('errors.js');
  const error = new HeadlightError('E_MODEL_CORRUPT', 'The header is damaged', {
    file: 'model.safetensors',
    offset: 8,
  });
  const copy = HeadlightError.from(structuredClone(HeadlightError.report(error)));
  assert.ok(copy instanceof Error);
  const { name, code, message, file, offset, tensor, advice } = copy;
  assert.deepEqual(
    { name, code, message, file, offset, tensor, advice },
    {
      name: 'HeadlightError',
      code: 'E_MODEL_CORRUPT',
      message: 'The header is damaged',
      file: 'model.safetensors',
      offset: 8,
      tensor: undefined,
      advice: library.errorAdvice.E_MODEL_CORRUPT,
    },
  );
});

test('whatever else is thrown is a fault of ours', async () => {
  const { HeadlightError } = await importModule('errors.js');
  assert.equal(HeadlightError.report(new TypeError('no')).code, 'E_INTERNAL');
  assert.match(HeadlightError.report('no').message, /no/);
});
