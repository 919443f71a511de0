/** Finds out from its first bytes how long a safetensors file is: the only size that a compressed download tells. */
export class SafetensorsSize {
  #head = new Uint8Array(0);

  /** Takes the next bytes; gives the size once it is known, NaN for what is no safetensors file. */
  feed(bytes: Uint8Array): number | null {
    const head = new Uint8Array(this.#head.length + bytes.length);
    head.set(this.#head);
    head.set(bytes, this.#head.length);
    this.#head = head;
    if (head.length < 8) return null;
    const headerSize = Number(new DataView(head.buffer).getBigUint64(0, true));
    if (headerSize > 1e8) return NaN;
    if (head.length < 8 + headerSize) return null;
    try {
      const header = JSON.parse(new TextDecoder().decode(head.subarray(8, 8 + headerSize))) as Record<
        string,
        { data_offsets?: number[] }
      >;
      const ends = Object.values(header).map(({ data_offsets }) => data_offsets?.[1] ?? 0);
      return 8 + headerSize + ends.reduce((last, end) => Math.max(last, end), 0);
    } catch {
      return NaN;
    }
  }
}
