// The demo of the web: node test.mjs FOLDER TABLE, where TABLE is tests/scenes/determinism.txt.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, serve } from "./browser.mjs";

const [folder, table] = process.argv.slice(2);
const pictures = join(folder, "build/pictures"), downloads = join(folder, "build/downloads");
let server, browser;

before(async () => {
  for (const made of [pictures, downloads]) {
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { recursive: true });
  }
  server = await serve(folder);
  browser = await launch(folder);
});
after(async () => {
  await browser.close();
  server.close();
});

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

async function until(what, check) {
  for (let i = 0; i < 400; i++) {
    const value = await check();
    if (value) return value;
    await sleep(50);
  }
  assert.fail(`not within 20 s: ${what}`);
}

// ---- a page

const desktop = { width: 1280, height: 720 };
const phone = { width: 390, height: 844, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

async function open(link, viewport = desktop, theme = "dark") {
  const page = await browser.newPage();
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  page.errors = [];
  page.on("pageerror", error => page.errors.push(String(error)));
  page.on("console", line => ["error", "warn"].includes(line.type()) && page.errors.push(line.text()));
  await page.setViewport(viewport);
  await page.evaluateOnNewDocument(() => {
    const request = window.requestAnimationFrame.bind(window);
    window.frames_drawn = 0;
    window.requestAnimationFrame = act => request(now => (window.frames_drawn++, act(now)));
  });
  await page.goto(`${server.url}/${link}`);
  await page.waitForFunction(() => window.cairn && window.cairn.demo.step() > 2);
  return page;
}

async function close(page) {
  assert.deepEqual(page.errors, []);
  await page.close();
}

const call = (page, name, ...values) =>
  page.evaluate((name, values) => window.cairn.demo[name](...values), name, values);
const scene = async page => new URLSearchParams(new URL(page.url()).hash.slice(1)).get("scene");
const shoot = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });

/** Where a body is: in the world, and in pixels of the page. */
async function body(page, slot) {
  return page.evaluate(slot => {
    const { demo } = window.cairn, at = demo.body(slot);
    if (!at) return null;
    const [x, y, left, top] = new Float32Array(demo.memory.buffer, at, 4);
    const canvas = document.getElementById("world"), scale = canvas.clientWidth / demo.ui_width();
    return { x, y, left: left * scale, top: top * scale };
  }, slot);
}

const distance = (a, b) => Math.hypot(a.left - b.left, a.top - b.top);

/** The colours of the picture, and how many pixels have each. */
async function colors(page) {
  const png = await page.screenshot({ encoding: "base64" });
  return page.evaluate(async png => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height), counts = {};
    for (let i = 0; i < data.length; i += 4) {
      const color = [data[i], data[i + 1], data[i + 2]].map(c => c.toString(16).padStart(2, "0")).join("");
      counts[color] = (counts[color] ?? 0) + 1;
    }
    return counts;
  }, png);
}

// ---- claims

