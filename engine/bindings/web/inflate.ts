/* Decompresses a raw deflate stream (RFC 1951) of known size, written as base64. It is synchronous,
 * unlike DecompressionStream, so that importing the package needs no await.
 *
 * A Huffman code is a table: the next `bits` bits of the stream are the index, and the entry is
 * symbol << 4 | length of its code. */
interface Code { bits: number; table: Uint16Array }

function makeCode(lengths: ArrayLike<number>): Code {
  const count = new Uint16Array(17), next = new Uint16Array(17);
  let bits = 1;
  for (let i = 0; i < lengths.length; i++) {
    count[lengths[i]]++;
    if (lengths[i] > bits) bits = lengths[i];
  }
  count[0] = 0;
  for (let n = 1; n <= bits; n++) next[n + 1] = (next[n] + count[n]) << 1;
  const table = new Uint16Array(1 << bits);
  for (let i = 0; i < lengths.length; i++) {
    const n = lengths[i];
    if (n === 0) continue;
    let reversed = 0; // the stream has the first bit of a code in the lowest bit
    for (let k = 0, code = next[n]++; k < n; k++, code >>= 1) reversed = reversed << 1 | (code & 1);
    for (let k = reversed; k < table.length; k += 1 << n) table[k] = i << 4 | n;
  }
  return { bits, table };
}

// Base values and extra bits of lengths (symbols 257..285) and of distances.
function makeRanges(size: number, first: number, step: number): { base: Uint16Array; more: Uint8Array } {
  const base = new Uint16Array(size), more = new Uint8Array(size);
  for (let i = 0, value = first; i < size; value += 1 << more[i++]) {
    base[i] = value;
    more[i] = Math.max(0, Math.floor(i / step) - 1);
  }
  return { base, more };
}

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

class Stream {
  private place = 0;
  private held = 0;
  private count = 0; // of held bits
  private end = 0;
  private lengths = makeRanges(29, 3, 4);
  private distances = makeRanges(30, 1, 2);
  constructor(private input: Uint8Array, readonly out: Uint8Array) {
    this.lengths.base[28] = 258;
    this.lengths.more[28] = 0;
  }
  private fill(count: number): void {
    for (; this.count < count; this.count += 8) this.held |= this.input[this.place++] << this.count;
  }
  private take(count: number): number {
    this.fill(count);
    const bits = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.count -= count;
    return bits;
  }
  private symbol(code: Code): number {
    this.fill(code.bits);
    const entry = code.table[this.held & ((1 << code.bits) - 1)], length = entry & 15;
    this.held >>>= length;
    this.count -= length;
    return entry >> 4;
  }
  private readCodes(): [Code, Code] {
    const literals = this.take(5) + 257, all = literals + this.take(5) + 1, known = this.take(4) + 4;
    const short = new Uint8Array(19), list = new Uint8Array(all);
    for (let i = 0; i < known; i++) short[ORDER[i]] = this.take(3);
    const code = makeCode(short);
    for (let i = 0; i < all;) {
      const s = this.symbol(code);
      if (s < 16) {
        list[i++] = s;
        continue;
      }
      const value = s === 16 ? list[i - 1] : 0;
      const repeats = s === 16 ? 3 + this.take(2) : s === 17 ? 3 + this.take(3) : 11 + this.take(7);
      list.fill(value, i, i += repeats);
    }
    return [makeCode(list.subarray(0, literals)), makeCode(list.subarray(literals))];
  }
  /** Reads one block; false after the last one. */
  block(): boolean {
    const last = this.take(1), type = this.take(2);
    if (type !== 2) throw new Error("cairn2d: the package is damaged"); // build.mjs makes no others
    const [literal, distance] = this.readCodes(), { out, lengths, distances } = this;
    for (let s = this.symbol(literal); s !== 256; s = this.symbol(literal)) {
      if (s < 256) {
        out[this.end++] = s;
        continue;
      }
      const count = lengths.base[s - 257] + this.take(lengths.more[s - 257]), d = this.symbol(distance);
      let from = this.end - distances.base[d] - this.take(distances.more[d]);
      for (let i = 0; i < count; i++) out[this.end++] = out[from++];
    }
    return last === 0;
  }
}

/** Inflates the stream to `size` bytes. */
export function inflate(base64: string, size: number): Uint8Array {
  const text = atob(base64), input = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) input[i] = text.charCodeAt(i);
  const stream = new Stream(input, new Uint8Array(size));
  while (stream.block()) {}
  return stream.out;
}
