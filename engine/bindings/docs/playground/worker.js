// Runs the code of the playground. It stands behind cairn2d.global.js in a worker of its own, so a
// loop without an end can be stopped. frame.js makes the worker and passes the canvas and events.
//
// The code calls play(world, options). All options may be left out:
//
//     center    the point of the world in the middle of the canvas, in m: [0, 4]
//     width     metres from the left to the right edge: 20
//     flags     what is drawn: a sum of DrawFlags
//     step(dt)  runs before each step of 1/60 s
//     draw(context)    draws over the world, in metres, y up
//     click([x, y])    a click at a point where there is no body to drag
//     values()  an object with numbers, which are shown in a corner
//
// Without a world (null), only step() and draw() run. `keys` has the names of the pressed keys.
(() => {
"use strict";

const BACKGROUND = "#191c22", TEXT = "#dce1e9", STEP = 1 / 60, MOST_LINES = 200;
const IMPORT = /^[ \t]*import\s*\{([^}]*)\}\s*from\s*["'](.*?)["'][ \t]*;?/gm;
const keys = new Set();

let canvas, context, shown = null, paused = false, lines = 0;

// ---- the code

// The code with variables in place of imports. Each line keeps its number.
function withoutImports(code) {
    return code.replace(IMPORT, (all, names, from) => {
        if (!/^cairn2d(\/draw)?$/.test(from)) throw new Error(`there is only cairn2d, and no ${from}`);
        return `const {${names.replace(/\bas\b/g, ":")}} = cairn2d;`;
    });
}

function run(code) {
    const text = `"use strict"; ${withoutImports(code)}\n//# sourceURL=playground.js`;
    importScripts(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    if (!shown) console.warn("Nothing is shown: call play(world).");
}

// The line of the code at which an error was thrown, or that called what threw it; 0: unknown.
function lineOf(error, event) {
    const place = /playground\.js:(\d+)/.exec(error?.stack ?? "");
    if (place) return Number(place[1]);
    const isOwn = error instanceof SyntaxError && /^blob:|playground\.js$/.test(event.filename);
    return isOwn ? event.lineno : 0;
}

// ---- the picture

class Show {
    constructor(world, { center = [0, 4], width = 20, flags, step, draw, click, values } = {}) {
        Object.assign(this, { world, center, width, flags, step, draw, click, values });
        this.before = 0;
        this.due = 0; // s, without a world
        this.drag = null;
        if (world && step) world.beforeStep = step;
    }

    get camera() {
        return { center: this.center, scale: canvas.width / this.width };
    }

    advance(seconds) {
        if (this.world) return void this.world.advance(seconds);
        for (this.due += seconds; this.due >= STEP; this.due -= STEP) this.step?.(STEP);
    }

    frame(now) {
        const seconds = this.before ? Math.min((now - this.before) / 1000, 0.1) : 0;
        this.before = now;
        if (!paused) this.advance(seconds);
        this.paint();
    }

    paint() {
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.fillStyle = BACKGROUND;
        context.fillRect(0, 0, canvas.width, canvas.height);
        if (this.world) cairn2d.draw(context, this.world, this.camera, this.flags);
        if (this.draw) this.paintMore();
        if (this.values) this.paintValues();
    }

    paintMore() {
        const { scale, center: [x, y] } = this.camera;
        context.save();
        context.translate(canvas.width / 2, canvas.height / 2);
        context.scale(scale, -scale);
        context.translate(-x, -y);
        context.lineWidth = 2 / scale;
        context.strokeStyle = context.fillStyle = "#ffd166";
        this.draw(context);
        context.restore();
    }

    paintValues() {
        const size = Math.max(13, Math.min(18, canvas.width / 45));
        context.font = `${size}px ui-monospace, monospace`;
        context.fillStyle = TEXT;
        Object.entries(this.values()).forEach(([name, value], i) => {
            const number = typeof value === "number" ? value.toFixed(3) : value;
            context.fillText(`${name}: ${number}`, size, (i + 1) * 1.5 * size);
        });
    }

    // A body under the pointer is dragged by a mouse joint.
    point(kind, pixel) {
        const { x, y } = cairn2d.pointAt(context, this.camera, pixel);
        if (kind === "down") this.grab([x, y]);
        if (kind === "move" && this.drag?.valid) this.drag.setAnchor("a", [x, y]);
        if (kind !== "up" || !this.drag) return;
        if (this.drag.valid) this.drag.destroy();
        this.drag = null;
    }

    grab(point) {
        const bodies = this.world?.overlapPoint(point).map(side => side.body) ?? [];
        const body = bodies.find(({ type }) => type === "dynamic");
        if (!body) return void this.click?.(point);
        if (!this.hand?.valid) this.hand = this.world.createBody({ type: "static" });
        this.drag = this.world.createJoint(cairn2d.mouseJoint(this.hand, body, point));
    }
}

function play(world, options) {
    shown = new Show(world, options);
}

function frame(now) {
    shown?.frame(now);
    requestAnimationFrame(frame); // not reached if the code throws
}

// ---- messages

function start({ canvas: given, code }) {
    canvas = given;
    context = canvas.getContext("2d");
    run(code);
    requestAnimationFrame(frame);
}

function resize({ width, height }) {
    if (canvas.width === width && canvas.height === height) return;
    Object.assign(canvas, { width, height });
    shown?.paint();
}

const ACTIONS = {
    start, resize,
    ping: () => postMessage({ kind: "pong" }),
    pointer: ({ action, pixel }) => shown?.point(action, pixel),
    key: ({ key, isDown }) => isDown ? keys.add(key) : keys.delete(key),
    pause: ({ isPaused }) => { paused = isPaused; },
    step: () => shown?.advance(STEP * 1.0001),
};

for (const kind of ["log", "info", "warn", "error"])
    console[kind] = (...values) => {
        if (++lines > MOST_LINES) return;
        postMessage({ kind: "line", text: values.map(String).join(" ") });
    };
addEventListener("message", ({ data }) => ACTIONS[data.kind](data));
addEventListener("error", event => {
    const { error, message } = event;
    postMessage({ kind: "error", text: error ? String(error) : message, line: lineOf(error, event) });
    event.preventDefault();
});
Object.assign(globalThis, { play, keys });
})();
