// The builds of the engine that the package holds: starts the one that was chosen, lets it test itself, and passes on
// to a slower one where it fails.

import { describe } from './errors.js';
import { engineUrl } from './files.js';
import { WasmInstance } from './wasm.js';
import type { Build, EngineFile, ShippedBuild, WasmUrl } from './build-names.js';

export interface BuildOptions {
  build: ShippedBuild;
  threads?: number | undefined;
  wasmUrl?: WasmUrl | undefined;
  /** Address of threads-worker.js where it does not lie beside this module. */
  threadsWorkerUrl?: string | URL | undefined;
}

export interface StartedBuild {
  build: Build;
  threads: number;
  /** Why each faster build that was tried does not run. */
  passedOver: string[];
}

interface Candidate {
  build: ShippedBuild;
  threads: boolean;
  url: string | URL;
}

/** Throws E_WASM where not even the slowest build starts. */
export async function startBuild(options: BuildOptions): Promise<StartedBuild & { wasm: WasmInstance }> {
  const { threads: count = 1, threadsWorkerUrl: workerUrl } = options;
  const passedOver: string[] = [];
  let candidates = findCandidates(options);
  for (;;) {
    const [{ url, ...candidate }, ...others] = candidates as [Candidate, ...Candidate[]];
    const threads = candidate.threads ? count : 1;
    try {
      const wasm = await WasmInstance.start(url, candidate.threads ? { count, workerUrl } : undefined);
      const { build, failing } = wasm.selfTest();
      if (failing.length === 0) return { wasm, build, threads, passedOver };
      passedOver.push(`the self-test of the ${build} build found ${failing.join(', ')} to be wrong`);
      // What one file computes wrongly, so does the other with these instructions.
      candidates = others.filter((other) => other.build !== candidate.build);
      if (candidates.length === 0) return { wasm, build: 'scalar', threads, passedOver };
      wasm.dispose();
    } catch (error) {
      if (others.length === 0) throw error;
      passedOver.push(`${candidate.threads ? 'a build with threads' : 'another build'} does not start (${describe(error)})`);
      candidates = candidate.threads ? others.filter((other) => !other.threads) : others;
    }
  }
}

/** What to try, in this order. */
function findCandidates({ build: chosen, threads = 1, wasmUrl: given }: BuildOptions): Candidate[] {
  if (typeof given === 'string' || given instanceof URL) return [{ build: chosen, threads: false, url: given }];
  const files: EngineFile[] = ['relaxed-threads', 'relaxed', 'simd128-threads', 'simd128'];
  return files.flatMap((file) => {
    const [build, threaded] = file.split('-') as [ShippedBuild, string?];
    if ((chosen === 'simd128' && build === 'relaxed') || (threads === 1 && threaded)) return [];
    const url = given?.[file] ?? engineUrl[file]();
    return url === null ? [] : [{ build, threads: threaded !== undefined, url }];
  });
}
