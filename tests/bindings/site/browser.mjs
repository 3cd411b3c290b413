// Tests the site in a browser: browser.mjs SITE-FOLDER CHROMIUM PUPPETEER-FOLDER
//
// Tabs, search, theme and menu work, no page is wider than a phone, nothing is loaded from
// elsewhere, and no script fails. If the demo for browsers is there, a live scene starts. If the
// playground is there, it runs code, stops a loop without an end, and its links hold the code.
import assert from "node:assert/strict";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { test, before, after } from "node:test";

const [site, chromium, tools] = process.argv.slice(2);
const puppeteer = createRequire(join(tools, "package.json"))("puppeteer-core");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css",
    ".svg": "image/svg+xml", ".png": "image/png", ".wasm": "application/wasm" };
const pages = readdirSync(site).filter(name => name.endsWith(".html"));
const faults = [];
let server, browser, page, home;

before(async () => {
    server = createServer((request, response) => {
        const file = join(site, new URL(request.url, "http://x").pathname);
        if (!existsSync(file)) return response.writeHead(404).end();
        response.setHeader("Content-Type", TYPES[extname(file)] ?? "text/plain");
        createReadStream(file).pipe(response);
    });
    await new Promise(ready => server.listen(0, "127.0.0.1", ready));
    home = `http://127.0.0.1:${server.address().port}/`;
    browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox",
        "--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader"] });
    page = await browser.newPage();
    page.on("pageerror", error => faults.push(String(error)));
    page.on("console", message => message.type() === "error" && faults.push(message.text()));
    page.on("request", request => {
        const url = request.url();
        if (!url.startsWith(home) && !/^(data|blob):/.test(url)) faults.push(`loads ${url}`);
    });
    await page.setViewport({ width: 1300, height: 900 });
});
after(async () => {
    await browser.close();
    server.close();
});

const see = code => page.evaluate(code);

test("a language that is picked is shown in all blocks, and kept", async () => {
    await page.goto(home + "joints.html");
    await see(() => [...document.querySelectorAll(".picker button")]
        .find(button => button.textContent === "Python").click());
    await page.goto(home + "queries.html");
    const shown = await see(() => [...document.querySelectorAll(".variant:not([hidden])")]
        .map(variant => variant.dataset.language));
    assert.ok(shown.length > 5);
    assert.ok(shown.every(language => language === "python"));
});

