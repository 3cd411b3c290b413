// The package as users get it: its size, its types, and its use after npm install.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { gzipSync } from "node:zlib";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const source = process.env.CAIRN_PACKAGE, tools = join(process.env.CAIRN_TOOLS, "node_modules/.bin");
const folder = mkdtempSync(join(tmpdir(), "cairn2d-"));
after(() => rmSync(folder, { recursive: true }));
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const tarball = run("npm", "pack", "--silent", source).trim();
writeFileSync(join(folder, "package.json"), '{"type": "module", "private": true}');
run("npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", tarball);

// The limits are close to the current sizes without wasm-opt, so that growth is noticed.
test("sizes", () => {
  const sizes = {};
  for (const name of ["cairn.wasm", "index.js", "lean.js"]) {
    const bytes = readFileSync(join(source, name));
    sizes[name] = [bytes.length, gzipSync(bytes, { level: 9 }).length];
  }
  console.log(JSON.stringify(sizes));
  const lean = readFileSync(join(process.env.CAIRN_LEAN, "cairn.wasm"));
  console.log(`cairn.wasm for the README's program: ${lean.length} ${gzipSync(lean, { level: 9 }).length}`);
  const limits = [[sizes["cairn.wasm"], [860e3, 328e3]], [sizes["index.js"], [522e3, 364e3]], [sizes["lean.js"], [76e3, 22.5e3]],
    [[lean.length, gzipSync(lean, { level: 9 }).length], [500e3, 186e3]]];
  for (const [size, limit] of limits) assert.ok(size[0] <= limit[0] && size[1] <= limit[1], `${size} above ${limit}`);
});

const program = `
  const world = new World({ gravity: [0, -10] });
  world.createBody({ type: "static", shapes: [box(50, 1)] });
  const crate = world.createBody({ position: [0, 10], shapes: [{ hull: box(0.5, 0.5), density: 2, material: { friction: 0.4 } }] });
  for (let i = 0; i < 120; i++) world.step(1 / 60);
  console.log(\`the crate rests at a height of \${crate.position.y.toFixed(3)}\`);
  world.destroy();`;
const answer = "the crate rests at a height of 1.500\n";

writeFileSync(join(folder, "save.js"), `import { writeFileSync } from "node:fs"; import { World } from "cairn2d";
  writeFileSync("state.bin", new World().save());`);
run("node", "save.js");

test("import without await", () => {
  writeFileSync(join(folder, "program.js"), `import { World, box } from "cairn2d";${program}`);
  assert.equal(run("node", "program.js"), answer);
});

// The other way to inflate is that of browsers. Both have the same result.
const firsts = {};
for (const first of ["box(1, 2).radius", "World.load(bytes, {}, { beforeStep() {} }).hash()", "regularPolygon(6, 1).count", "raw.cn_version()"])
  for (const [name, hidden] of [["node", ""], ["a browser", "process.getBuiltinModule = undefined; delete globalThis.Buffer;"]])
    test(`in ${name} the module starts with the first call, ${first}`, () => {
      writeFileSync(join(folder, "first.js"), `import assert from "node:assert/strict"; import { readFileSync } from "node:fs";
        const bytes = new Uint8Array(readFileSync("state.bin")), { Module } = WebAssembly;
        let count = 0;
        WebAssembly.Module = class { constructor(bytes) { count++; return new Module(bytes); } };
        ${hidden}
        const { World, box, raw, regularPolygon } = await import("cairn2d");
        assert.equal(count, 0);
        console.log(String(${first}));
        assert.equal(count, 1);
        ${program.replace("const world =", "const world = globalThis.world =")}
        assert.ok(raw.memory.buffer.byteLength > 65536);
        assert.equal(count, 1);`);
      const [result, rest] = run("node", "first.js").split(/\n(.*)/s);
      assert.equal(result, firsts[first] ??= result);
      assert.equal(rest, answer);
    });

test("the callbacks of a world that is loaded by the first call", () => {
  writeFileSync(join(folder, "callbacks.js"), `import { readFileSync } from "node:fs"; import { World } from "cairn2d";
    let count = 0;
    World.load(readFileSync("state.bin"), {}, { beforeStep: () => count++ }).advance(0.105);
    console.log(count);`);
  assert.equal(run("node", "callbacks.js"), "6\n");
});

test("the lean module", () => {
  writeFileSync(join(folder, "lean.js"), `import { load, World, box } from "cairn2d/lean"; await load();${program}`);
  assert.equal(run("node", "lean.js"), answer);
});

test("the lean module before it is loaded, loaded twice, and from a wrong address", () => {
  writeFileSync(join(folder, "twice.js"), `import { load, World, box, CairnError } from "cairn2d/lean";
    import assert from "node:assert/strict";
    const early = { name: "CairnError", message: /await load\\(\\)/ };
    assert.throws(() => new World({ gravity: [0, -10] }), early);
    assert.throws(() => box(1, 1), early);
    await assert.rejects(load(Promise.resolve(new Response("no such file", { status: 404 }))), /404/);
    await Promise.all([load(), load()]);
    const first = new World({ gravity: [0, -3] });
    await load();
    assert.equal(first.gravity.y, -3);
    first.destroy();${program}`);
  assert.equal(run("node", "twice.js"), answer);
});

test("a lean module with the functions that the program needs", () => {
  writeFileSync(join(folder, "least.js"), `import { readFileSync } from "node:fs"; import { load, World, box, CairnError } from "cairn2d/lean";
    await load(readFileSync(${JSON.stringify(join(process.env.CAIRN_LEAN, "cairn.wasm"))}));${program}
    try { new World().hash(); } catch (error) { if (!/left out/.test(error.message)) throw error; }`);
  assert.equal(run("node", "least.js"), answer);
});

