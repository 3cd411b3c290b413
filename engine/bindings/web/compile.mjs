// Compiles cairn.wasm. meson says which sources there are and which options keep the results the
// same on all machines: this file sets up a build folder for WebAssembly, reads it with
// `meson introspect`, and adds only how far each file is optimised.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, delimiter, join, relative } from "node:path";

const OPTIONS = ["-Dlanes=4", "-Dc_args=-msimd128 -ffunction-sections -fdata-sections",
  "-Doptimization=plain", "-Db_ndebug=true", "-Ddemo=disabled", "-Dtests=disabled"];

// If everything is inlined, as in native builds, a kernel is two to eight times as large. The speed
// of the other kernels is worth it. The speed of these is not.
const KERNELS = {
  "contact_kernel.c": ["-O2", "-DCN_INLINE=static inline"],
  "trees.c": ["-O2", "-DCN_INLINE=static inline"],
  "tree_query.c": ["-Oz", "-DCN_INLINE=static inline"],
};

// The binding itself needs these.
const ALWAYS = ["malloc", "free", "web_frames", "web_functions", "cn_error", "cn_error_code",
  "cn_error_set_hook", "cn_rotation_of", "cn_version", "cn_api_hash"];

/** Runs a command; throws if it fails. Returns what it writes. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"], ...options });
  if (done.status === 0) return done.stdout;
  throw new Error(`${command} failed: ${done.error ?? done.stdout ?? ""}`);
}

/** The targets of meson: `{ parameters, sources }` of the library and of its kernels. */
function readTargets(root, build, parts) {
  const cross = join(root, "engine/bindings/cross");
  const env = { ...process.env, PATH: cross + delimiter + process.env.PATH };
  const setup = existsSync(join(build, "build.ninja")) ? ["setup", "--reconfigure"] : ["setup"];
  run("meson", [...setup, build, root, "--cross-file", join(cross, "wasi.ini"), ...OPTIONS,
    `-Dparts=${parts}`], { env });
  const targets = JSON.parse(run("meson", ["introspect", "--targets", build], { env }));
  return targets.filter(t => t.type === "static library").flatMap(t => t.target_sources);
}

// A kernel has -O3 and -fPIC in meson. Here each file has an optimisation of its own, and addresses
// are fixed.
const isKept = argument => !/^-(O.|fPIC)$/.test(argument);
const isKernel = target => target.parameters.some(p => p.startsWith("-DCN_LANES="));
const optimise = (target, file) => isKernel(target) ? KERNELS[basename(file)] ?? ["-O2"] : ["-Oz"];

/** The jobs of clang: `{ object, args }` for each source, and one for web.c. */
function listJobs(root, objects, targets) {
  const job = (target, file, more) => {
    const object = join(objects, relative(root, file).replace(/\W/g, "_") + ".o");
    const kept = target.parameters.filter(isKept);
    return { object, args: [...kept, ...more, "-c", file, "-o", object] };
  };
  const jobs = targets.flatMap(t => t.sources.map(file => job(t, file, optimise(t, file))));
  const engine = targets.find(t => !isKernel(t));
  return [...jobs, job(engine, join(root, "engine/bindings/web/web.c"), ["-Os"])];
}

async function compile(jobs) {
  const work = jobs.slice();
  const start = ({ args }) => new Promise((done, fail) =>
    spawn("clang", ["--target=wasm32-wasi", ...args], { stdio: ["ignore", "inherit", "inherit"] })
      .on("exit", code => code === 0 ? done() : fail(new Error(`clang ${args.join(" ")}`)))
      .on("error", fail));
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let job = work.shift(); job; job = work.shift()) await start(job);
  }));
}

/** The functions of cairn.h in the module: those of `keep`, or all of the parts that are built. */
function listExports(api, targets, keep) {
  const missing = targets.flatMap(t => t.parameters).filter(p => p.startsWith("-DCN_WITHOUT_"));
  const isBuilt = f => !f.part || !missing.includes(`-DCN_WITHOUT_${f.part.toUpperCase()}`);
  const kept = keep?.split(",") ?? api.functions.filter(isBuilt).map(f => f.name);
  const unknown = kept.find(name => !api.functions.some(f => f.name === name));
  if (unknown !== undefined) throw new Error(`${unknown} is no function of cairn.h`);
  return [...new Set([...kept, ...ALWAYS])];
}

function link(objects, exports, wasm) {
  // Addresses stay below 2^31, because JavaScript's >> takes signed numbers.
  run("clang", ["--target=wasm32-wasi", "-nostartfiles", "-Wl,--no-entry",
    "-Wl,--max-memory=2147483648",
    "-Wl,-z,stack-size=1048576", "-Wl,--stack-first", "-Wl,--gc-sections", "-Wl,--strip-all",
    ...exports.map(name => `-Wl,--export=${name}`), ...objects, "-o", wasm]);
}

/** Builds FOLDER/cairn.wasm. `objects`: those of another build, which are not compiled again. */
export async function buildModule({ root, folder, api, parts, keep, objects }) {
  const targets = readTargets(root, join(folder, "meson"), parts);
  const jobs = listJobs(root, objects ?? join(folder, "objects"), targets);
  if (!objects) {
    mkdirSync(join(folder, "objects"), { recursive: true });
    await compile(jobs);
  }
  const wasm = join(folder, "cairn.wasm");
  link(jobs.map(job => job.object), listExports(api, targets, keep), wasm);
  return wasm;
}

/** Makes the module smaller with wasm-opt, if that is installed. */
export function shrinkModule(wasm) {
  if (spawnSync("wasm-opt", ["--version"], { stdio: "ignore" }).status !== 0)
    return console.log("build.mjs: without wasm-opt (binaryen) the module is larger");
  run("wasm-opt", ["-O2", "--enable-simd", "--enable-bulk-memory", "--enable-sign-ext",
    "--enable-mutable-globals", "--enable-nontrapping-float-to-int", wasm, "-o", wasm]);
}

/** An instance only for reading properties of the module: its imports do nothing. */
export function inspectModule(wasm) {
  const module = new WebAssembly.Module(readFileSync(wasm));
  const imports = WebAssembly.Module.imports(module);
  const other = imports.find(i => i.module !== "cairn");
  if (other) throw new Error(`the module imports ${other.module}.${other.name}`);
  const cairn = Object.fromEntries(imports.map(i => [i.name, () => 0]));
  return new WebAssembly.Instance(module, { cairn });
}
