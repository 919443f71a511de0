// What Hugging Face's transformers computed, case by case (scripts/golden/trim.py tells what is committed).

import fs from 'node:fs';
import path from 'node:path';
import { root } from './built.mjs';
import { decodeSafetensors } from './safetensors.mjs';

export const committedGolden = path.join(root, 'tests/data/golden');

/** The whole set: HEADLIGHT_GOLDEN, else ../shared/golden; undefined where neither is there. */
export const wholeGolden = [process.env.HEADLIGHT_GOLDEN, path.join(root, '../shared/golden')].find(
  (folder) => folder && fs.existsSync(folder),
);

export function goldenCases(folder) {
  return fs
    .readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((name) => fs.existsSync(path.join(name, 'golden.json')));
}

export function readCase(folder) {
  return {
    name: path.basename(folder),
    folder,
    golden: JSON.parse(fs.readFileSync(path.join(folder, 'golden.json'), 'utf8')),
    tensors: decodeSafetensors(new Uint8Array(fs.readFileSync(path.join(folder, 'golden.safetensors')))),
  };
}

/** An input of golden.json as the library takes it: [input, options]. */
export function callOf({ text, text_pair: textPair, options }) {
  const { truncation, max_length: maxLength, padding } = options;
  return [
    textPair === null ? text : { text, textPair },
    {
      ...(truncation && { truncation: truncation === true ? 'longest_first' : truncation }),
      ...(maxLength && { maxLength }),
      ...(padding && { padding: 'maxLength' }),
    },
  ];
}

/** The tensor without the rows (and columns) of padding. */
export function withoutPadding({ shape, data }, mask, axes) {
  let result = { shape: [...shape], data: [...data] };
  for (const axis of axes) {
    const inner = result.shape.slice(axis + 1).reduce((product, n) => product * n, 1);
    const kept = result.data.filter((_value, index) => mask[Math.floor(index / inner) % mask.length]);
    result = { shape: result.shape.with(axis, mask.filter(Boolean).length), data: kept };
  }
  return result;
}

/** Greatest absolute difference; infinite for another shape. */
export function difference(actual, expected) {
  if (String(actual.shape) !== String(expected.shape)) return Infinity;
  return expected.data.reduce((greatest, value, index) => {
    const distance = Math.abs(value - actual.data[index]);
    return Number.isNaN(distance) ? Infinity : Math.max(greatest, distance);
  }, 0);
}

/** What tolerances of logits are multiplied by. */
export const scaleOf = ({ data }) => data.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 1);
