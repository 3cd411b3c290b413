"use strict";
const root = document.documentElement;
const $ = id => document.getElementById(id);

// ---- theme and menu

$("theme").onclick = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    store("theme", root.dataset.theme);
};
$("menu").onclick = () => {
    const open = document.body.classList.toggle("menu");
    $("menu").setAttribute("aria-expanded", open);
};

// ---- languages: every block of code with variants shows the one that was picked last

function pick(language) {
    root.dataset.language = language;
    store("language", language);
    for (const tabs of document.querySelectorAll(".tabs")) {
        const variants = [...tabs.querySelectorAll(".variant")];
        const shown = variants.find(v => v.dataset.language === language) || variants[0];
        for (const v of variants) v.hidden = v !== shown;
        for (const b of tabs.querySelectorAll(".picker button"))
            b.setAttribute("aria-pressed", b.dataset.language === shown.dataset.language);
    }
}

for (const tabs of document.querySelectorAll(".tabs")) {
    const picker = document.createElement("div");
    picker.className = "picker";
    for (const variant of tabs.querySelectorAll(".variant")) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = variant.querySelector(".language").textContent;
        button.dataset.language = variant.dataset.language;
        button.onclick = () => {
            const before = tabs.getBoundingClientRect().top;
            pick(button.dataset.language);
            scrollBy(0, tabs.getBoundingClientRect().top - before); // the block stays in place
        };
        picker.append(button);
    }
    tabs.prepend(picker);
}
pick(root.dataset.language);
document.querySelector(":target")?.scrollIntoView();

// ---- live scenes: a click on the picture starts the scene; only one runs at a time

let running = null;
for (const figure of document.querySelectorAll("figure.live")) {
    const button = figure.querySelector("button");
    button.onclick = () => {
        if (running) running.frame.replaceWith(running.button);
        const frame = document.createElement("iframe");
        frame.src = figure.dataset.live;
        frame.title = button.querySelector("img").alt;
        frame.allow = "fullscreen";
        button.replaceWith(frame);
        running = { frame, button };
        frame.focus();
    };
}

// ---- search

const input = $("search"), results = $("results");
let chosen = 0;

// The index is loaded when the reader begins to search.
let finder = null;
function loadIndex() {
    if (finder || document.querySelector("script[src='search.js']")) return;
    const script = document.createElement("script");
    script.src = "search.js";
    script.onload = () => {
        finder = new Finder(SEARCH);
        if (input.value) search();
    };
    document.body.append(script);
}

function search() {
    const text = input.value.trim();
    if (!finder) return;
    const found = finder.find(text);
    results.replaceChildren(...found.map(([name, address, kind, text]) => {
        const item = document.createElement("li"), link = document.createElement("a");
        const strong = document.createElement("strong"), small = document.createElement("small");
        link.href = address;
        strong.textContent = name;
        small.textContent = `${kind} · ${text}`;
        link.append(strong, small);
        item.append(link);
        return item;
    }));
    if (text && !found.length) results.append(Object.assign(
        document.createElement("li"), { textContent: "Nothing found", className: "none" }));
    results.hidden = !text;
    choose(0);
}

function choose(i) {
    const links = results.querySelectorAll("a");
    chosen = Math.max(0, Math.min(i, links.length - 1));
    links.forEach((link, k) => link.classList.toggle("chosen", k === chosen));
    links[chosen]?.scrollIntoView({ block: "nearest" });
}

input.oninput = search;
input.onfocus = () => {
    loadIndex();
    if (input.value) search();
};
input.onkeydown = event => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter") results.querySelectorAll("a")[chosen]?.click();
    else if (event.key === "Escape") { results.hidden = true; input.blur(); }
    else return;
    event.preventDefault();
};
document.addEventListener("click", event => {
    if (!event.target.closest(".search")) results.hidden = true;
    if (event.target.closest("#results a, nav a")) {
        results.hidden = true;
        document.body.classList.remove("menu");
    }
});
document.addEventListener("keydown", event => {
    if (event.key === "/" && !event.target.closest("input, textarea")) {
        event.preventDefault();
        input.focus();
    }
});
