// Building with the presets of CMakePresets.json.

import os from 'node:os';
import { root, run } from './setup/common.mjs';

// Configures a preset and builds its targets, all by default.
export function cmakeBuild(preset, ...targets) {
  run('cmake', ['--preset', preset, '--log-level=WARNING'], { cwd: root });
  const args = ['--build', '--preset', preset, '--parallel', String(os.availableParallelism())];
  if (targets.length > 0) args.push('--target', ...targets);
  run('cmake', args, { cwd: root });
}
