/** Cairn with its WebAssembly module in a file of its own, `cairn.wasm`. Call {@link load} first. */
import { instantiate } from "./module.js";

export * from "./api.js";
export { warmUp } from "./warm.js";

/** Loads the module: from `cairn.wasm` beside this file, or from what you give, for example the
 *  result of fetch(). Call it once, before everything else. */
export async function load(
  source: string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module =
    new URL("./cairn.wasm", import.meta.url),
): Promise<void> {
  instantiate(await compile(await source));
}

async function compile(source: string | URL | Response | BufferSource | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  if (source instanceof Response) return compile(await source.arrayBuffer());
  const url = String(source);
  if (!url.startsWith("file:")) return compile(await fetch(url));
  // Node cannot fetch files. Bundlers must not follow this import.
  const files = "node:fs/promises";
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files) as { readFile(url: URL): Promise<BufferSource> };
  return compile(await readFile(new URL(url)));
}
