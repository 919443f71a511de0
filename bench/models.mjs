// The models of the benchmark: exported once, into HEADLIGHT_TOOLS, and packed by this checkout's command.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestOf, prefix, root, run, say } from '../scripts/setup/common.mjs';
import { setUpPackages } from '../scripts/setup/packages.mjs';
import { fromPyPI } from '../scripts/setup/pypi.mjs';

/**
 * int8Bound: how far rounding weights and activations to int8 may move a logit of these random weights, whose size is up to
 * 4 and up to 5. Weights alone, with activations of 16 bits, move one by 0.1 and by 0.28.
 */
export const sizes = {
  'minilm-l6': { hidden: 384, layers: 6, heads: 12, intermediate: 1536, int8Bound: 0.25 },
  'bert-base': { hidden: 768, layers: 12, heads: 12, intermediate: 3072, int8Bound: 0.75 },
};

const script = fileURLToPath(new URL('export_models.py', import.meta.url));

export const pythonPackages = () => fromPyPI('bench', 'bench/requirements.txt', 'PyTorch, onnx and onnxruntime');

/** transformers.js and onnxruntime-web, into bench/node_modules. */
export const installPeers = () => setUpPackages(path.dirname(script));

/** A folder that a Python script makes, given `args` and the folder's path; made once, and whole or not at all. */
export async function exportOnce(folder, exporter, args = []) {
  if (fs.existsSync(folder)) return folder;
  const env = { ...process.env, PYTHONPATH: await pythonPackages(), HF_HUB_OFFLINE: '1' };
  say(`exporting ${path.basename(folder)}`);
  const partial = `${folder}.partial`;
  fs.rmSync(partial, { recursive: true, force: true });
  run('python3', [exporter, ...args, partial], { env });
  fs.renameSync(partial, folder);
  return folder;
}

/** The folder that holds a folder for each model, of which `names` are there. */
export async function prepareModels(names) {
  const folder = path.join(prefix, `bench-models-${digestOf(script)}`);
  for (const name of names) {
    const model = await exportOnce(path.join(folder, name), script, [name]);
    const packed = path.join(folder, `${name}-int8`);
    fs.rmSync(packed, { recursive: true, force: true });
    run(process.execPath, [path.join(root, 'dist/cli.js'), 'pack', model, '-o', packed]);
  }
  return folder;
}

/** Multiply-adds of a pass over n tokens; firstTokenOnly: without what only other tokens' outputs need. */
export function multiplyAdds({ hidden, layers, intermediate }, n, firstTokenOnly) {
  const attention = 2 * n * hidden;
  const perToken = 4 * hidden * hidden + 2 * hidden * intermediate + attention;
  if (!firstTokenOnly) return layers * n * perToken;
  const last = n * 2 * hidden * hidden + (2 * hidden * hidden + 2 * hidden * intermediate + attention);
  return (layers - 1) * n * perToken + last;
}
