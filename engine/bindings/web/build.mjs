// Builds the npm package:
//
//     node build.mjs FOLDER [--parts PARTS] [--keep NAME,NAME,...] [--tools FOLDER] [--objects FOLDER] [--module]
//
// The package is then in FOLDER/package. PARTS are names of folders of engine/parts/ with commas, all
// (the default), or none: only these parts are in cairn.wasm. --keep leaves out all functions of
// cairn.h that are not in the list. Both make cairn.wasm smaller; calls of missing functions throw.
// --tools and --objects use these folders of another build, to save time. --module makes only
// FOLDER/cairn.wasm, without wasm-opt.
//
// It needs clang, wasm-ld, wasi-libc and the headers of cglm. It uses wasm-opt (binaryen) if that
// is installed. TypeScript and esbuild are installed by npm into FOLDER/tools.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync, copyFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { deflateRawSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, "../../..");
const { values: options, positionals: [folder] } = parseArgs({ allowPositionals: true,
  options: { parts: { type: "string", default: "all" }, keep: { type: "string" }, tools: { type: "string" }, objects: { type: "string" }, module: { type: "boolean", default: false } } });
if (!folder) {
  console.error("usage: node build.mjs FOLDER [--parts PARTS] [--keep NAME,NAME,...] [--tools FOLDER] [--objects FOLDER] [--module]");
  process.exit(2);
}
const build = resolve(folder), source = join(build, "src"), output = join(build, "package");
const objects = resolve(options.objects ?? join(build, "objects")), tools = resolve(options.tools ?? join(build, "tools"));
for (const f of [objects, source, tools, join(build, "include")]) mkdirSync(f, { recursive: true });
const run = (command, args) => {
  if (spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status === 0) return;
  console.error(`build.mjs: ${command} failed`);
  process.exit(1);
};
const has = command => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
const api = JSON.parse(readFileSync(join(root, "engine/bindings/api.json"), "utf8"));

// ---- the WebAssembly module

// The parts that are built, those that are not, and the sources, as meson.build lists them:
// ../sources.py does the same.
function listSources() {
  const text = readFileSync(join(root, "meson.build"), "utf8"), files = text => [...text.matchAll(/'(engine\/[\w/]+\.c)'/g)].map(m => m[1]);
  const [core, rest] = text.split("part_sources = {"), [listed, after] = rest.split("part_needs = {"), [needed, end] = after.split("}");
  const parts = Object.fromEntries([...listed.matchAll(/'([a-z ]+)': files\((.*?)\)/gs)].map(m => [m[1], files(m[2])]));
  const needs = Object.fromEntries([...needed.matchAll(/'([a-z]+)': \[(.*?)\]/g)].map(m => [m[1], m[2].match(/[a-z]+/g)]));
  const kernels = files(end.slice(end.indexOf("tree_kernels"), end.indexOf("kernel_widths")));
  const found = readdirSync(join(root, "engine"), { recursive: true })
    .filter(f => f.endsWith(".c") && !f.startsWith("bindings")).map(f => "engine/" + f).sort();
  if (String([...files(core), ...Object.values(parts).flat(), ...kernels].sort()) !== String(found)) throw new Error("build.mjs does not find the sources in meson.build");
  const every = Object.keys(parts).filter(key => !key.includes(" "));
  const names = { all: every, none: [] }[options.parts] ?? options.parts.split(",");
  for (const name of names) if (!every.includes(name)) throw new Error(`there is no part ${name}: the parts are ${every.join(", ")}`);
  const built = [...new Set([...names, ...names.flatMap(name => needs[name] ?? [])])];
  const isBuilt = file => !/^engine\/parts\/\w+\//.test(file) || built.includes(file.split("/")[2]);
  const engine = [...files(core), ...Object.entries(parts).filter(([key]) => key.split(" ").every(name => built.includes(name))).flatMap(([, list]) => list)];
  return { built, missing: every.filter(name => !built.includes(name)), engine, kernels: kernels.filter(isBuilt) };
}

// The options that keep the results the same on all machines are those of meson.build.
const flags = ["--target=wasm32-wasi", "-std=c17", "-DNDEBUG", "-msimd128", "-ffp-contract=off", "-fno-slp-vectorize",
  "-fno-math-errno", "-ffunction-sections", "-fdata-sections", "-DCN_NO_1_LANE", "-isystem", join(build, "include")];

// If everything is inlined, as in native builds, a kernel is two to eight times as large. The other
// kernels are worth it, these are not.
const kernelOptions = { "contact_kernel.c": ["-O2", "-DCN_INLINE=static inline"],
  "trees.c": ["-O2", "-DCN_INLINE=static inline"], "tree_query.c": ["-Oz", "-DCN_INLINE=static inline"] };

async function compile(jobs) {
  const work = jobs.slice();
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let job = work.shift(); job; job = work.shift())
      await new Promise((done, fail) => spawn("clang", job, { stdio: ["ignore", "inherit", "inherit"] })
        .on("exit", code => code === 0 ? done() : fail(new Error(`clang ${job.join(" ")}`))).on("error", fail));
  }));
}

