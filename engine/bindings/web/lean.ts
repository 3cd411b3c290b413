/** Cairn with its WebAssembly module in a file of its own, `cairn.wasm`. Call {@link load} first. */
import { bind } from "./calls.js";
import { instantiate } from "./module.js";
import { CairnError, connect } from "./wasm.js";

export * from "./api.js";
export { warmUp } from "./warm.js";

function tooEarly(): never {
  throw new CairnError("state", "the module is not loaded: await load() before everything else");
}
bind({}, () => tooEarly);
connect({ memory: { buffer: new ArrayBuffer(65536) }, malloc: tooEarly, free: tooEarly, frames: 0,
  rotationOf: tooEarly, lastError: tooEarly });

type Source = string | URL | Response | BufferSource | WebAssembly.Module;
let loaded: Promise<void> | undefined;

/** Loads the module: from `cairn.wasm` beside this file, or from what you give, for example the
 *  result of fetch(). Await it before everything else. If it fails, call it again; once the module is
 *  loaded, more calls do nothing. */
export function load(source: Source | Promise<Response> = new URL("./cairn.wasm", import.meta.url)): Promise<void> {
  return loaded ??= start(source).catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
}

async function start(source: Source | Promise<Response>): Promise<void> {
  instantiate(await compile(await source));
}

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  if (source instanceof Response) {
    if (!source.ok) throw new Error(`${source.url || "the module"} was not loaded: ${source.status} ${source.statusText}`);
    return compile(await source.arrayBuffer());
  }
  const url = String(source);
  if (!url.startsWith("file:")) return compile(await fetch(url));
  // Node cannot fetch files. Bundlers must not follow this import.
  const files = "node:fs/promises";
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files) as { readFile(url: URL): Promise<BufferSource> };
  return compile(await readFile(new URL(url)));
}
