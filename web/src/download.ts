// One file from a server: asked for, and taken up again where the connection breaks.

import { HeadlightError, describe } from './errors.js';
import type { LoadTokenizerOptions, Retry } from './types.js';

export interface DownloadOptions extends Pick<LoadTokenizerOptions, 'fetch' | 'headers' | 'retries' | 'logger'> {
  /** How fetch uses the browser's HTTP cache. */
  mode?: 'default' | 'no-store' | undefined;
  /** Called before a wait. */
  onRetry?: ((url: string, retry: Retry) => void) | undefined;
}

/** A body, or what is left of it. */
export interface Download {
  /** The byte of the file with which `stream` begins: what was asked for, or 0 where the server gives the whole file. */
  start: number;
  /** The byte after the last of `stream`, where that is known. */
  stop: number | null;
  /** Bytes of the whole file, where that is known. */
  total: number | null;
  /** ETag or Last-Modified, where they can be seen. */
  validator: string | null;
  stream: ReadableStream<Uint8Array>;
}

export interface Wanted {
  start?: number | undefined;
  /** Without it to the end of the file. */
  end?: number | undefined;
  /** What the file's bytes before `start` came with: of another version the whole file is given. */
  validator?: string | null | undefined;
}

interface Answer extends Download {
  /** A part, as was asked for, rather than the whole file. */
  isPart: boolean;
  /** Compressed on the way: its bytes cannot be counted by ranges. */
  encoded: boolean;
}

const firstWaitMilliseconds = 500;
const defaultRetries = 4;
const lookMilliseconds = 3000;
/** Attempts count anew once so much has come: a long download may break often. */
const progressBytes = 1 << 20;

/** Downloads files of one folder. */
export class Downloader {
  readonly #options: DownloadOptions;
  /** A server that answered once is asked again when it does not. */
  #reached = false;

  constructor(options: DownloadOptions) {
    const { retries = defaultRetries } = options;
    this.#options = { ...options, retries };
  }

