#!/usr/bin/env node
// Writes web/app/first-light-run.ts: the run that the page shows until its model is there.
//
//   node scripts/first-light.mjs      (after npm run build)

import fs from 'node:fs';
import path from 'node:path';
import { load } from '../dist/index.js';
import { root } from './setup/common.mjs';

const text = 'The movie was absolutely fantastic!';

const model = await load(path.join(root, 'models/sentiment-en'), { worker: false, build: 'simd128' });
const { tokens, words, weights, labels } = await model.attention(text, { query: 'all', specialTokens: true });
const { shape } = weights;
const { scores, target } = await model.explain(text, { method: 'occlusion', words: true });
model.dispose();

const bytes = Buffer.alloc(weights.data.length * 2);
weights.data.forEach((weight, i) => bytes.writeUInt16LE(Math.round(weight * 65535), i * 2));
const occlusion = { label: target.label, scores: [...scores.data] };
const run = { text, tokens, words, labels, shape, occlusion, weights: bytes.toString('base64') };
fs.writeFileSync(
  path.join(root, 'web/app/first-light-run.ts'),
  `// Written by scripts/first-light.mjs.\n\nexport const run = ${JSON.stringify(run)};\n`,
);
