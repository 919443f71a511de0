// The models of the benchmark: exported once, into HEADLIGHT_TOOLS, and packed by this checkout's command.

import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { prefix, root, run, say } from '../scripts/setup/common.mjs';
import { fromPyPI } from '../scripts/setup/pypi.mjs';

export const sizes = {
  'minilm-l6': { hidden: 384, layers: 6, heads: 12, intermediate: 1536 },
  'bert-base': { hidden: 768, layers: 12, heads: 12, intermediate: 3072 },
};

const script = fileURLToPath(new URL('export_models.py', import.meta.url));

export const pythonPackages = () => fromPyPI('bench', 'bench/requirements.txt', 'PyTorch, onnx and onnxruntime');

/** The folder that holds a folder for each model, of which `names` are there. */
export async function prepareModels(names) {
  const version = createHash('sha256').update(fs.readFileSync(script)).digest('hex').slice(0, 8);
  const folder = path.join(prefix, `bench-models-${version}`);
  for (const name of names) {
    const model = path.join(folder, name);
    if (!fs.existsSync(model)) {
      const packages = await pythonPackages();
      say(`exporting ${name}`);
      const partial = `${model}.partial`;
      fs.rmSync(partial, { recursive: true, force: true });
      run('python3', [script, name, partial], { env: { ...process.env, PYTHONPATH: packages, HF_HUB_OFFLINE: '1' } });
      fs.renameSync(partial, model);
    }
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
