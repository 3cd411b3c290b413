"use strict";
// The page of the playground: an editor, the examples, and links that hold the code.
// playground-data.js has the package, the scripts for the frame, and the examples.
{
    const find = id => document.getElementById(id);
    const code = find("code"), colors = find("colors"), numbers = find("numbers");
    const output = find("output"), example = find("example");
    let errorLine = 0, isPaused = false, isReady = false, wanted = false;

    // ---- the editor: a text area over its coloured text

    const WORDS = new Set(("async await break case catch class const continue default delete do " +
        "else export extends false finally for from function if import in instanceof let new null " +
        "of return static super switch this throw true try typeof undefined var void while yield")
        .split(" "));
    const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//, NUMBER = /\b\d[\w.]*/, NAME = /[A-Za-z_$][\w$]*/;
    const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;
    const LEXEME = new RegExp([COMMENT, STRING, NUMBER].map(kind => `(${kind.source})`)
        .concat(NAME.source).join("|"), "g");

    function show() {
        const parts = [];
        let end = 0;
        for (const match of code.value.matchAll(LEXEME)) {
            const [text, comment, string, number] = match;
            const kind = comment ? "comment" : string ? "string" : number ? "number"
                : WORDS.has(text) ? "word" : "";
            parts.push(code.value.slice(end, match.index), span(kind, text));
            end = match.index + text.length;
        }
        colors.replaceChildren(...parts, code.value.slice(end) + "\n");
        const count = code.value.split("\n").length;
        numbers.replaceChildren(...Array.from({ length: count }, (_, i) =>
            span(i + 1 === errorLine ? "wrong" : "", `${i + 1}\n`)));
        follow();
    }

    function span(kind, text) {
        if (!kind) return text;
        const element = document.createElement("span");
        return Object.assign(element, { className: kind, textContent: text });
    }

    function follow() {
        colors.style.transform = `translate(${-code.scrollLeft}px, ${-code.scrollTop}px)`;
        numbers.scrollTop = code.scrollTop;
    }

    function insert(text) {
        code.setRangeText(text, code.selectionStart, code.selectionEnd, "end");
        show();
    }

    code.oninput = show;
    code.onscroll = follow;
    code.onkeydown = event => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
        else if (event.key === "Tab" && !event.shiftKey) insert("  ");
        else if (event.key === "Enter") {
            const before = code.value.slice(0, code.selectionStart);
            insert("\n" + /[ ]*(?=\S|$)/.exec(before.slice(before.lastIndexOf("\n") + 1))[0]);
        } else return;
        event.preventDefault();
    };

    // ---- the world

    const frame = document.createElement("iframe");
    frame.title = "World";
    frame.setAttribute("sandbox", "allow-scripts");
    frame.srcdoc = "<!doctype html><style>html,body{margin:0;height:100%;overflow:hidden;" +
        "background:#191c22;touch-action:none}canvas{display:block;width:100%;height:100%}</style>" +
        `<body><script>${PLAYGROUND.frame}<\/script>`;
    const send = message => frame.contentWindow.postMessage(message, "*");

    function say(text, kind = "") {
        output.append(span(kind || "line", text + "\n"));
        output.scrollTop = output.scrollHeight;
    }

    function run() {
        output.replaceChildren();
        mark(0);
        setPaused(false);
        wanted = true;
        if (isReady) send({ kind: "start", engine: PLAYGROUND.engine, code: code.value });
        remember();
    }

    function mark(line) {
        errorLine = line;
        show();
    }

    function setPaused(value) {
        isPaused = value;
        find("pause").setAttribute("aria-pressed", value);
        if (isReady) send({ kind: "pause", isPaused });
    }

    addEventListener("message", ({ data, source }) => {
        if (source !== frame.contentWindow) return;
        if (data.kind === "ready") {
            isReady = true;
            if (wanted) run();
        } else if (data.kind === "line") say(data.text);
        else if (data.kind === "error") {
            say(data.line ? `Line ${data.line}: ${data.text}` : data.text, "wrong");
            mark(data.line);
        }
    });

    find("run").onclick = run;
    find("stop").onclick = () => {
        wanted = false;
        send({ kind: "stop" });
    };
    find("pause").onclick = () => setPaused(!isPaused);
    find("step").onclick = () => {
        setPaused(true);
        send({ kind: "step" });
    };

    // ---- links: #example=NAME, or #code= with the deflated text in base64

    async function pass(bytes, stream) {
        const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
        return new Uint8Array(await response.arrayBuffer());
    }

    async function pack(text) {
        const stream = new CompressionStream("deflate-raw");
        const bytes = await pass(new TextEncoder().encode(text), stream);
        return btoa(Array.from(bytes, b => String.fromCharCode(b)).join(""))
            .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    }

    async function unpack(text) {
        const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
        const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
        return new TextDecoder().decode(await pass(bytes, new DecompressionStream("deflate-raw")));
    }

    async function linkOf() {
        const same = PLAYGROUND.examples.find(e => e.code === code.value);
        return same ? `#example=${same.name}` : `#code=${await pack(code.value)}`;
    }

    let written = "";
    async function remember() {
        written = await linkOf();
        history.replaceState(null, "", written);
        const same = /^#example=(.*)/.exec(written);
        example.value = same ? same[1] : "";
    }

    async function open() {
        if (location.hash === written && written) return;
        const [, kind, value] = /^#(example|code)=(.*)/.exec(location.hash) ?? [];
        const chosen = PLAYGROUND.examples.find(e => kind === "example" && e.name === value);
        let text = (chosen ?? PLAYGROUND.examples[0]).code;
        if (kind === "code")
            text = await unpack(value).catch(() => "// The code of this link cannot be read.\n");
        code.value = text;
        code.scrollTop = 0;
        run();
    }

    find("link").onclick = async () => {
        await remember();
        const written = navigator.clipboard?.writeText(location.href);
        const done = await written?.then(() => true, () => false);
        say(done ? "The link is in the clipboard." : "The link is the address of this page.");
    };

    // ---- the examples

    for (const group of new Set(PLAYGROUND.examples.map(e => e.group))) {
        const list = Object.assign(document.createElement("optgroup"), { label: group });
        for (const { name, title } of PLAYGROUND.examples.filter(e => e.group === group))
            list.append(new Option(title, name));
        example.append(list);
    }
    example.append(Object.assign(new Option("Your code", ""), { hidden: true }));
    example.onchange = () => { location.hash = `#example=${example.value}`; };
    addEventListener("hashchange", open);
    find("world").append(frame);
    open();
}
