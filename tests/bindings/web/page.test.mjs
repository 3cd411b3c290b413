// The first page of README.md in chromium, without a file server. Needs Debian's chromium.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";

const source = process.env.CAIRN_PACKAGE, folder = mkdtempSync(join(tmpdir(), "cairn2d-page-"));
after(() => rmSync(folder, { recursive: true }));
const hasChromium = spawnSync("chromium", ["--version"], { stdio: "ignore" }).status === 0;

// With virtual time, headless chromium has no frames of its own.
const frames = "<script>requestAnimationFrame = frame => setTimeout(() => frame(performance.now()), 1000 / 60);</script>\n";
// After 4 s: where a click at (600, 100) dropped a crate, the heights of all crates, and the colors of
// three pixels.
const ask = `<script>
  canvas.dispatchEvent(new MouseEvent("click", { clientX: canvas.offsetLeft + 600, clientY: canvas.offsetTop + 100 }));
  const dropped = [...world.bodies].at(-1).position;
  setTimeout(() => {
    const heights = [...world.bodies].slice(1).map(body => body.position.y);
    const pixel = (x, y) => [...context.getImageData(x, y, 1, 1).data];
    document.title = JSON.stringify({ dropped, heights,
      sky: pixel(20, 20), ground: pixel(100, 450), crate: pixel(600, 412) });
  }, 4000);
</script>`;

test("the first page", { skip: !hasChromium }, () => {
  const [, page] = readFileSync(join(source, "README.md"), "utf8").match(/^```html\n(<!doctype html>\n.*?)^```/ms);
  copyFileSync(join(source, "cairn2d.global.js"), join(folder, "cairn2d.global.js"));
  writeFileSync(join(folder, "page.html"), page.replace("<canvas", frames + "<canvas") + ask);
  const options = ["--headless", "--disable-gpu", `--user-data-dir=${join(folder, "profile")}`, "--virtual-time-budget=6000", "--window-size=820,560",
    ...process.getuid() === 0 ? ["--no-sandbox"] : []];
  const show = (...more) => execFileSync("chromium", [...options, ...more, `file://${join(folder, "page.html")}`], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const answer = show("--dump-dom").match(/<title>(\{.*?\})<\/title>/);
  assert.ok(answer, "the page has an error");
  const { dropped, heights, sky, ground, crate } = JSON.parse(answer[1]);
  assert.ok(Math.abs(dropped.x - 5) < 0.1 && Math.abs(dropped.y - 8.75) < 0.1, JSON.stringify(dropped));
  assert.ok(heights.length === 9 && Math.abs(heights.at(-1) - 1) < 0.02, `${heights}`); // it rests
  assert.equal(sky[3], 0);
  assert.ok(ground[3] > 0 && crate[3] > 0 && String(ground) !== String(crate), JSON.stringify({ ground, crate }));
  if (process.env.CAIRN_PICTURES) show(`--screenshot=${join(process.env.CAIRN_PICTURES, "first_page.png")}`);
});