  /** null when there is no such file. Throws E_NETWORK. */
  async open(url: string, wanted: Wanted, signal?: AbortSignal): Promise<Download | null> {
    const attempts = new Attempts(url, this.#options, signal);
    let answer: Answer | null;
    for (;;) {
      try {
        answer = await this.#ask(url, wanted, signal);
        break;
      } catch (error) {
        if (!this.#reached || !isPassing(error) || !(await attempts.again(describe(error)))) throw error;
      }
    }
    if (!answer) return null;
    return { ...answer, stream: this.#lasting(url, wanted, answer, attempts, signal) };
  }

  /** The state of a file on the server without its bytes; null for a server that does not answer soon. */
  async look(url: string, signal?: AbortSignal): Promise<Response | null> {
    const { fetch = globalThis.fetch, headers = {} } = this.#options;
    const stop = new AbortController();
    const end = () => stop.abort();
    const timer = setTimeout(end, lookMilliseconds);
    signal?.addEventListener('abort', end);
    try {
      return await fetch(url, { method: 'HEAD', headers, cache: 'no-cache', signal: stop.signal });
    } catch {
      signal?.throwIfAborted();
      return null;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  /** The bytes of an answer, and of those that follow where it breaks. */
  #lasting(url: string, asked: Wanted, first: Answer, attempts: Attempts, signal?: AbortSignal): ReadableStream<Uint8Array> {
    const { start, stop } = first;
    const end = first.isPart ? asked.end : undefined;
    let position = start;
    let reader = first.stream.getReader();
    // A body whose bytes are all here, and whose end is not, may never tell its reader of the signal.
    const halt = () => void reader.cancel(signal?.reason).catch(() => {});
    signal?.addEventListener('abort', halt, { once: true });
    const unwatch = () => signal?.removeEventListener('abort', halt);
    const resume = async (): Promise<void> => {
      // What is compressed comes from its beginning again, and what is here already is left out.
      const wanted = first.encoded ? { validator: first.validator } : { start: position, end, validator: first.validator };
      const answer = await this.#ask(url, wanted, signal);
      if (!answer || isOther(answer, first)) {
        await answer?.stream.cancel();
        throw final(failure(url, `${url} changed on the server while it was downloaded`));
      }
      reader = skipped(answer.stream, position - answer.start).getReader();
    };
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          for (let broken: unknown; ; ) {
            try {
              if (broken !== undefined) await resume();
              const { done, value } = await reader.read();
              if (!done) {
                position += value.length;
                attempts.came(value.length);
                return controller.enqueue(value);
              }
              signal?.throwIfAborted();
              if (stop === null || position >= stop) {
                unwatch();
                return controller.close();
              }
              broken = new Error(`it ended after ${position} of ${stop} bytes`);
            } catch (error) {
              signal?.throwIfAborted();
              broken = error;
            }
            if (isPassing(broken) && (await attempts.again(describe(broken), position))) continue;
            unwatch();
            throw broken;
          }
        },
        cancel: (reason) => {
          unwatch();
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #ask(url: string, { start = 0, end, validator }: Wanted, signal?: AbortSignal): Promise<Answer | null> {
    const { fetch = globalThis.fetch, headers, mode = 'default' } = this.#options;
    const isPart = start > 0 || end !== undefined;
    // If-Range asks a foreign origin for leave first; there the answer's own validator must do.
    const condition = start > 0 && validator && !validator.startsWith('W/') && isOwnOrigin(url);
    const asked: RequestInit = {
      headers: {
        ...headers,
        ...(isPart && { Range: `bytes=${start}-${end === undefined ? '' : end - 1}` }),
        ...(condition && { 'If-Range': validator }),
      },
      cache: mode,
      ...(signal && { signal }),
    };
    let response: Response;
    try {
      response = await fetch(url, asked);
    } catch (error) {
      signal?.throwIfAborted();
      // Of an extension's own files a missing one is refused rather than answered with 404.
      if (/^[a-z]+-extension:/.test(url)) return null;
      // In Node what failed is told by the cause alone.
      const { cause } = error as { cause?: { code?: unknown } };
      const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
      throw failure(url, `${url} cannot be fetched: ${describe(error)}${code}`, error);
    }
    if (response.status === 416 && start > 0) {
      await response.body?.cancel();
      return this.#ask(url, { validator }, signal);
    }
    if (response.status === 404 || response.status === 410) {
      this.#reached = true;
      await response.body?.cancel();
      return null;
    }
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      const error = failure(url, `The server answered ${response.status} for ${url}`);
      throw response.status >= 500 || response.status === 429 ? error : final(error);
    }
    this.#reached = true;
    const answer = readAnswer(response, response.body, start);
    if (answer.isPart && answer.start !== start) {
      await answer.stream.cancel();
      throw final(failure(url, `${url} was asked for from byte ${start} on, and the server gave it from ${answer.start}`));
    }
    if (answer.start > 0 && validator && answer.validator && validator !== answer.validator) {
      await answer.stream.cancel();
      return this.#ask(url, {}, signal);
    }
    return answer;
  }
}

/** How often a file is asked for again, and after which waits. */
class Attempts {
  readonly #url: string;
  readonly #options: DownloadOptions;
  readonly #signal: AbortSignal | undefined;
  #attempt = 0;
  #bytes = 0;

  constructor(url: string, options: DownloadOptions, signal?: AbortSignal) {
    this.#url = url;
    this.#options = options;
    this.#signal = signal;
  }

  came(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= progressBytes) this.#attempt = 0;
  }

  /** Waits for the next attempt; false when there is none. */
  async again(reason: string, received = 0): Promise<boolean> {
    const { retries = 0, onRetry, logger } = this.#options;
    if (this.#attempt >= retries) return false;
    const waitMilliseconds = firstWaitMilliseconds * 2 ** this.#attempt;
    this.#attempt++;
    this.#bytes = 0;
    const retry = { attempt: this.#attempt, of: retries, waitMilliseconds, reason };
    logger?.warn(`${this.#url} broke off after ${received} bytes (${reason}): attempt ${retry.attempt} of ${retries} follows`);
    onRetry?.(this.#url, retry);
    await wait(waitMilliseconds, this.#signal);
    return true;
  }
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}

const failure = (file: string, message: string, cause?: unknown) =>
  new HeadlightError('E_NETWORK', message, { file }, { cause });

/** Errors that another attempt would meet again. */
const finals = new WeakSet<Error>();

function final(error: Error): Error {
  finals.add(error);
  return error;
}

const isPassing = (error: unknown): boolean => !finals.has(error as Error);

const isOwnOrigin = (url: string): boolean =>
  typeof location === 'undefined' || new URL(url).origin === location.origin;

const isOther = (answer: Answer, first: Answer): boolean =>
  (answer.validator !== null && first.validator !== null && answer.validator !== first.validator) ||
  (answer.total !== null && first.total !== null && answer.total !== first.total);

function readAnswer(response: Response, body: ReadableStream<Uint8Array>, asked: number): Answer {
  const { headers } = response;
  const encoded = headers.has('Content-Encoding');
  const validator = headers.get('ETag') ?? headers.get('Last-Modified');
  const size = bodySize(response);
  const answer = { validator, stream: body, encoded };
  if (response.status !== 206) return { ...answer, isPart: false, start: 0, stop: size, total: size };
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get('Content-Range') ?? '') ?? [];
  const start = from === undefined ? asked : Number(from);
  const stop = to !== undefined ? Number(to) + 1 : size === null ? null : start + size;
  return { ...answer, isPart: true, start, stop, total: total === undefined || total === '*' ? null : Number(total) };
}

/**
 * The size of a body, as far as its headers tell: a compressed body's Content-Length counts other bytes than
 * arrive here, and a foreign origin does not show whether its body was compressed.
 */
function bodySize(response: Response): number | null {
  const length = response.headers.get('Content-Length');
  if (length === null || response.headers.has('Content-Encoding') || response.type === 'cors') return null;
  return Number(length);
}

/** A stream without its first bytes. */
function skipped(stream: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
  return bytes === 0 ? stream : part(stream, bytes, Infinity);
}

/** The bytes of a stream from start to end, end exclusive. */
export function part(stream: ReadableStream<Uint8Array>, start: number, end: number): ReadableStream<Uint8Array> {
  let position = 0;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const piece = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position));
      position += chunk.length;
      if (piece.length > 0) controller.enqueue(piece);
      if (position >= end) controller.terminate();
    },
  });
  return stream.pipeThrough(cut);
}
