// Builds the npm package:
//
//     node build.mjs FOLDER [--parts PARTS] [--keep NAME,NAME,...]
//                    [--tools FOLDER] [--objects FOLDER] [--module]
//
// The package is then in FOLDER/package. PARTS are names of folders of engine/parts/ with commas,
// all (the default), or none: only these parts are in cairn.wasm. --keep leaves out all functions
// of cairn.h that are not in the list. Both make cairn.wasm smaller; calls of missing functions
// throw. --tools and --objects use these folders of another build, to save time. --module makes
// only FOLDER/cairn.wasm, without wasm-opt.
//
// compile.mjs makes the module: it needs meson, clang, wasm-ld, llvm-ar and wasi-libc, and uses
// wasm-opt (binaryen) if that is installed. `npm ci` installs the tools of tools/package-lock.json
// into FOLDER/tools.
import {
  copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { deflateRawSync } from "node:zlib";
import { buildModule, inspectModule, run, shrinkModule } from "./compile.mjs";

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, "../../..");
const { values: options, positionals: [folder] } = parseArgs({ allowPositionals: true, options: {
  parts: { type: "string", default: "all" }, keep: { type: "string" }, tools: { type: "string" },
  objects: { type: "string" }, module: { type: "boolean", default: false } } });
if (!folder) {
  console.error("usage: node build.mjs FOLDER [--parts PARTS] [--keep NAME,NAME,...] " +
    "[--tools FOLDER] [--objects FOLDER] [--module]");
  process.exit(2);
}
const build = resolve(folder), source = join(build, "src"), output = join(build, "package");
const tools = resolve(options.tools ?? join(build, "tools"));
const apiFile = join(root, "engine/bindings/api.json");
const api = JSON.parse(readFileSync(apiFile, "utf8"));
const entries = {
  index: ["index.js", "--format=esm"], lean: ["lean.js", "--format=esm"],
  draw: ["draw.js", "--format=esm"],
  global: ["cairn2d.global.js", "--format=iife", "--global-name=cairn2d"],
};

function installTools() {
  const names = ["package.json", "package-lock.json"];
  const isSame = name => existsSync(join(tools, name)) &&
    readFileSync(join(tools, name), "utf8") === readFileSync(join(here, "tools", name), "utf8");
  if (names.every(isSame) && existsSync(join(tools, "node_modules"))) return;
  mkdirSync(tools, { recursive: true });
  for (const name of names) copyFileSync(join(here, "tools", name), join(tools, name));
  run("npm", ["ci", "--prefix", tools, "--no-audit", "--no-fund", "--silent"]);
}

/** The TypeScript of the package in FOLDER/src: that of this folder, and what is made from the API
 *  and the module. */
function writeSources(wasm) {
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  for (const file of readdirSync(here).filter(f => f.endsWith(".ts")))
    copyFileSync(join(here, file), join(source, file));
  const made = ["calls.ts", "api.ts"].map(file => join(source, file));
  run("node", [join(here, "generate.mjs"), apiFile, ...made]);
  const bytes = readFileSync(wasm);
  const base64 = deflateRawSync(bytes, { level: 9, memLevel: 9 }).toString("base64");
  const frames = inspectModule(wasm).exports.web_frames.value;
  writeFileSync(join(source, "embedded.ts"), "// Made by build.mjs from cairn.wasm: do not edit.\n" +
    `export const size = ${bytes.length};\n` +
    `export const frames = ${frames}; // the address of web_frames\n` +
    `export const base64: string = "${base64}";\n`);
}

const tool = (name, args) =>
  run(join(tools, "node_modules/.bin", name), args, { stdio: "inherit" });

function writeTypes() {
  writeFileSync(join(source, "tsconfig.json"), JSON.stringify({ compilerOptions: {
    target: "ES2022", module: "ES2022", moduleResolution: "bundler", types: [],
    lib: ["ES2022", "ESNext.Disposable", "DOM"],
    strict: true, noImplicitOverride: true, exactOptionalPropertyTypes: true,
    declaration: true, emitDeclarationOnly: true, stripInternal: true,
    outDir: join(output, "types") }, files: Object.keys(entries).map(entry => `${entry}.ts`) }));
  tool("tsc", ["-p", source]);
  for (const name of ["embedded", "inflate"]) rmSync(join(output, `types/${name}.d.ts`));
  // Symbol.dispose is in no library that a target selects.
  for (const entry of Object.keys(entries))
    writeFileSync(join(output, `${entry}.d.ts`),
      `/// <reference lib="esnext.disposable" />\nexport * from "./types/${entry}.js";\n`);
}

/** The part of fflate that the package needs: a script that runs when it is required. */
function bundleFflate() {
  const entry = join(tools, "fflate.js");
  writeFileSync(entry, 'export { inflateSync } from "fflate";\n');
  tool("esbuild", [entry, "--bundle", "--minify", "--format=cjs", "--target=es2022",
    "--log-level=warning", `--outfile=${join(source, "fflate.cjs")}`]);
}

function bundle() {
  // A console prints the line of an error, so the module must not be in the same line as the code.
  for (const [entry, [name, ...more]] of Object.entries(entries))
    tool("esbuild", [join(source, `${entry}.ts`), "--bundle", "--minify", "--line-limit=160",
      "--keep-names=false", "--target=es2022", "--log-level=warning",
      `--outfile=${join(output, name)}`, ...more]);
}

function writePackage(wasm) {
  copyFileSync(wasm, join(output, "cairn.wasm"));
  const number = part => api.constants.find(c => c.name === `CN_VERSION_${part}`).value;
  const about = { ...JSON.parse(readFileSync(join(here, "package.json"), "utf8")),
    version: ["MAJOR", "MINOR", "PATCH"].map(number).join(".") };
  writeFileSync(join(output, "package.json"), JSON.stringify(about, null, 2) + "\n");
  copyFileSync(join(here, "README.md"), join(output, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(output, "LICENSE"));
  copyFileSync(join(tools, "node_modules/fflate/LICENSE"), join(output, "LICENSE.fflate"));
}

/** Starts the package as a browser does, and as node does: each time it must compile cairn.wasm. */
async function checkPackage(wasm) {
  const { Module } = WebAssembly, { getBuiltinModule } = process, bytes = readFileSync(wasm);
  for (const builtin of [undefined, getBuiltinModule]) {
    let compiled = Buffer.alloc(0);
    WebAssembly.Module = function (inflated) {
      return new Module(compiled = Buffer.from(inflated));
    };
    process.getBuiltinModule = builtin;
    const url = pathToFileURL(join(output, "index.js"));
    const { raw } = await import(`${url}?${builtin ? "node" : "browser"}`);
    raw.cn_version();
    if (!bytes.equals(compiled)) throw new Error("index.js does not contain cairn.wasm");
  }
  Object.assign(process, { getBuiltinModule });
  WebAssembly.Module = Module;
}

const wasm = await buildModule({ root, folder: build, api, parts: options.parts, keep: options.keep,
  objects: options.objects && resolve(options.objects) });
if (options.module) {
  console.log(`cairn.wasm: ${readFileSync(wasm).length} bytes`);
  process.exit(0);
}
shrinkModule(wasm);
installTools();
writeSources(wasm);
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
writeTypes();
bundleFflate();
bundle();
writePackage(wasm);
await checkPackage(wasm);
for (const name of ["index.js", "cairn2d.global.js", "lean.js", "draw.js", "cairn.wasm"])
  console.log(`${name}: ${readFileSync(join(output, name)).length} bytes`);
