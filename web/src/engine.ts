// What the library asks of the engine, wherever it runs: on this thread (local-engine.ts) or in a worker
// (worker-client.ts).

import type { StartedBuild } from './builds.js';
import type { Input, ModelInfo, RunProgress } from './types.js';

export type InputPair = Exclude<Input, string>;
export type Method =
  | 'classify'
  | 'entities'
  | 'fillMask'
  | 'answer'
  | 'embed'
  | 'nextSentence'
  | 'zeroShot'
  | 'rank'
  | 'attention'
  | 'explain'
  | 'forward';

/** Work that is done in steps. */
export interface RunRequest {
  method: Method;
  inputs: InputPair[];
  options: object;
}

export interface RunHooks {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** What the engine knows of a model; the rest is the folder's. */
export type EngineInfo = Omit<ModelInfo, 'weightsSha256'>;

export interface WeightFiles {
  /** In the order in which they are to be fed. */
  files: string[];
  /** Bytes of all of them; 0 when not known. */
  expectedBytes: number;
}

export interface Engine {
  readonly started: StartedBuild;
  createLoader(options: { precision: string }): Promise<void>;
  /** A small file. Of `bytes` nothing is kept here. */
  addFile(name: string, bytes: Uint8Array): Promise<void>;
  weightFiles(listing: string[] | null, missing: string[]): Promise<WeightFiles>;
  beginWeights(name: string, size: number | null): Promise<void>;
  /** The next bytes of the weights; the caller does not use them any more. */
  feedWeights(bytes: Uint8Array): Promise<void>;
  endWeights(): Promise<void>;
  finishModel(): Promise<EngineInfo>;
  createTokenizer(): Promise<void>;
  /** What is answered at once; wasm/bindings.cpp lists the methods. */
  query(method: string, params: object): Promise<unknown>;
  /** One result an input, in order. */
  run(request: RunRequest, hooks: RunHooks): Promise<unknown[]>;
  /** Lets go of everything; what is open rejects with E_DISPOSED. */
  dispose(): void;
}

/** What takes the weights of a model. */
export type WeightsEngine = Pick<Engine, 'weightFiles' | 'beginWeights' | 'feedWeights' | 'endWeights'>;
