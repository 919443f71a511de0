import type { LoadProgress, Retry } from './types.js';

/** Counts the bytes of a download: what it reports never falls and never passes the total. */
export class ProgressMeter {
  readonly #report: ((progress: LoadProgress) => void) | undefined;
  #loaded = 0;
  #total: number | null = null;
  #phase: LoadProgress['phase'] = 'files';

  constructor(report: ((progress: LoadProgress) => void) | undefined) {
    this.#report = report;
  }

  get hasTotal(): boolean {
    return this.#total !== null;
  }

  /** `bytes` are still to come. */
  expect(bytes: number): void {
    this.#total = this.#loaded + bytes;
  }

  add(phase: 'files' | 'weights', file: string, bytes: number): void {
    const sum = this.#loaded + bytes;
    this.#loaded = this.#total === null ? sum : Math.min(sum, this.#total);
    this.#phase = phase;
    this.#report?.({ phase, file, loaded: this.#loaded, total: this.#total });
  }

  /** `file`, here an address, is asked for again. */
  retry(file: string, retry: Retry): void {
    this.#report?.({ phase: this.#phase, file, loaded: this.#loaded, total: this.#total, retry });
  }

  ready(): void {
    this.#total ??= this.#loaded;
    this.#loaded = this.#total;
    this.#report?.({ phase: 'ready', file: '', loaded: this.#loaded, total: this.#total });
  }
}