test("the search finds a function by its name in C and in JavaScript", async () => {
    for (const words of ["cast ray", "world.castRay"]) {
        await page.goto(home + "index.html");
        await page.keyboard.press("/");
        await page.keyboard.type(words);
        await page.waitForSelector("#results strong"); // the index is loaded when it is needed
        const found = await see(() => [...document.querySelectorAll("#results strong")]
            .map(strong => strong.textContent));
        assert.ok(found.includes("cn_world_cast_ray"), `${words}: ${found}`);
    }
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    assert.match(page.url(), /reference-\w+\.html#cn_\w+$/);
});

test("an address with a broken anchor shows the page, with its search", async () => {
    await page.goto(home + "queries.html#100%");
    await page.keyboard.press("/");
    await page.keyboard.type("cast ray");
    await page.waitForSelector("#results li:nth-child(2) strong");
});

test("an anchor is in sight though blocks above it got shorter", async () => {
    await page.goto(home + "queries.html#" + await see(() =>
        [...document.querySelectorAll("h2[id]")].at(-2).id));
    const top = await see(() => document.querySelector(":target").getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 900, `at ${top}`);
});

test("the theme changes and is kept", async () => {
    const color = () => see(() => getComputedStyle(document.body).backgroundColor);
    const before = await color();
    await page.click("#theme");
    const after = await color();
    assert.notEqual(before, after);
    await page.reload();
    assert.equal(await color(), after);
});

// ---- live scenes

const demo = { skip: !existsSync(join(site, "demo")) };
async function startScene(figure) {
    await see(`document.querySelector("${figure}").scrollIntoView({ block: "center" })`);
    await page.waitForFunction(`document.querySelector("${figure} img").naturalWidth > 0`);
    await page.click(`${figure} button`);
    const frame = await page.waitForFrame(f => f.url().includes("demo/index.html#scene="));
    await frame.waitForSelector("canvas");
    await frame.waitForSelector("#loading", { hidden: true, timeout: 60000 });
    return frame;
}

test("a live scene starts when it is clicked", demo, async () => {
    await page.goto(home + "joints.html");
    assert.equal(page.frames().length, 1);
    await startScene("figure.live");
});

test("a live scene has the overlay of its picture", demo, async () => {
    await page.goto(home + "step.html");
    const frame = await startScene("figure.live[data-live*=overlay]");
    const wanted = new URL(frame.url()).hash;
    await frame.waitForFunction("cairn.demo.step() > 2");
    assert.match(wanted, /overlay=contacts,normals/);
    assert.equal(await frame.evaluate("location.hash"), wanted); // the demo writes what it shows
});

test("a live scene of the solver lab opens it where its picture was made", demo, async () => {
    await page.goto(home + "solver-lab.html");
    const frame = await startScene("figure.live[data-live*=lab]");
    const [, steps, place] = /&steps=(\d+)&lab=(\d+)/.exec(
        await see("document.querySelector('figure.live[data-live*=lab]').dataset.live"));
    assert.equal(await frame.evaluate("cairn.demo.step()"), Number(steps));
    assert.equal(await frame.evaluate("cairn.demo.lab()"), Number(place));
});

// ---- the playground

const playground = { skip: !existsSync(join(site, "playground.html")) };
const output = () => see(() => document.getElementById("output").textContent);
const says = text => page.waitForFunction(
    text => document.getElementById("output").textContent.includes(text), { timeout: 60000 }, text);
async function runCode(code) {
    await see(`document.getElementById("code").value = ${JSON.stringify(code)}`);
    await page.click("#run");
}

test("the playground runs an example, and a changed one", playground, async () => {
    await page.goto(home + "playground.html");
    await says("21 crates");
    const shown = await page.$eval("#code", e => e.value);
    await runCode(shown.replace("row < 6", "row < 2").replace("crates`", "boxes`"));
    await says("11 boxes");
});

test("a link holds the code of the playground", playground, async () => {
    const code = 'console.log("from a link: \u00e4");\nplay(null);\n';
    await runCode(code);
    await page.waitForFunction("location.hash.startsWith('#code=')");
    const link = page.url();
    await page.goto(home + "index.html");
    await page.goto(link);
    await says("from a link: \u00e4");
    assert.equal(await page.$eval("#code", e => e.value), code);
});

test("the playground names the line of an error", playground, async () => {
    const good = 'import { World } from "cairn2d";\nconst world = new World();\n';
    for (const wrong of ["world.createBody({ positon: [0, 0] });", "nothing.x = 1;", "const = 3;",
        "play(world, { step() { nothing(); } });"]) {
        await runCode(good + wrong);
        await says("Line 3:");
        assert.equal(await page.$eval("#numbers .wrong", e => e.textContent.trim()), "3");
    }
});

test("a loop without an end is stopped, and the page goes on", playground, async () => {
    await runCode("while (true) {}");
    await says("Stopped");
    await runCode('console.log("goes on"); play(null);');
    await says("goes on");
});

test("code of the playground cannot reach the site", playground, async () => {
    await runCode("play(null); fetch('index.html').then(() => console.log('reached'), " +
        "() => console.log('refused'));");
    await page.waitForFunction(() => document.getElementById("output").textContent.trim());
    assert.equal((await output()).trim(), "refused");
    const others = faults.filter(fault => !/blocked by CORS|ERR_FAILED/.test(fault)); // the refusal
    faults.splice(0, faults.length, ...others);
});

test("no page is wider than a phone, and the menu opens", async () => {
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    for (const name of pages) {
        await page.goto(home + name);
        assert.ok(await see(() => document.documentElement.scrollWidth) <= 390, name);
    }
    const isShown = () => see(() => document.querySelector("nav").offsetHeight > 0);
    assert.equal(await isShown(), false);
    await page.tap("#menu");
    assert.equal(await isShown(), true);
});

test("no script failed, and nothing came from elsewhere", () => assert.deepEqual(faults, []));
