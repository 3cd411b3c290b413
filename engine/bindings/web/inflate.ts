/* The module as build.mjs embeds it: a raw deflate stream (RFC 1951), written as base64. It is read
 * synchronously, unlike with DecompressionStream, so the package needs no await. Node uses its own
 * zlib, which is faster. So fflate, which makes tables when it is loaded, is loaded only in
 * browsers. */
interface Fflate { inflateSync(bytes: Uint8Array, options: { out: Uint8Array }): Uint8Array }
declare function require(file: "./fflate.cjs"): Fflate;

interface Zlib { inflateRawSync(bytes: Uint8Array): Uint8Array }
interface Host {
  Buffer?: { from(text: string, encoding: "base64"): Uint8Array };
  process?: { getBuiltinModule?(name: "node:zlib"): Zlib | undefined };
}
const { Buffer, process } = globalThis as Host;

function decode(base64: string): Uint8Array {
  if (Buffer) return Buffer.from(base64, "base64");
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Inflates the stream to `size` bytes. */
export function inflate(base64: string, size: number): Uint8Array {
  const bytes = decode(base64), zlib = process?.getBuiltinModule?.("node:zlib");
  if (zlib) return zlib.inflateRawSync(bytes);
  return require("./fflate.cjs").inflateSync(bytes, { out: new Uint8Array(size) });
}
