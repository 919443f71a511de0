/** Every error code and what a user does about it: the same list as the engine's src/error_codes.def. */
export const errorAdvice = {
  E_INVALID_ARGUMENT: 'Check the arguments of the call against the documentation.',
  E_NOT_FOUND: 'Check the path or URL and that the file is in the folder.',
  E_NETWORK: "Check the connection, the URL and the server's CORS headers, then try again.",
  E_NOT_A_MODEL: 'The server answered with something else, often its start page for a missing file. Check the URL.',
  E_MODEL_TRUNCATED: 'The file ends too early. Download or copy it again.',
  E_MODEL_CORRUPT: 'The file is damaged. Download it again or save the model anew with save_pretrained.',
  E_MISSING_TENSOR: 'The weights do not belong to this config.json. Save both together with save_pretrained.',
  E_SHAPE_MISMATCH: 'The weights do not belong to this config.json. Save both together with save_pretrained.',
  E_UNSUPPORTED_DTYPE: 'Save the weights as float32, float16 or bfloat16.',
  E_UNSUPPORTED_WEIGHTS:
    "Convert the file: python -c \"import torch; from safetensors.torch import save_file; w = torch.load('pytorch_model.bin', 'cpu', weights_only=True); save_file({k: v.clone().contiguous() for k, v in w.items()}, 'model.safetensors')\"",
  E_INVALID_CONFIG: 'Correct config.json, or save the model anew with save_pretrained.',
  E_UNSUPPORTED_FAMILY: 'Use a model of one of the supported families; docs/families.md lists them.',
  E_UNSUPPORTED_OPTION: 'Use a model without this option; docs/families.md lists what is supported.',
  E_INVALID_TOKENIZER: 'Save the tokenizer anew with save_pretrained.',
  E_UNSUPPORTED_TOKENIZER: 'Use a model with a supported tokenizer; docs/families.md lists them.',
  E_PACK_VERSION: 'Pack the model again with this version of headlight.',
  E_TASK_MISMATCH: 'Load a model with the head that this call needs; model.info.tasks lists what fits.',
  E_TOO_LONG: 'Shorten the text, or let it be truncated.',
  E_OUT_OF_MEMORY: "Use a smaller model, precision 'int8' or shorter text, or close other pages.",
  E_WASM: 'Serve headlight.wasm beside the script, or give its address as wasmUrl.',
  E_WORKER: 'Serve the worker file beside the script, give its address as workerUrl, or pass worker: false.',
  E_DISPOSED: 'The model was disposed of. Load it again.',
  E_INTERNAL: 'This is a fault in headlight. Please report it with the message.',
} as const;

export type ErrorCode = keyof typeof errorAdvice;

/** Where in the input the fault lies; what does not apply is absent. */
export interface ErrorPlace {
  /** A file's name, path or URL. */
  file?: string;
  tensor?: string;
  /** Byte within the file. */
  offset?: number;
}

/** An error as the engine and the worker report it. */
export interface ErrorReport extends ErrorPlace {
  code: ErrorCode;
  message: string;
  advice: string;
}

/** What every function throws, but for an aborted call: that rejects with its signal's reason. */
export class HeadlightError extends Error {
  override readonly name = 'HeadlightError';
  readonly code: ErrorCode;
  readonly file?: string;
  readonly tensor?: string;
  readonly offset?: number;
  /** What to do about it. */
  readonly advice: string;

  /** `advice`: where that of the code does not fit. */
  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}, options?: ErrorOptions & { advice?: string }) {
    super(message, options);
    this.code = code;
    this.advice = options?.advice ?? errorAdvice[code];
    if (place.file !== undefined) this.file = place.file;
    if (place.tensor !== undefined) this.tensor = place.tensor;
    if (place.offset !== undefined) this.offset = place.offset;
  }

  static from(report: ErrorReport): HeadlightError {
    return new HeadlightError(report.code, report.message, report, { advice: report.advice });
  }

  /** For a message to another thread. */
  static report(error: unknown): ErrorReport {
    const { code, message, advice, file, tensor, offset } =
      error instanceof HeadlightError ? error : new HeadlightError(isOutOfMemory(error) ? 'E_OUT_OF_MEMORY' : 'E_INTERNAL', describe(error));
    return {
      code,
      message,
      advice,
      ...(file !== undefined && { file }),
      ...(tensor !== undefined && { tensor }),
      ...(offset !== undefined && { offset }),
    };
  }
}

/** Whether the browser gave an array or WebAssembly no memory: a RangeError, which says so in words alone. */
export const isOutOfMemory = (thrown: unknown): boolean => thrown instanceof RangeError && /alloc|memory/i.test(thrown.message);

/** One line about whatever was thrown. */
export function describe(thrown: unknown): string {
  if (thrown instanceof Error) return `${thrown.name}: ${thrown.message}`;
  return typeof thrown === 'object' ? 'an object' : String(thrown);
}
