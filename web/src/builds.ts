// The builds of the engine that the package holds: starts the one that was chosen, lets it test itself, and passes on
// to a slower one where it fails.

import { describe } from './errors.js';
import { WasmInstance } from './wasm.js';

/** Each a .wasm file. */
export type ShippedBuild = 'relaxed' | 'simd128';
/** 'scalar': the plain definitions of the kernels, which each file holds. */
export type Build = ShippedBuild | 'scalar';

/** The file that is to run, or an address for each build. */
export type WasmUrl = string | URL | Partial<Record<ShippedBuild, string | URL>>;

export interface StartedBuild {
  build: Build;
  /** Why each faster build that was tried does not run. */
  passedOver: string[];
}

/** Throws E_WASM where not even the slowest build starts. */
export async function startBuild(
  chosen: ShippedBuild,
  wasmUrl: WasmUrl | undefined,
): Promise<StartedBuild & { wasm: WasmInstance }> {
  const passedOver: string[] = [];
  const [url, ...others] = addresses(chosen, wasmUrl);
  for (let address: string | URL = url; ; ) {
    const next = others.shift();
    try {
      const wasm = await WasmInstance.start(address);
      const { build, failing } = wasm.selfTest();
      if (failing.length === 0) return { wasm, build, passedOver };
      passedOver.push(`the self-test of the ${build} build found ${failing.join(', ')} to be wrong`);
      if (!next) return { wasm, build: 'scalar', passedOver };
    } catch (error) {
      if (!next) throw error;
      passedOver.push(`another build does not start (${describe(error)})`);
    }
    address = next;
  }
}

/** The files to try, in this order. */
function addresses(chosen: ShippedBuild, given: WasmUrl | undefined): [string | URL, ...(string | URL)[]] {
  if (typeof given === 'string' || given instanceof URL) return [given];
  // Bundlers look for these expressions as they stand.
  const simd128 = given?.simd128 ?? new URL('./headlight.wasm', import.meta.url);
  if (chosen === 'simd128') return [simd128];
  return [given?.relaxed ?? new URL('./headlight-relaxed.wasm', import.meta.url), simd128];
}
