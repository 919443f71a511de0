// A model whose files lie in the page itself, as `headlight site --single-file` writes them: a file is one data block or
// several in order, each gzipped and in base64.

import type { ByteRange, ModelSource, SourceFile } from '../src/source.js';

/** What the page's later part holds is there when all of it is read. */
const wholePage = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState !== 'loading') resolve();
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });

const blocks = (): HTMLScriptElement[] => [...document.querySelectorAll<HTMLScriptElement>('script[data-file]')];

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (fromBase64) return fromBase64.call(Uint8Array, base64);
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

async function unpack(block: HTMLScriptElement): Promise<Uint8Array> {
  const packed = decode(block.textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class HeldSource implements ModelSource {
  async list(): Promise<string[]> {
    await wholePage();
    return [...new Set(blocks().map(({ dataset }) => dataset['file']!))];
  }

  async open(name: string, { start = 0, end = Infinity }: ByteRange = {}): Promise<SourceFile | null> {
    await wholePage();
    const parts = blocks().filter(({ dataset }) => dataset['file'] === name);
    if (parts.length === 0) return null;
    const sizes = parts.map(({ dataset }) => Number(dataset['bytes']));
    const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
    let index = 0;
    let position = 0;
    // A block is unpacked when it is asked for: the whole file is never in memory twice.
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          while (index < parts.length && position + sizes[index]! <= start) position += sizes[index++]!;
          if (index === parts.length || position >= end) return controller.close();
          const bytes = await unpack(parts[index++]!);
          controller.enqueue(bytes.subarray(Math.max(0, start - position), end - position));
          position += bytes.length;
        },
      },
      { highWaterMark: 0 },
    );
    return { size: Math.max(0, Math.min(end, size) - start), stream };
  }
}
