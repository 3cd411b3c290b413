"use strict";
// The world of the playground: a page in a sandbox, so code from a link cannot reach the site or
// its storage. It runs the code in a worker, and ends the worker if it does not answer.

const PATIENCE = 5000; // ms without an answer
let worker = null, canvas = null, timer = 0, address = "";

const tell = message => parent.postMessage(message, "*");
const fail = text => tell({ kind: "error", line: 0, text });

function stop() {
    worker?.terminate();
    worker = null;
    clearInterval(timer);
}

// The worker must answer in time. While the page is hidden, timers are slow, so it is not asked.
function watch() {
    let asked = 0;
    const mine = worker;
    mine.onmessage = ({ data }) => {
        if (data.kind === "pong") asked = 0;
        else tell(data);
    };
    timer = setInterval(() => {
        if (document.hidden) asked = 0;
        else if (!asked) {
            asked = Date.now();
            mine.postMessage({ kind: "ping" });
        } else if (Date.now() - asked > PATIENCE) {
            stop();
            fail("Stopped: the code ran for 5 s without a pause. Is there a loop without an end?");
        }
    }, 500);
}

function sizeOf() {
    const pixels = length => Math.max(1, Math.round(length * devicePixelRatio));
    return { width: pixels(innerWidth), height: pixels(innerHeight) };
}

function start({ engine, code }) {
    stop();
    canvas = document.createElement("canvas");
    Object.assign(canvas, sizeOf());
    document.body.replaceChildren(canvas);
    if (!canvas.transferControlToOffscreen)
        return fail("This browser is too old: it has no OffscreenCanvas.");
    address ||= URL.createObjectURL(new Blob([engine], { type: "text/javascript" }));
    worker = new Worker(address);
    watch();
    const drawn = canvas.transferControlToOffscreen();
    worker.postMessage({ kind: "start", canvas: drawn, code }, [drawn]);
}

addEventListener("message", ({ data, source }) => {
    if (source !== parent) return;
    if (data.kind === "start") start(data);
    else if (data.kind === "stop") stop();
    else worker?.postMessage(data);
});
addEventListener("resize", () => worker?.postMessage({ kind: "resize", ...sizeOf() }));

const POINTER = { pointerdown: "down", pointermove: "move", pointerup: "up", pointercancel: "up" };
for (const [type, action] of Object.entries(POINTER))
    addEventListener(type, event => {
        if (action === "down") canvas?.setPointerCapture(event.pointerId);
        const pixel = [event.clientX * devicePixelRatio, event.clientY * devicePixelRatio];
        worker?.postMessage({ kind: "pointer", action, pixel });
    });
for (const type of ["keydown", "keyup"])
    addEventListener(type, event => {
        if (/^Arrow| /.test(event.key)) event.preventDefault();
        worker?.postMessage({ kind: "key", key: event.key, isDown: type === "keydown" });
    });
tell({ kind: "ready" });
