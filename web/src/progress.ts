import type { LoadProgress, Retry } from './types.js';

/** Counts the bytes of a download: what it reports never falls and never passes the total. */
export class ProgressMeter {
  readonly #report: ((progress: LoadProgress) => void) | undefined;
  #loaded = 0;
  /** What was reported last. */
  #shown = 0;
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
    this.#tell(phase, file);
  }

  /** All is read again: `loaded` stays as it was until more is here than before. */
  restart(): void {
    this.#loaded = 0;
    this.#total = null;
  }

  /** `file`, here an address, is asked for again. */
  retry(file: string, retry: Retry): void {
    this.#tell(this.#phase, file, retry);
  }

  ready(): void {
    this.#total ??= this.#loaded;
    this.#loaded = this.#total;
    this.#tell('ready', '');
  }

  #tell(phase: LoadProgress['phase'], file: string, retry?: Retry): void {
    this.#phase = phase;
    this.#shown = Math.min(Math.max(this.#shown, this.#loaded), this.#total ?? Infinity);
    this.#report?.({ phase, file, loaded: this.#shown, total: this.#total, ...(retry && { retry }) });
  }
}
