// The modules that scripts/build.mjs makes: what Emscripten writes beside headlight.wasm, and what is inlined.
declare module 'headlight-glue' {
  /** The functions of wasm/bindings.cpp. */
  export interface Glue {
    _hl_input(size: number): number;
    _hl_output(): number;
    _hl_output_size(): number;
    _hl_self_test(): number;
    _hl_loader_create(size: number): number;
    _hl_loader_file(nameSize: number, size: number): number;
    _hl_loader_weight_files(size: number): number;
    _hl_loader_begin(size: number): number;
    _hl_loader_feed(size: number): number;
    _hl_loader_end(): number;
    _hl_loader_finish(): number;
    _hl_tokenizer_create(): number;
    _hl_query(size: number): number;
    _hl_begin(size: number): number;
    _hl_step(run: number, work: number): number;
    _hl_progress(run: number): number;
    _hl_result(run: number): number;
    _hl_end(run: number): void;
    _hl_packer_create(nameSize: number): number;
    _hl_packer_feed(size: number): number;
    _hl_packer_finish(): number;
  }

  export interface GlueOptions {
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): void;
    print(text: string): void;
    printErr(text: string): void;
  }

  export default function createHeadlight(options: GlueOptions): Promise<Glue>;
}

declare module 'headlight-threads-glue' {
  import type { Glue, GlueOptions } from 'headlight-glue';

  /** helpers: threads beside the caller's, for each of which newWorker() is called. */
  export default function createHeadlight(
    options: GlueOptions & { helpers: number; newWorker(): object },
  ): Promise<Glue>;
}

/** What bert-headlight/inline holds. */
declare module 'headlight-inline' {
  /** A classic script; empty in itself. */
  export const workerScript: string;
  /** data: addresses of the gzipped builds without threads; none in the worker's script, which is told them. */
  export const engines: { relaxed?: string; simd128?: string };
}
