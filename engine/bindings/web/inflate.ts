/* Decompresses a raw deflate stream (RFC 1951) of known size, written as base64. It is synchronous,
 * unlike DecompressionStream, so that importing the package needs no await.
 *
 * A Huffman code is a list: count[n] codes have n bits, and `symbols` has their symbols in order. */
interface Code { count: Uint16Array; symbols: Uint16Array }

function makeCode(lengths: ArrayLike<number>): Code {
  const count = new Uint16Array(16), first = new Uint16Array(17), symbols = new Uint16Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) count[lengths[i]]++;
  count[0] = 0;
  for (let n = 1; n < 16; n++) first[n + 1] = first[n] + count[n];
  for (let i = 0; i < lengths.length; i++) if (lengths[i]) symbols[first[lengths[i]]++] = i;
  return { count, symbols };
}

// Base values and extra bits of lengths (symbols 257..285) and of distances.
function makeRanges(size: number, first: number, step: number): [number, number][] {
  const ranges: [number, number][] = [];
  for (let i = 0, base = first; i < size; i++) {
    const bits = Math.max(0, Math.floor(i / step) - 1);
    ranges.push([base, bits]);
    base += 1 << bits;
  }
  return ranges;
}

/** Inflates the stream to `size` bytes. */
export function inflate(base64: string, size: number): Uint8Array {
  const input = Uint8Array.from(atob(base64), c => c.charCodeAt(0)), out = new Uint8Array(size);
  const lengths = makeRanges(28, 3, 4).concat([[258, 0]]), distances = makeRanges(30, 1, 2);
  let place = 0, hold = 0, held = 0, end = 0;

  const take = (count: number): number => {
    for (; held < count; held += 8) hold |= input[place++] << held;
    const bits = hold & ((1 << count) - 1);
    hold >>>= count;
    held -= count;
    return bits;
  };
  const symbol = ({ count, symbols }: Code): number => {
    for (let n = 1, code = 0, first = 0, index = 0; n < 16; n++) {
      code |= take(1);
      if (code - first < count[n]) return symbols[index + code - first];
      index += count[n];
      first = (first + count[n]) << 1;
      code <<= 1;
    }
    throw new Error("cairn2d: the package is damaged");
  };
  const readCodes = (): [Code, Code] => {
    const literals = take(5) + 257, all = literals + take(5) + 1, known = take(4) + 4;
    const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    const short = new Uint8Array(19), list: number[] = [];
    for (let i = 0; i < known; i++) short[order[i]] = take(3);
    const code = makeCode(short);
    while (list.length < all) {
      const s = symbol(code);
      if (s < 16) list.push(s);
      else {
        const value = s === 16 ? list[list.length - 1] : 0;
        for (let n = s === 16 ? 3 + take(2) : s === 17 ? 3 + take(3) : 11 + take(7); n > 0; n--) list.push(value);
      }
    }
    return [makeCode(list.slice(0, literals)), makeCode(list.slice(literals))];
  };
  const fixed = (): [Code, Code] => [
    makeCode(Array.from({ length: 288 }, (_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
    makeCode(new Uint8Array(30).fill(5))];

  for (let last = 0; !last;) {
    last = take(1);
    const type = take(2);
    if (type === 0) {
      hold = held = 0;
      const count = input[place] | input[place + 1] << 8;
      out.set(input.subarray(place + 4, place + 4 + count), end);
      place += 4 + count;
      end += count;
      continue;
    }
    const [literal, distance] = type === 1 ? fixed() : readCodes();
    for (let s = symbol(literal); s !== 256; s = symbol(literal)) {
      if (s < 256) {
        out[end++] = s;
        continue;
      }
      const [base, bits] = lengths[s - 257], count = base + take(bits);
      const [near, more] = distances[symbol(distance)], from = end - near - take(more);
      for (let i = 0; i < count; i++) out[end++] = out[from + i];
    }
  }
  return out;
}
