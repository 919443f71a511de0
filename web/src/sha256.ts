// SHA-256 (FIPS 180-4) of bytes that come piece by piece, which the Web's own crypto takes in one piece only.

import { nodeModule } from './node.js';

export interface Sum {
  update(bytes: Uint8Array): void;
  /** In hexadecimal digits; ends the sum. */
  digest(): string;
}

export function startSum(): Sum {
  const hash = nodeModule('node:crypto')?.createHash('sha256');
  if (!hash) return new Sha256();
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
}

/** The sum of bytes that are all here. */
export async function sumOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle) return toHex(new DataView(await subtle.digest('SHA-256', bytes)));
  const sum = startSum();
  sum.update(bytes);
  return sum.digest();
}

/** The first 32 bits of the fractional parts of the roots of the first primes: square roots for the start, cube roots. */
const [start, constants] = makeConstants();

function makeConstants(): [Int32Array, Int32Array] {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  return [
    Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  ];
}

const blockBytes = 64;

export class Sha256 implements Sum {
  readonly #state = start.slice();
  readonly #words = new Int32Array(64);
  readonly #block = new Uint8Array(blockBytes);
  readonly #blockView = new DataView(this.#block.buffer);
  #filled = 0;
  #length = 0;

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    let at = 0;
    if (this.#filled > 0) {
      at = Math.min(blockBytes - this.#filled, bytes.length);
      this.#block.set(bytes.subarray(0, at), this.#filled);
      this.#filled += at;
      if (this.#filled < blockBytes) return;
      compress(this.#state, this.#words, this.#blockView, 0);
      this.#filled = 0;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const state = this.#state;
    const words = this.#words;
    for (; at + blockBytes <= bytes.length; at += blockBytes) compress(state, words, view, at);
    this.#block.set(bytes.subarray(at));
    this.#filled = bytes.length - at;
  }

  digest(): string {
    const length = this.#length;
    const padding = new Uint8Array(((119 - (length % blockBytes)) % blockBytes) + 9);
    padding[0] = 0x80;
    new DataView(padding.buffer).setBigUint64(padding.length - 8, BigInt(length) * 8n);
    this.update(padding);
    const view = new DataView(new ArrayBuffer(32));
    this.#state.forEach((word, index) => view.setInt32(4 * index, word));
    return toHex(view);
  }
}

/** One block of 64 bytes. `words` is room for 64 numbers. */
function compress(state: Int32Array, words: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + constants[i]! + words[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = state[0]! + a;
  state[1] = state[1]! + b;
  state[2] = state[2]! + c;
  state[3] = state[3]! + d;
  state[4] = state[4]! + e;
  state[5] = state[5]! + f;
  state[6] = state[6]! + g;
  state[7] = state[7]! + h;
}

function toHex(view: DataView): string {
  return Array.from({ length: view.byteLength }, (_, at) => view.getUint8(at).toString(16).padStart(2, '0')).join('');
}