describe("on a desktop", () => {
  test("scenes have the same hashes as on every machine", async () => {
    const page = await open("#scene=pyramid");
    const lines = readFileSync(table, "utf8").trim().split("\n").map(line => line.split(" "));
    assert.equal(lines.length, 12);
    for (const [name, hash] of lines) {
      const got = await page.evaluate(name => {
        const { demo } = window.cairn;
        const bytes = new Uint8Array(demo.memory.buffer, demo.text(), name.length + 1);
        new TextEncoder().encodeInto(name + "\0", bytes);
        if (!demo.choose() || !demo.start(1280, 720, 1) || !demo.run(300)) return "it failed";
        return BigInt.asUintN(64, demo.hash()).toString(16).padStart(16, "0");
      }, name);
      assert.equal(got, hash, name);
    }
    await close(page);
  });

  test("the picture has the colours of the theme, the boxes and the text", async () => {
    const page = await open("#scene=stack");
    const counts = await colors(page);
    assert.ok(counts["191c22"] > 100000, "background"); // see theme.c
    assert.ok(counts["20242c"] > 50000, "panels");
    assert.ok(counts["e2b36b"] > 500, "boxes");
    assert.ok(counts["6fb7e9"] > 100, "accents");
    await shoot(page, "desktop");
    await close(page);
  });

  test("a box follows the mouse", async () => {
    const page = await open("#scene=stack");
    await sleep(500);
    const box = await body(page, 4);
    await page.mouse.move(box.left, box.top);
    await page.mouse.down();
    await page.mouse.move(box.left - 60, box.top - 80, { steps: 10 });
    const goal = { left: box.left - 60, top: box.top - 80 };
    const dragged = await until("the box is at the mouse", async () => {
      const now = await body(page, 4);
      return distance(now, goal) < 12 && now;
    });
    assert.ok(dragged.x < box.x - 0.2 && dragged.y > box.y + 0.2, "it moved in the world");
    await shoot(page, "drag");
    await page.mouse.up();
    await until("it falls", async () => (await body(page, 4)).y < dragged.y - 0.2);
    await close(page);
  });

  test("a system with light colours gets the light theme, and a dense screen gets sharp text", async () => {
    const page = await open("#scene=motors", { ...desktop, deviceScaleFactor: 2 }, "light");
    const counts = await colors(page);
    assert.ok(counts.f7f4ed > 400000, "background"); // see theme.c
    assert.ok(counts.fdfbf6 > 200000, "panels");
    await sleep(1000);
    await shoot(page, "light");
    await page.keyboard.press("d");
    await until("the page is dark as the demo", () => page.evaluate(() => !document.body.classList.contains("light")));
    await close(page);
  });

  test("the wheel zooms about the mouse, the right button moves the view, Home fits it", async () => {
    const page = await open("#scene=stack");
    await page.keyboard.press("p");
    const start = [await body(page, 2), await body(page, 5)];
    await page.mouse.move(start[0].left, start[0].top);
    await page.mouse.wheel({ deltaY: -300 });
    const zoomed = await until("zoomed", async () => {
      const now = [await body(page, 2), await body(page, 5)];
      return distance(...now) > 1.4 * distance(...start) && now;
    });
    assert.ok(distance(zoomed[0], start[0]) < 1, "the box under the mouse stays there");
    await page.mouse.down({ button: "right" });
    await page.mouse.move(start[0].left + 50, start[0].top, { steps: 3 });
    await page.mouse.up({ button: "right" });
    await until("moved", async () => Math.abs((await body(page, 2)).left - start[0].left - 50) < 1);
    await page.keyboard.press("Home");
    await until("fitted", async () => distance(await body(page, 2), start[0]) < 1);
    await close(page);
  });

  test("the gallery finds a scene and starts it", async () => {
    const page = await open("#scene=stack");
    await page.keyboard.press("F2");
    await until("the gallery is open", () => call(page, "is_gallery"));
    await sleep(3000);
    await shoot(page, "gallery");
    await page.keyboard.type("pulley");
    await page.mouse.click(100, 140);
    await until("the scene has started", async () => (await scene(page)) === "pulley");
    assert.equal(await page.title(), "Cairn: Pulleys");
    await close(page);
  });

  test("the solver lab goes through a step, and the world takes it when the lab closes", async () => {
    const page = await open("#scene=stack");
    await sleep(500);
    await page.keyboard.press("F4");
    await until("the lab is open", async () => (await call(page, "lab")) === 0);
    const step = await call(page, "step"), hash = await call(page, "hash");
    for (let i = 0; i < 15; i++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    const place = await until("it has gone on", async () => (await call(page, "lab")) > 15 && call(page, "lab"));
    await sleep(300);
    await shoot(page, "lab");
    await page.keyboard.press("ArrowLeft");
    await until("it has gone back", async () => (await call(page, "lab")) < place);
    assert.equal(await call(page, "step"), step);
    assert.equal(await call(page, "hash"), hash);
    await page.keyboard.press("F4");
    await until("the lab is closed", async () => (await call(page, "lab")) === -1);
    assert.equal(await call(page, "step"), step + 1);
    await close(page);
  });

  test("a link names a scene and its parameters, and follows the sliders", async () => {
    const page = await open("#scene=pyramid&rows=5");
    const few = await page.evaluate(() => window.cairn.demo.body(16) !== 0);
    assert.ok(!few, "a pyramid of 5 rows has 15 boxes and a ground");
    assert.equal(new URL(page.url()).hash, "#scene=pyramid&rows=5");
    await page.evaluate(() => (location.hash = "#scene=bridge"));
    await until("another link starts another scene", async () => (await page.title()) === "Cairn: Bridges");
    await page.evaluate(() => (location.hash = "#scene=nonsense"));
    await until("the page reports a wrong name", () => page.$eval("#message", m => m.textContent.includes("nonsense")));
    for (const wrong of ["rows=", "rows=many", "rows=1e999", "size=3"]) {
      await page.evaluate(wrong => (location.hash = `#scene=pyramid&${wrong}`), wrong);
      await until(`the page reports ${wrong}`, () => page.$eval("#message", (m, wrong) => m.textContent.includes(wrong), wrong));
    }
    await close(page);
  });

  test("a link names overlays, and follows their keys", async () => {
    const page = await open("#scene=pyramid&overlay=contacts,normals");
    assert.equal(new URL(page.url()).hash, "#scene=pyramid&overlay=contacts,normals");
    await page.keyboard.press("n");
    await until("the link lost an overlay", async () => page.url().endsWith("&overlay=contacts"));
    await page.evaluate(() => (location.hash = "#scene=bridge&overlay="));
    await until("no overlay is drawn", async () => page.url().endsWith("#scene=bridge&overlay="));
    await page.evaluate(() => (location.hash = "#scene=bridge&overlay=nonsense"));
    await until("the page reports a wrong name", () => page.$eval("#message", m => m.textContent.includes("nonsense")));
    await close(page);
  });

  test("a paused demo draws nothing, and a hidden one takes no steps", async () => {
    const page = await open("#scene=stack");
    await page.keyboard.press("p");
    await until("paused", () => call(page, "is_paused"));
    await page.mouse.move(640, 300);
    await sleep(300);
    const drawn = await page.evaluate(() => window.frames_drawn);
    await sleep(600);
    assert.equal(await page.evaluate(() => window.frames_drawn), drawn);
    await page.keyboard.press("p");
    const other = await browser.newPage();
    await other.bringToFront();
    await sleep(300);
    const step = await call(page, "step");
    await sleep(600);
    assert.ok((await call(page, "step")) <= step + 1);
    await other.close();
    await page.bringToFront();
    await until("it goes on", async () => (await call(page, "step")) > step + 1);
    await close(page);
  });

  test("sound begins with the first gesture: silence at rest, a peak at a hit", async () => {
    const page = await open("#scene=pyramid");
    const state = () => page.evaluate(() => window.cairn.sound.state);
    const peak = () => page.evaluate(() => {
      const { demo } = window.cairn, samples = new Float32Array(demo.memory.buffer, demo.mix(735), 2 * 735);
      return Math.max(...samples.map(Math.abs));
    });
    assert.equal(await state(), "off");
    await page.mouse.click(640, 100);
    await until("the browser plays", async () => (await state()) === "running");
    assert.equal(await peak(), 0);
    await page.keyboard.press("p"); // so that only this test takes steps and samples
    await page.mouse.move(640, 500);
    await page.keyboard.press("9");
    let loudest = 0;
    for (let i = 0; i < 90; i++) {
      await call(page, "run", 1);
      loudest = Math.max(loudest, await peak());
    }
    assert.ok(loudest > 0.1, `the loudest sample is ${loudest}`);
    await page.keyboard.press("F8");
    await call(page, "hush");
    await call(page, "run", 30);
    assert.equal(await peak(), 0);
    await close(page);
  });

  test("a lost context of the graphics card is restored", async () => {
    const page = await open("#scene=stack");
    await page.evaluate(async () => {
      const loss = document.getElementById("world").getContext("webgl2").getExtension("WEBGL_lose_context");
      loss.loseContext();
      await new Promise(resolve => setTimeout(resolve, 200));
      loss.restoreContext();
    });
    await until("boxes and text are back", async () => {
      const counts = await colors(page);
      return counts.e2b36b > 500 && counts.dce1e9 > 100;
    });
    page.errors = page.errors.filter(error => !error.includes("CONTEXT_LOST"));
    await close(page);
  });

  test("the button for the full screen fills it", async () => {
    const page = await open("#scene=stack", { width: 700, height: 500 });
    await page.click("#full");
    await until("full", () => page.evaluate(() => document.fullscreenElement !== null));
    await page.keyboard.down("Alt");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Alt");
    await until("not full", () => page.evaluate(() => document.fullscreenElement === null));
    await close(page);
  });

  test("a recording is downloaded, and plays when it is dropped on the page", async () => {
    const page = await open("#scene=dominoes");
    const client = await browser.target().createCDPSession();
    await client.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
    await page.keyboard.press("F9");
    await until("it records", () => call(page, "is_recording"));
    await sleep(500);
    await page.keyboard.press("F9");
    const name = await until("a file", async () => readdirSync(downloads).find(file => file === "dominoes.cairn"));
    const drop = (name, bytes) => page.evaluate((name, text) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
    }, name, bytes.toString("base64"));
    const bytes = await until("all of it", async () => {
      const read = readFileSync(join(downloads, name));
      return read.length > 100 && read;
    });
    await drop(name, bytes);
    await until("it plays", async () => (await page.title()) === "Cairn: Recording");
    await until("it reaches its end", () => call(page, "is_paused"));
    await shoot(page, "recording");
    assert.ok((await call(page, "step")) > 10);
    await drop("noise.cairn", Buffer.from("this is no recording"));
    await until("the page reports a damaged file", () => page.$eval("#message", m => m.textContent.includes("noise.cairn")));
    await page.evaluate(() => {
      const event = new DragEvent("drop", { cancelable: true });
      const folder = { name: "a folder", arrayBuffer: () => Promise.reject(new DOMException("it is no file", "NotFoundError")) };
      Object.defineProperty(event, "dataTransfer", { value: { files: [folder] } });
      window.dispatchEvent(event);
    });
    await until("the page reports a folder", () => page.$eval("#message", m => m.textContent.includes("a folder")));
    await close(page);
  });

  test("one scene after the other runs", async () => {
    const page = await open("#scene=stack");
    const seen = [await scene(page)];
    while (seen.at(-1) !== "sat-lab") {
      await page.keyboard.press("PageDown");
      seen.push(await until("another scene", async () => (await scene(page)) !== seen.at(-1) && scene(page)));
      await until(`${seen.at(-1)} runs`, async () => (await call(page, "step")) > 2);
    }
    assert.ok(seen.length > 50, `${seen.length} scenes`);
    await page.keyboard.press("F1");
    await shoot(page, "keys");
    await close(page);
  });
});

