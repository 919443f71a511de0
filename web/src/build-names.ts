// What the builds of the engine are called, in the public types too: these name no module that only the bundle has.

/** Each a .wasm file, and one more with threads. */
export type ShippedBuild = 'relaxed' | 'simd128';
/** 'scalar': the plain definitions of the kernels, which each file holds. */
export type Build = ShippedBuild | 'scalar';

/** The builds that are shipped, as files. */
export type EngineFile = ShippedBuild | `${ShippedBuild}-threads`;

/** The file that is to run, on one thread, or an address for each build. */
export type WasmUrl = string | URL | Partial<Record<EngineFile, string | URL>>;