async function buildModule() {
  const cglm = join(build, "include/cglm");
  if (!existsSync(cglm)) {
    const folders = [process.env.CGLM_INCLUDE, "/usr/include", "/usr/local/include"].filter(Boolean);
    const include = folders.find(f => existsSync(join(f, "cglm/struct/vec2.h")));
    if (!include) throw new Error("cglm is missing: install it or set CGLM_INCLUDE");
    symlinkSync(join(include, "cglm"), cglm);
  }
  const { built, missing, engine, kernels } = listSources(), jobs = [], linked = [];
  const without = missing.map(name => `-DCN_WITHOUT_${name.toUpperCase()}`);
  const add = (file, args) => {
    const object = join(objects, file.replace(/\W/g, "_") + args.filter(a => a.startsWith("-DCN_LANES")).join("") + ".o");
    linked.push(object);
    jobs.push([...flags, ...without, ...args, "-c", join(root, file), "-o", object]);
  };
  engine.forEach(file => add(file, ["-Oz"]));
  kernels.forEach(file => add(file, [...(kernelOptions[basename(file)] ?? ["-O2"]), "-DCN_LANES=4"]));
  add("engine/bindings/web/web.c", ["-Os"]);
  if (!options.objects) await compile(jobs);
  const kept = options.keep?.split(",") ?? api.functions.filter(f => !f.part || built.includes(f.part)).map(f => f.name);
  for (const name of kept) if (!api.functions.some(f => f.name === name)) throw new Error(`${name} is no function of cairn.h`);
  // The binding itself needs these.
  const always = ["malloc", "free", "web_frames", "web_functions", "cn_error", "cn_error_code", "cn_error_set_hook", "cn_rotation_of",
    "cn_version", "cn_api_hash"];
  const wasm = join(build, "cairn.wasm");
  // Addresses stay below 2^31, because JavaScript's >> takes signed numbers.
  run("clang", ["--target=wasm32-wasi", "-Wl,--max-memory=2147483648", "-nostartfiles", "-Wl,--no-entry", "-Wl,-z,stack-size=1048576", "-Wl,--stack-first",
    "-Wl,--gc-sections", "-Wl,--strip-all", ...[...new Set([...kept, ...always])].map(name => `-Wl,--export=${name}`), ...linked, "-o", wasm]);
  if (options.module) {
    console.log(`cairn.wasm: ${readFileSync(wasm).length} bytes`);
    process.exit(0);
  }
  if (has("wasm-opt"))
    run("wasm-opt", ["-O2", "--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals", "--enable-nontrapping-float-to-int", wasm, "-o", wasm]);
  else console.log("build.mjs: without wasm-opt (binaryen) the module is larger");
  const bytes = readFileSync(wasm), wanted = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(i => i.module !== "cairn");
  if (wanted.length) throw new Error(`the module imports ${wanted.map(i => `${i.module}.${i.name}`).join(", ")}`);
  return bytes;
}

// ---- the package

const bytes = await buildModule();
for (const file of readdirSync(here).filter(f => f.endsWith(".ts"))) copyFileSync(join(here, file), join(source, file));
run("node", [join(here, "generate.mjs"), join(root, "engine/bindings/api.json"), join(source, "calls.ts"), join(source, "api.ts")]);
writeFileSync(join(source, "embedded.ts"),
  `export const size = ${bytes.length};\nexport const base64: string = "${deflateRawSync(bytes, { level: 9, memLevel: 9 }).toString("base64")}";\n`);

if (!existsSync(join(tools, "node_modules/.bin/tsc")))
  run("npm", ["install", "--prefix", tools, "--no-audit", "--no-fund", "--silent", "typescript@5", "esbuild@0.25", "@types/node@20"]);
const tool = (name, args) => run(join(tools, "node_modules/.bin", name), args);
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
writeFileSync(join(source, "tsconfig.json"), JSON.stringify({ compilerOptions: {
  target: "ES2022", module: "ES2022", moduleResolution: "bundler", lib: ["ES2022", "ESNext.Disposable", "DOM"], types: [], strict: true,
  noImplicitOverride: true, exactOptionalPropertyTypes: true,
  declaration: true, emitDeclarationOnly: true, stripInternal: true, outDir: join(output, "types") }, files: ["index.ts", "lean.ts"] }));
tool("tsc", ["-p", source]);
rmSync(join(output, "types/embedded.d.ts"));
// A console prints the line of an error, so the module must not be in the same line as the code.
const bundle = (entry, format, name, more = []) => tool("esbuild", [join(source, entry), "--bundle", "--minify", "--line-limit=160", "--keep-names=false",
  "--target=es2022", `--format=${format}`, "--log-level=warning", `--outfile=${join(output, name)}`, ...more]);
bundle("index.ts", "esm", "index.js");
bundle("index.ts", "iife", "cairn2d.global.js", ["--global-name=cairn2d"]);
bundle("lean.ts", "esm", "lean.js");
writeFileSync(join(output, "cairn.wasm"), bytes);
writeFileSync(join(output, "index.d.ts"), 'export * from "./types/index.js";\n');
writeFileSync(join(output, "lean.d.ts"), 'export * from "./types/lean.js";\n');
const version = ["MAJOR", "MINOR", "PATCH"].map(part => api.constants.find(c => c.name === `CN_VERSION_${part}`).value).join(".");
writeFileSync(join(output, "package.json"), JSON.stringify({ ...JSON.parse(readFileSync(join(here, "package.json"), "utf8")), version }, null, 2) + "\n");
copyFileSync(join(here, "README.md"), join(output, "README.md"));
copyFileSync(join(root, "LICENSE"), join(output, "LICENSE"));
for (const name of ["index.js", "cairn2d.global.js", "lean.js", "cairn.wasm"])
  console.log(`${basename(name)}: ${readFileSync(join(output, name)).length} bytes`);