describe("on a phone", () => {
  /** Puts or moves fingers to points of the page; without points, lifts all of them. */
  async function touch(page, type, ...points) {
    page.fingers ??= await page.createCDPSession();
    const touchPoints = points.map(([x, y], id) => ({ x, y, id }));
    await page.fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
  const tap = async (page, x, y) => {
    await touch(page, "touchStart", [x, y]);
    await touch(page, "touchEnd");
  };

  test("a box follows a finger", async () => {
    const page = await open("#scene=stack", phone);
    await shoot(page, "phone");
    const box = await body(page, 4);
    await touch(page, "touchStart", [box.left, box.top]);
    for (let i = 1; i <= 10; i++) {
      await touch(page, "touchMove", [box.left - 5 * i, box.top - 7 * i]);
      await sleep(16);
    }
    const goal = { left: box.left - 50, top: box.top - 70 };
    await until("the box is at the finger", async () => distance(await body(page, 4), goal) < 8);
    await shoot(page, "phone-drag");
    await touch(page, "touchEnd");
    await until("it falls", async () => (await body(page, 4)).top > goal.top + 10);
    await close(page);
  });

  test("two fingers zoom and move the view, and grab nothing", async () => {
    const page = await open("#scene=stack", phone);
    await tap(page, 97, 820); // Pause: the second of six or seven buttons
    await until("paused", () => call(page, "is_paused"));
    const start = [await body(page, 2), await body(page, 5)];
    const [x, y] = [start[0].left, start[0].top];
    await touch(page, "touchStart", [x - 20, y]);
    await touch(page, "touchStart", [x - 20, y], [x + 20, y]);
    for (let i = 1; i <= 10; i++) await touch(page, "touchMove", [x - 20 - 2 * i, y + 4 * i], [x + 20 + 2 * i, y + 4 * i]);
    await touch(page, "touchEnd");
    const end = await until("zoomed", async () => {
      const now = [await body(page, 2), await body(page, 5)];
      return distance(...now) > 1.9 * distance(...start) && now;
    });
    assert.ok(Math.abs(end[0].left - x) < 2 && Math.abs(end[0].top - y - 40) < 2, "it moved with the fingers");
    assert.ok(Math.abs(end[0].x - start[0].x) < 1e-5, "the world is the same");
    await close(page);
  });

  test("the gallery scrolls by a finger and starts a scene by a tap", async () => {
    const page = await open("#scene=stack", phone);
    await tap(page, 30, 820);
    await until("the gallery is open", () => call(page, "is_gallery"));
    await sleep(2500);
    await shoot(page, "phone-gallery");
    await touch(page, "touchStart", [100, 600]);
    for (let i = 1; i <= 20; i++) await touch(page, "touchMove", [100, 600 - 15 * i]);
    await touch(page, "touchEnd");
    assert.ok(await call(page, "is_gallery"), "scrolling starts no scene");
    await sleep(1500);
    await shoot(page, "phone-gallery-scrolled");
    await tap(page, 100, 20); // the field for the search, so that the phone shows its keyboard
    assert.equal(await page.evaluate(() => document.activeElement.id), "search");
    await page.keyboard.type("pulleyx");
    await page.keyboard.press("Backspace");
    await sleep(300);
    await shoot(page, "phone-gallery-search");
    await tap(page, 100, 120);
    await until("the gallery is closed", async () => !(await call(page, "is_gallery")));
    await until("another scene runs", async () => (await scene(page)) === "pulley");
    await close(page);
  });

  test("the panel opens, and its sliders and tools follow a finger", async () => {
    const page = await open("#scene=pyramid", phone);
    const button = await (await page.$("[data-key=Tab]")).boundingBox();
    await tap(page, button.x + button.width / 2, button.y + button.height / 2);
    await until("the panel is open", async () => (await call(page, "world_bottom")) < 450);
    await shoot(page, "phone-panel");
    await touch(page, "touchStart", [215, 563]); // the knob of the slider "rows"
    for (let i = 1; i <= 10; i++) {
      await touch(page, "touchMove", [215 + 10 * i, 563]);
      await sleep(50);
    }
    await touch(page, "touchEnd");
    await until("the slider is at its end", () => page.url().endsWith("rows=40"));
    await tap(page, 241, 736); // the tool "Erase"
    await sleep(100);
    const box = await body(page, 20);
    await tap(page, box.left, box.top);
    await until("the box is erased", async () => !(await body(page, 20)));
    await touch(page, "touchStart", [280, 600]);
    for (let i = 1; i <= 10; i++) await touch(page, "touchMove", [280, 600 - 20 * i]);
    await touch(page, "touchEnd");
    await sleep(300);
    await shoot(page, "phone-panel-scrolled");
    await close(page);
  });

  test("the solver lab opens from the panel, and lies below the world", async () => {
    const page = await open("#scene=pyramid", phone);
    const button = await (await page.$("[data-key=Tab]")).boundingBox();
    await tap(page, button.x + button.width / 2, button.y + button.height / 2);
    await until("the panel is open", async () => (await call(page, "world_bottom")) < 450);
    await tap(page, 334, 439); // "Lab"
    await until("the lab is open", async () => (await call(page, "lab")) === 0);
    await until("the world is as wide as the window", async () => (await call(page, "world_right")) === (await call(page, "ui_width")));
    const height = await page.$eval("#world", canvas => canvas.clientHeight);
    for (let i = 0; i < 15; i++) await tap(page, 240, height * 0.55 + 20); // "Next"
    await until("it has gone on", async () => (await call(page, "lab")) > 10);
    await shoot(page, "phone-lab");
    await close(page);
  });

  test("buttons steer a car", async () => {
    const page = await open("#scene=drive", phone);
    const car = await page.evaluate(() => {
      const { demo } = window.cairn;
      demo.start(428, 844, 1);
      return [...Array(200).keys()].find(slot => { // the chassis starts at (0, 1.1)
        const at = demo.body(slot), [x, y] = at ? new Float32Array(demo.memory.buffer, at, 2) : [0, 0];
        return x === 0 && y > 1 && y < 1.2;
      });
    });
    assert.notEqual(car, undefined);
    const left = await (await page.$("[data-key=ArrowLeft]")).boundingBox();
    await touch(page, "touchStart", [left.x + 28, left.y + 28]);
    await until("it drives to the left", async () => (await body(page, car)).x < -2);
    await shoot(page, "phone-drive");
    const bottom = await page.evaluate(() => {
      const { demo } = window.cairn, canvas = document.getElementById("world");
      return demo.world_bottom() * canvas.clientWidth / demo.ui_width();
    });
    const below = await (await page.$("[data-key=ArrowLeft]")).boundingBox();
    assert.ok(below.y >= bottom, "the buttons cover no text of the world");
    await touch(page, "touchEnd");
    await close(page);
  });

  test("a finger on a button and one on the world do not zoom", async () => {
    const page = await open("#scene=drive", phone);
    const pixelsPerMetre = () => page.evaluate(() => {
      const { demo } = window.cairn, seen = [];
      for (let slot = 0; slot < 200 && seen.length < 2; slot++) {
        const at = demo.body(slot), place = at ? Array.from(new Float32Array(demo.memory.buffer, at, 4)) : null;
        if (place && Math.abs(place[0] - (seen[0]?.[0] ?? Infinity)) > 1) seen.push(place);
      }
      return (seen[1][2] - seen[0][2]) / (seen[1][0] - seen[0][0]);
    });
    const left = await (await page.$("[data-key=ArrowLeft]")).boundingBox(), button = [left.x + 28, left.y + 28];
    const before = await pixelsPerMetre();
    await touch(page, "touchStart", button);
    await touch(page, "touchStart", button, [200, 300]);
    for (let i = 1; i <= 10; i++) await touch(page, "touchMove", button, [200 + 8 * i, 300 - 8 * i]);
    await sleep(200);
    const during = await pixelsPerMetre();
    await touch(page, "touchEnd");
    assert.ok(Math.abs(during / before - 1) < 0.01, `${before} pixels per metre became ${during}`);
    await close(page);
  });

  test("the picture fits after the phone is turned", async () => {
    const page = await open("#scene=pyramid", phone);
    await page.setViewport({ ...phone, width: 844, height: 390, isLandscape: true });
    await until("the canvas is as wide as the window",
      () => page.$eval("#world", c => c.width === 844 * 3 && c.clientWidth === 844));
    await sleep(500);
    await shoot(page, "phone-landscape");
    await close(page);
  });
});
