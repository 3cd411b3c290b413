// Runs the examples of the playground in node: playground.mjs PLAYGROUND-FOLDER PACKAGE-FOLDER
//
// Each example is shown for two seconds by worker.js, with a canvas that draws nothing. No example
// throws, and what a lesson solves by hand agrees with the engine: two of its values, one after the
// other, of which the second is named "in the engine".
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const [folder, cairn] = process.argv.slice(2);
const scripts = [join(cairn, "cairn2d.global.js"), join(folder, "worker.js")]
    .map(file => readFileSync(file, "utf8"));

// A worker: its messages, and what its code can reach.
class Worker {
    messages = [];
    values = {};
    constructor() {
        const listeners = this.listeners = {};
        const drawing = new Proxy({}, { get: (all, name) => all[name] ?? this.draw(name) });
        this.canvas = { width: 800, height: 600, getContext: () => drawing };
        drawing.canvas = this.canvas;
        this.context = createContext({
            console: {}, WebAssembly, performance, atob, TextDecoder, TextEncoder,
            Blob: class { constructor(parts) { this.text = parts.join(""); } },
            URL: { createObjectURL: blob => blob.text },
            importScripts: code => runInContext(code, this.context, { filename: "playground.js" }),
            addEventListener: (kind, listener) => { listeners[kind] = listener; },
            requestAnimationFrame: next => { this.next = next; },
            postMessage: message => this.messages.push(message),
        });
        for (const script of scripts) runInContext(script, this.context);
    }

    draw(name) {
        if (name !== "fillText") return () => {};
        return text => { const [key, value] = text.split(": "); this.values[key] = value; };
    }

    send(data) { this.listeners.message({ data }); }
    start(code) { this.send({ kind: "start", canvas: this.canvas, code }); }
    show(seconds) { for (let i = 1; i <= 60 * seconds; i++) this.next(1000 * i / 60 + 0.01 * i); }
    fail(error) {
        this.listeners.error({ error, message: String(error), preventDefault() {} });
        return this.messages.at(-1);
    }
}

for (const name of readdirSync(join(folder, "examples")))
    test(`the example ${name} runs`, () => {
        const worker = new Worker(), code = readFileSync(join(folder, "examples", name), "utf8");
        worker.start(code);
        for (const pixel of [[300, 200], [500, 250]])
            for (const action of ["down", "move", "up"]) worker.send({ kind: "pointer", action, pixel });
        worker.send({ kind: "key", key: "ArrowUp", isDown: true });
        worker.show(2);
        assert.deepEqual(worker.messages.filter(({ kind }) => kind === "error"), []);
        if (!/^\d/.test(name)) return;
        const numbers = Object.entries(worker.values).map(([key, value]) => [key, Number(value)]);
        const at = numbers.findIndex(([key]) => key.startsWith("in the engine"));
        assert.ok(at > 0, "a lesson compares");
        assert.ok(Math.abs(numbers[at][1] - numbers[at - 1][1]) < 0.02, JSON.stringify(numbers));
        assert.ok(Math.abs(numbers[at][1]) > 0.1);
    });

test("an error names the line that threw, or that called what threw", () => {
    const lines = ['import {', '  World, box as slab', '} from "cairn2d";', "const world = new World();"];
    for (const wrong of ["nothing.x = 1;", "world.createBody({ positon: [0, 0] });"]) {
        const worker = new Worker();
        let thrown;
        try { worker.start([...lines, wrong].join("\n")); } catch (error) { thrown = error; }
        assert.equal(worker.fail(thrown).line, 5, thrown?.stack);
    }
});

test("another package cannot be imported, and code that shows nothing is told so", () => {
    assert.throws(() => new Worker().start('import { x } from "matter-js";'), /only cairn2d/);
    const worker = new Worker();
    worker.start("console.log(1 + 1);");
    assert.deepEqual(worker.messages.map(({ text }) => text), ["2", "Nothing is shown: call play(world)."]);
});