test("a module of another version is refused", () => {
  writeFileSync(join(folder, "other.js"), `import { load } from "cairn2d/lean"; import assert from "node:assert/strict";
    const { Instance } = WebAssembly;
    const refuse = (changed, message) => {
      WebAssembly.Instance = class { constructor(...of) { this.exports = { ...new Instance(...of).exports, ...changed }; } };
      return assert.rejects(load(), { name: "CairnError", message });
    };
    const ours = /, this package is for version \\d+\\.\\d+\\.\\d+ \\(API [0-9a-f]{8}\\)$/.source;
    await refuse({ cn_version: () => 20304, cn_api_hash: () => 0x89abcdef | 0 }, new RegExp(/is version 2.3.4 \\(API 89abcdef\\)/.source + ours));
    await refuse({ cn_api_hash: undefined }, new RegExp(/is an older version/.source + ours));
    console.log("refused");`);
  assert.equal(run("node", "other.js"), "refused\n");
});

test("bundled by esbuild", () => {
  run(join(tools, "esbuild"), "program.js", "--bundle", "--format=iife", "--outfile=bundle.cjs", "--log-level=error");
  assert.equal(run("node", "bundle.cjs"), answer);
});

test("as a plain script", () => {
  copyFileSync(join(source, "cairn2d.global.js"), join(folder, "script.cjs"));
  writeFileSync(join(folder, "page.cjs"), `
    require("node:vm").runInThisContext(require("node:fs").readFileSync("script.cjs", "utf8"));
    const { World, box } = cairn2d;${program}`);
  assert.equal(run("node", "page.cjs"), answer);
});

test("types of all examples, strict", () => {
  copyFileSync(join(here, "example.ts"), join(folder, "example.ts"));
  copyFileSync(join(source, "README.md"), join(folder, "README.md"));
  const blocks = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/^```ts\n(.*?)^```/gms)].map(m => m[1]);
  assert.ok(blocks.length > 0);
  blocks.forEach((block, i) => writeFileSync(join(folder, `readme${i}.ts`), block));
  const files = ["example.ts", ...blocks.map((_, i) => `readme${i}.ts`)];
  const options = ["--strict", "--noEmit", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler", "--lib", "es2022,dom"];
  for (const file of files)
    try {
      run(join(tools, "tsc"), ...options, file);
    } catch (error) {
      assert.fail(`${file}: ${error.stdout}${error.stderr}`);
    }
  const types = ["world", "calls"].map(name => readFileSync(join(source, `types/${name}.d.ts`), "utf8")).join("");
  assert.doesNotMatch(types.replace(/\/\*.*?\*\//gs, ""), /\bany\b(?!\??:)/);
});

// Without --lib and --skipLibCheck, as in a new project.
for (const more of [["--module", "es2022", "--moduleResolution", "bundler"], ["--module", "nodenext"]])
  test(`types with --strict --target es2022 ${more.join(" ")} only`, () => {
    writeFileSync(join(folder, "plain.ts"), `import { World } from "cairn2d"; import { load } from "cairn2d/lean"; import { draw } from "cairn2d/draw";
      export function show(context: CanvasRenderingContext2D): void { using world = new World(); draw(context, world, { scale: 20 }); }
      export const loaded: Promise<void> = load();`);
    try {
      run(join(tools, "tsc"), "--noEmit", "--strict", "--target", "es2022", ...more, "plain.ts");
    } catch (error) {
      assert.fail(error.stdout + error.stderr);
    }
  });

test("a drawing on a canvas", () => {
  writeFileSync(join(folder, "canvas.js"), `import assert from "node:assert/strict";
    import { DrawFlags, World, box } from "cairn2d"; import { draw, pointAt } from "cairn2d/draw";
    const done = [], canvas = { width: 400, height: 300 };
    const context = new Proxy({ canvas }, { get: (own, name) => own[name] ?? ((...values) => { done.push([name, ...values]); }) });
    const calls = name => done.filter(([n]) => n === name);
    const world = new World();
    world.createBody({ type: "static", position: [2, 1], shapes: [box(1, 0.5)] });
    draw(context, world, { center: [2, 0], scale: 50 }, DrawFlags.shapes);
    // The middle of the canvas is the point (2, 0), and y is up.
    const [[, a, b, c, d, x, y]] = calls("setTransform"), place = (px, py) => [a * px + c * py + x, b * px + d * py + y];
    assert.deepEqual(place(2, 0), [200, 150]);
    assert.deepEqual(place(3, 1), [250, 100]);
    // Each corner of the box is in the path of its color, which is filled.
    const corners = calls("moveTo").concat(calls("lineTo")).map(([, ...point]) => point.join());
    for (const corner of ["1,0.5", "3,0.5", "3,1.5", "1,1.5"]) assert.ok(corners.includes(corner), corner);
    assert.ok(calls("fill").length === 1 && calls("beginPath").length === calls("fill").length + calls("stroke").length);
    assert.match(context.fillStyle, /^#[0-9a-f]{8}$/);
    assert.equal(calls("save").length, calls("restore").length);
    assert.deepEqual(pointAt(context, { center: [2, 0], scale: 50 }, [250, 100]), { x: 3, y: 1 });
    assert.deepEqual(pointAt(context, {}, { x: 200, y: 110 }), { x: 0, y: 1 });
    console.log("drawn");`);
  assert.equal(run("node", "canvas.js"), "drawn\n");
});

test("an error does not print the module", () => {
  for (const name of ["index.js", "lean.js", "draw.js", "cairn2d.global.js"]) {
    const lines = readFileSync(`${process.env.CAIRN_PACKAGE}/${name}`, "utf8").split("\n");
    assert.ok(lines.every(line => line.length < 500), name);
  }
});
