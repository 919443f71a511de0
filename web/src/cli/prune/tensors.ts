// Tensors without the heads that are taken out: bytes are moved, whatever their type.

import fs from 'node:fs';
import type { Model } from '../../types.js';
import { readHeader, type SafetensorsHeader } from '../folder-files.js';
import { chunkBytes } from '../manifest.js';

/** Which rows or columns of a layer's projections stay: those of its heads. */
export class LayerCut {
  readonly headSize: number;
  /** One entry for each head that the tensors hold: whether it stays. */
  readonly stays: boolean[];

  constructor(gone: readonly number[], before: readonly number[], { info }: Model) {
    this.headSize = info.hiddenSize / info.numAttentionHeads;
    const there = Array.from({ length: info.numAttentionHeads }, (_, head) => head).filter(
      (head) => !before.includes(head),
    );
    this.stays = there.map((head) => !gone.includes(head));
  }

  /** Of so many pieces in a row, each of `bytes`, those of the heads that stay. */
  cut(data: Buffer, bytes: number): Buffer {
    const size = this.headSize * bytes;
    const whole = this.stays.length * size;
    const parts: Buffer[] = [];
    for (let row = 0; row < data.length; row += whole) {
      this.stays.forEach((stays, i) => {
        if (stays) parts.push(data.subarray(row + i * size, row + (i + 1) * size));
      });
    }
    return Buffer.concat(parts);
  }
}

/** Queries, keys and values have a head's features as rows, what mixes the heads' contexts has them as columns. */
const rowsOfHeads = /layer\.(\d+)\.attention\.(?:self\.(?:query|key|value)|[qkv]_lin)\.(?:weight|bias)(?:_int8|_scale)?$/;
const columnsOfHeads = /layer\.(\d+)\.attention\.(?:output\.dense|out_lin)\.weight(?:_int8)?$/;

/** Writes a file of weights without what belongs to the heads that go. */
export async function pruneFile(from: string, to: string, layers: readonly LayerCut[]): Promise<void> {
  const { header, begin } = readHeader(from);
  const tensors = Object.entries(header)
    .filter(([, { data_offsets }]) => data_offsets !== undefined)
    .map(([name, { dtype, shape, data_offsets: [first, end] = [0, 0] }]) => {
      const rows = layers[Number(rowsOfHeads.exec(name)?.[1])];
      const columns = layers[Number(columnsOfHeads.exec(name)?.[1])];
      return { name, dtype, shape, first, end, rows, columns };
    })
    .sort((a, b) => a.first - b.first);

  const pruned: SafetensorsHeader = {};
  if (header['__metadata__']) pruned['__metadata__'] = header['__metadata__'];
  let at = 0;
  for (const { name, dtype, shape, first, end, rows, columns } of tensors) {
    const cut = rows ?? columns;
    let bytes = end - first;
    const left = [...shape];
    if (cut) {
      const axis = rows ? 0 : 1;
      left[axis] = cut.stays.filter(Boolean).length * cut.headSize;
      bytes = (bytes / shape[axis]!) * left[axis];
    }
    pruned[name] = { dtype, shape: left, data_offsets: [at, at + bytes] };
    at += bytes;
  }
  const text = JSON.stringify(pruned);
  const padded = Buffer.from(text.padEnd(Math.ceil(Buffer.byteLength(text) / 8) * 8 - Buffer.byteLength(text) + text.length));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(padded.length));

  const out = fs.openSync(to, 'wx');
  const source = fs.openSync(from, 'r');
  try {
    for (const bytes of [size, padded]) fs.writeSync(out, bytes);
    for (const { shape, first, end, rows, columns } of tensors) {
      const cut = rows ?? columns;
      if (!cut) {
        for await (const chunk of fs.createReadStream(from, { start: begin + first, end: begin + end - 1, highWaterMark: chunkBytes })) {
          fs.writeSync(out, chunk as Uint8Array);
        }
        continue;
      }
      const data = Buffer.alloc(end - first);
      fs.readSync(source, data, 0, data.length, begin + first);
      fs.writeSync(out, cut.cut(data, data.length / (rows ? shape[0]! : shape[0]! * shape[1]!)));
    }
  } finally {
    fs.closeSync(source);
    fs.closeSync(out);
  }
}
