/* Makes an instance of the WebAssembly module and connects it with the rest of the binding. */
import { EXPECTED_API, bind, cn_error, cn_error_code, cn_error_set_hook, errorKindValues, VERSION } from "./calls.js";
import type { Raw } from "./calls.js";
import { acceptors, allocate, CairnError, connect, FRAME, guard, markFailed, renewViews, text, u32, u8 } from "./wasm.js";

/** The callbacks that the module imports. world.ts sets those that need objects. */
export const handlers = {
  filter: (_world: number, _a: bigint, _b: bigint, _user: number): number => 1,
  preSolve: (_result: number, _world: number, _contact: number, _user: number): void => {},
  beforeStep: (_world: number, _dt: number, _user: number): void => {},
  write: (_bytes: number, _size: number, _user: number): number => 0,
};

/** Addresses of the callbacks in the module. */
export const callbacks = { filter: 0, preSolve: 0, beforeStep: 0, accept: 0, write: 0 };

interface Module extends Raw {
  memory: WebAssembly.Memory;
  malloc(size: number): number;
  free(p: number): void;
  web_frames: WebAssembly.Global<"i32">;
  web_functions: WebAssembly.Global<"i32">;
}

/** The raw functions of the module, for programs that need more control than the objects give. */
export let raw: Partial<Raw> & { memory: WebAssembly.Memory };

function describe(version: number, hash: number): string {
  const numbers = [Math.floor(version / 10000), Math.floor(version / 100) % 100, version % 100];
  return `${numbers.join(".")} (API ${(hash >>> 0).toString(16).padStart(8, "0")})`;
}

/** Throws if the module was built from another cairn.h. An older one has no cn_api_hash(). */
function checkModule({ cn_version: version, cn_api_hash: hash }: Partial<Module>): void {
  if (version && hash && hash() >>> 0 === EXPECTED_API) return;
  const found = version && hash ? `version ${describe(version(), hash())}` : "an older version";
  throw new CairnError("state", `cairn.wasm is ${found}, this package is for version ${describe(VERSION, EXPECTED_API)}`);
}

/** Makes an instance and connects the binding with it. Returns the functions. */
export function instantiate(module: WebAssembly.Module): Raw {
  const instance = new WebAssembly.Instance(module, {
    cairn: {
      filter: (world: number, a: bigint, b: bigint, user: number) => handlers.filter(world, a, b, user),
      preSolve: (result: number, world: number, contact: number, user: number) =>
        handlers.preSolve(result, world, contact, user),
      beforeStep: (world: number, dt: number, user: number) => handlers.beforeStep(world, dt, user),
      accept: (_world: number, side: number, user: number) => guard(0, () => +!!acceptors[user](side)),
      write: (bytes: number, size: number, user: number) => handlers.write(bytes, size, user),
      error: markFailed,
      grown: renewViews,
      now: () => performance.now(),
    },
  });
  const exports = instance.exports as unknown as Module;
  checkModule(exports);
  const functions = bind(exports, name => () => {
    throw new CairnError("state", `${name}() was left out of this build of the module`);
  });
  connect({
    memory: exports.memory, malloc: exports.malloc, free: exports.free, frames: exports.web_frames.value,
    rotationOf: exports.cn_rotation_of,
    lastError: () => new CairnError(errorKindValues[cn_error_code()], text(cn_error())),
  });
  const [filter, preSolve, beforeStep, , accept, write, error] = u32.subarray(exports.web_functions.value >> 2);
  Object.assign(callbacks, { filter, preSolve, beforeStep, accept, write });
  cn_error_set_hook(error, 0);
  raw = exports;
  return functions;
}

/** Makes the instance when the first function of the module is called, so an import costs little.
 *  Until then, another memory stands in for that of the module. The arguments of the first call are
 *  written there, at the addresses that they will have: `frames` is the address of web_frames. */
export function instantiateLater(compile: () => WebAssembly.Module, frames: number): void {
  const buffer = new ArrayBuffer(frames + FRAME);
  let functions: Raw | undefined;
  const start = () => functions ??= instantiateWith(compile(), new Uint8Array(buffer, frames), frames);
  bind({}, name => (...values: never[]) => (start()[name] as (...v: never[]) => never)(...values));
  const early = () => { throw new CairnError("state", "the module has not been started"); };
  connect({
    memory: { buffer }, frames, lastError: early, free: early,
    malloc: size => (start(), allocate(size)),
    rotationOf: (...values) => start().cn_rotation_of(...values),
  });
  raw = new Proxy({} as typeof raw, {
    get: (_, name: keyof typeof raw) => (start(), raw[name]),
    has: (_, name) => (start(), name in raw),
  });
}
function instantiateWith(module: WebAssembly.Module, values: Uint8Array, at: number): Raw {
  const functions = instantiate(module);
  u8.set(values, at);
  return functions;
}
