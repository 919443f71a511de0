// Reads and writes safetensors of float32, int8, int32 and int64.

const arrays = { F32: Float32Array, I8: Int8Array, I32: Int32Array, I64: BigInt64Array };

/** { name: { shape, data: Float32Array } } as a file. */
export function encodeSafetensors(tensors) {
  const header = {};
  let offset = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype: 'F32', shape, data_offsets: [offset, (offset += data.byteLength)] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const bodies = Object.values(tensors).map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return new Uint8Array(Buffer.concat([size, text, ...bodies]));
}

/** A file as { name: { shape, data } }. */
export function decodeSafetensors(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(Buffer.from(bytes.subarray(8, start)).toString());
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const [first, last] = offsets;
    tensors[name] = { shape, data: new arrays[dtype](bytes.slice(start + first, start + last).buffer) };
  }
  return tensors;
}
