// Files in the browser's storage (the origin private file system).

import { startWorker } from './files.js';
import { startTrusted } from './trusted.js';
import type { Store } from './store.js';

const folderName = 'headlight-cache';

/** What TypeScript's DOM declarations leave out: it is there in workers alone. */
interface SyncAccessHandle {
  truncate(size: number): void;
  write(bytes: Uint8Array, options: { at: number }): number;
  flush(): void;
  close(): void;
}

type FileHandle = FileSystemFileHandle & { createSyncAccessHandle?(): Promise<SyncAccessHandle> };

export class OpfsStore implements Store {
  readonly inMemory = false;
  readonly #folder: FileSystemDirectoryHandle;
  readonly #writer: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;

  private constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
    const { prototype } = FileSystemFileHandle as unknown as { prototype: object };
    const isHere = 'createWritable' in prototype || 'createSyncAccessHandle' in prototype;
    this.#writer = isHere ? (name, bytes) => writeTo(folder, name, bytes) : writeInWorker;
  }

  /** Throws where there is no such storage, or none for this page. */
  static async open(): Promise<OpfsStore> {
    return new OpfsStore(await openFolder());
  }

  async read(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const handle = await this.#folder.getFileHandle(name).catch(unlessMissing);
    return handle && new Uint8Array(await (await handle.getFile()).arrayBuffer());
  }

  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#writer(name, bytes);
  }

  async remove(name: string): Promise<void> {
    await this.#folder.removeEntry(name).catch(unlessMissing);
  }

  async list(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of this.#folder.keys()) names.push(name);
    return names;
  }
}

async function openFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(folderName, { create: true });
}

/** What the worker of a page does that cannot write. */
export async function write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  return writeTo(await openFolder(), name, bytes);
}

async function writeTo(folder: FileSystemDirectoryHandle, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const handle: FileHandle = await folder.getFileHandle(name, { create: true });
  if (!handle.createSyncAccessHandle) {
    // Puts the bytes aside and moves them into place when it is closed.
    const stream = await handle.createWritable();
    try {
      await stream.write(bytes);
      await stream.close();
    } catch (error) {
      await stream.abort().catch(() => {});
      throw error;
    }
    return;
  }
  const access = await handle.createSyncAccessHandle();
  try {
    access.truncate(0);
    if (access.write(bytes, { at: 0 }) < bytes.length) throw new DOMException('the storage is full', 'QuotaExceededError');
    access.flush();
  } finally {
    access.close();
  }
}

interface Writer {
  worker: Worker;
  waiting: Map<number, { resolve(): void; reject(reason: unknown): void }>;
  idle: ReturnType<typeof setTimeout> | undefined;
}

let writer: Writer | null = null;
let lastId = 0;
const idleMilliseconds = 2000;

/** Safari's pages before version 26 cannot write, its workers can. The worker ends when it has had nothing to do. */
function writeInWorker(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { worker, waiting, idle } = (writer ??= startWriter());
  clearTimeout(idle);
  return new Promise((resolve, reject) => {
    const id = ++lastId;
    waiting.set(id, { resolve, reject });
    worker.postMessage({ kind: 'write', id, name, bytes }, [bytes.buffer]);
  });
}

function startWriter(): Writer {
  const worker = startTrusted(startWorker);
  const started: Writer = { worker, waiting: new Map(), idle: undefined };
  const end = () => {
    worker.terminate();
    if (writer === started) writer = null;
  };
  worker.onmessage = ({ data }: MessageEvent<{ kind: string; id: number; error?: { message: string } }>) => {
    const { resolve, reject } = started.waiting.get(data.id) ?? {};
    started.waiting.delete(data.id);
    if (data.kind === 'result') resolve?.();
    else reject?.(new Error(data.error?.message));
    if (started.waiting.size === 0) started.idle = setTimeout(end, idleMilliseconds);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end();
    for (const { reject } of started.waiting.values()) reject(new Error(event.message || 'its worker does not start'));
  };
  return started;
}

function unlessMissing(error: unknown): null {
  if (error instanceof DOMException && error.name === 'NotFoundError') return null;
  throw error;
}
