// Prints the table of sizes in README.md: of the package with several parts, and of two other
// engines of npm.
//
//     node sizes.mjs FOLDER [--tools FOLDER]
//
// A size is what a page loads for the README's first program: the program with the engine, bundled
// and minified by esbuild, and cairn.wasm if that stands beside it. Builds all in FOLDER.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { run } from "./compile.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals: [target] } =
  parseArgs({ allowPositionals: true, options: { tools: { type: "string" } } });
if (!target) {
  console.error("usage: node sizes.mjs FOLDER [--tools FOLDER]");
  process.exit(2);
}
const folder = resolve(target), tools = resolve(options.tools ?? join(folder, "tools"));
const PEERS = { "matter-js": "0.20.0", "@dimforge/rapier2d-compat": "0.21.0" };

const fall = `new World({ gravity: [0, -10] });
  world.createBody({ type: "static", shapes: [box(50, 1)] });
  const crate = world.createBody({ position: [0, 10], shapes: [box(0.5, 0.5)] });
  for (let i = 0; i < 120; i++) world.step(1 / 60);
  console.log(crate.position.y);
  world.destroy();`;
const needed = "cn_world_create,cn_world_destroy,cn_world_step,cn_body_create,cn_shape_create," +
  "cn_box,cn_body_position";
const programs = {
  cairn2d: `import { World, box } from "cairn2d";\nconst world = ${fall}`,
  lean: `import { load, World, box } from "cairn2d/lean";\nawait load();\nconst world = ${fall}`,
  "matter-js": `import Matter from "matter-js";
    const engine = Matter.Engine.create(), crate = Matter.Bodies.rectangle(0, -10, 1, 1);
    const ground = Matter.Bodies.rectangle(0, 0, 100, 2, { isStatic: true });
    Matter.Composite.add(engine.world, [crate, ground]);
    for (let i = 0; i < 120; i++) Matter.Engine.update(engine, 1000 / 60);
    console.log(crate.position.y);`,
  "@dimforge/rapier2d-compat": `import RAPIER from "@dimforge/rapier2d-compat";
    await RAPIER.init();
    const world = new RAPIER.World({ x: 0, y: -10 });
    const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
    world.createCollider(RAPIER.ColliderDesc.cuboid(50, 1), ground);
    const crate = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 10));
    world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5), crate);
    for (let i = 0; i < 120; i++) world.step();
    console.log(crate.translation().y);`,
};
const rows = [
  ["`cairn2d`", "all", "cairn2d"],
  ["`cairn2d/lean`", "all", "lean"],
  ["`cairn2d/lean`", "queries,character,drawing", "lean"],
  ["`cairn2d/lean`", "queries", "lean"],
  ["`cairn2d/lean`", "none", "lean"],
  ["`cairn2d/lean`, with `--keep`: only the functions of the program", "none", "lean", needed],
];

const counters = [b => b.length, b => gzipSync(b, { level: 9 }).length,
  b => brotliCompressSync(b).length];
const measure = files =>
  counters.map(count => files.reduce((sum, file) => sum + count(readFileSync(file)), 0));
const show = (name, parts, sizes) =>
  console.log(`| ${[name, parts, ...sizes.map(n => `${(n / 1000).toFixed(0)} kB`)].join(" | ")} |`);

/** Installs a package in a folder of its own, and bundles a program with it. */
function bundle(place, packageName, program) {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), '{"type": "module", "private": true}');
  run("npm", ["install", "--prefix", place, "--silent", "--no-audit", "--no-fund", packageName],
    { cwd: place });
  writeFileSync(join(place, "program.js"), program);
  const file = join(place, "bundle.js");
  run(join(tools, "node_modules/.bin/esbuild"), [join(place, "program.js"), "--bundle", "--minify",
    "--format=esm", "--target=es2022", "--log-level=error", `--outfile=${file}`]);
  return file;
}

console.log("| | parts | raw | gzip | brotli |\n|---|---|--:|--:|--:|");
for (const [i, [name, parts, program, keep]] of rows.entries()) {
  const place = join(folder, `${parts.replaceAll(",", "_")}${keep ? "_kept" : ""}`);
  run("node", [join(here, "build.mjs"), place, "--parts", parts, "--tools", tools,
    ...(keep ? ["--keep", keep] : [])]);
  const file = bundle(join(place, `program${i}`), join(place, "package"), programs[program]);
  const files = program === "lean" ? [file, join(place, "package/cairn.wasm")] : [file];
  show(name, parts.replaceAll(",", ", "), measure(files));
}
for (const [name, version] of Object.entries(PEERS)) {
  const file = bundle(join(folder, name.replace(/\W/g, "_")), `${name}@${version}`, programs[name]);
  show(`${name} ${version}`, "", measure([file]));
}
