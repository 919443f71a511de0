import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importModule } from '../support/built.mjs';

const { toJson } = await importModule('text.js');

test('a lone surrogate becomes U+FFFD, a pair stays', () => {
  assert.equal(JSON.parse(toJson('a\uD83Db')), 'a\uFFFDb');
  assert.equal(JSON.parse(toJson('\uDE00\uD83D')), '\uFFFD\uFFFD');
  assert.equal(JSON.parse(toJson({ text: '😀\uD83D' })).text, '😀\uFFFD');
});

test('numbers that JSON does not know are not lost', () => {
  assert.equal(toJson({ a: NaN, b: Infinity, c: 1 }), '{"a":"NaN","b":"Infinity","c":1}');
});
