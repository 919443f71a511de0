// Where copies of files are kept: the browser's storage (OPFS), a directory in Node, or memory.

import { HeadlightError, describe } from './errors.js';
import { makeFolder, unlessMissing } from './make-folder.js';
import { nodeModule } from './node.js';
import { OpfsStore } from './opfs.js';
import type { CacheChoice } from './types.js';

/** Files by name. What is written is there whole or not at all, or fails its sum: no write is relied on. */
export interface Store {
  readonly inMemory: boolean;
  /** null when there is no such file. */
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Of a file that is not there, too. */
  remove(name: string): Promise<void>;
  list(): Promise<string[]>;
}

/** The store behind a choice; memory where there is none, of which `warn` is told. */
export async function openStore(choice: CacheChoice, warn: (message: string) => void): Promise<Store> {
  if (typeof choice === 'object') return new DirectoryStore(choice.directory);
  try {
    return await OpfsStore.open();
  } catch (error) {
    warn(`the browser's storage is not to be had (${describe(error)}): model files are kept in memory`);
    return memory;
  }
}

class MemoryStore implements Store {
  readonly inMemory = true;
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>>();

  read(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return Promise.resolve(this.#files.get(name)?.slice() ?? null);
  }

  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#files.set(name, bytes.slice());
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.#files.delete(name);
    return Promise.resolve();
  }

  list(): Promise<string[]> {
    return Promise.resolve([...this.#files.keys()]);
  }
}

/** One for all models, as the other stores are. */
const memory = new MemoryStore();

class DirectoryStore implements Store {
  readonly inMemory = false;
  readonly #fs: typeof import('node:fs').promises;
  readonly #path: (name: string) => string;
  readonly #directory: string;

  constructor(directory: string) {
    const fs = nodeModule('node:fs');
    const path = nodeModule('node:path');
    if (!fs || !path || typeof directory !== 'string') {
      throw new HeadlightError('E_INVALID_ARGUMENT', 'cache: { directory } takes a path, in Node');
    }
    this.#fs = fs.promises;
    this.#directory = path.resolve(directory);
    this.#path = (name) => path.join(directory, name);
  }

  async read(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = await this.#fs.readFile(this.#path(name)).catch(unlessMissing);
    return bytes && new Uint8Array(bytes);
  }

  async write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await makeFolder(this.#directory);
    const partial = this.#path(`${name}.${Math.random().toString(36).slice(2)}.partial`);
    try {
      await this.#fs.writeFile(partial, bytes);
      await this.#fs.rename(partial, this.#path(name));
    } catch (error) {
      await this.#fs.rm(partial, { force: true });
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#fs.rm(this.#path(name), { force: true });
  }

  async list(): Promise<string[]> {
    return (await this.#fs.readdir(this.#directory).catch(unlessMissing)) ?? [];
  }
}
