// Measures the demo of the web in headless chromium: node measure.mjs FOLDER [SCENE]...
// Prints for each scene two medians over 300 frames of one step each, after 100 frames that are not
// measured: the time of the step, and that of the whole frame with its drawing, including the calls
// of WebGL.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launch, serve } from "./browser.mjs";

const [folder, ...named] = process.argv.slice(2);
const scenes = named.length ? named : ["stack", "pyramid", "rain-of-shapes", "bridge", "ragdolls", "cloth", "tiles", "pool"];

for (const name of ["demo.wasm", "demo.js", "index.html"]) {
  const bytes = readFileSync(join(folder, name));
  console.log(`${name}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} compressed`);
}

const server = await serve(folder), browser = await launch(folder);
const page = await browser.newPage();
await page.setViewport({ width: 1280, height: 720 });
await page.goto(`${server.url}/#scene=stack`);
await page.waitForFunction(() => window.cairn?.demo.step() > 0);
const { compile, start } = await page.evaluate(async () => {
  const bytes = await (await fetch("demo.wasm")).arrayBuffer(), times = [];
  for (let i = 0; i < 5; i++) {
    const from = performance.now();
    await WebAssembly.compile(bytes);
    times.push(performance.now() - from);
  }
  const paint = performance.getEntriesByType("navigation")[0];
  return { compile: times.sort((a, b) => a - b)[2], start: paint.loadEventEnd };
});
console.log(`compiled in ${compile.toFixed(1)} ms; the page had loaded after ${start.toFixed(0)} ms`);

for (const scene of scenes) {
  const page = await browser.newPage(); // a new page has not compiled anything yet
  await page.setViewport({ width: 1280, height: 720 });
  await page.goto(`${server.url}/#scene=${scene}`);
  await page.waitForFunction(() => window.cairn?.demo.step() > 0);
  const [step, frame] = await page.evaluate(() => {
    const { demo } = window.cairn, steps = [], frames = [];
    const median = times => times.sort((a, b) => a - b)[times.length >> 1];
    for (let i = 0; i < 400; i++) {
      const from = performance.now();
      demo.run(1);
      const middle = performance.now();
      demo.frame(0, 1280, 720, 1);
      if (i < 100) continue;
      steps.push(middle - from);
      frames.push(performance.now() - from);
    }
    return [median(steps), median(frames)];
  });
  await page.close();
  console.log(`${scene}: ${step.toFixed(2)} ms a step, ${frame.toFixed(2)} ms a frame`);
}
await browser.close();
server.close();
