// Opens pages in Chromium: pages.mjs FOLDER TOOLS TEXT PAGE...
//
// FOLDER has the pages, and TOOLS puppeteer-core. Each page must write the text to the console, and
// nothing else: no error, no warning.
import assert from "node:assert/strict";
import { launch, serve } from "../web_demo/browser.mjs";

const [folder, tools, text, ...names] = process.argv.slice(2);
const server = await serve(folder), browser = await launch(tools);
try {
  for (const name of names) {
    const page = await browser.newPage(), lines = [];
    page.on("pageerror", error => lines.push(String(error)));
    page.on("console", line => lines.push(line.text()));
    await page.goto(`${server.url}/${name}`);
    for (let i = 0; i < 400 && lines.length === 0; i++) await new Promise(resolve => setTimeout(resolve, 50));
    assert.deepEqual(lines, [text], name);
    await page.close();
    console.log(`ok: ${name}`);
  }
} finally {
  await browser.close();
  server.close();
}
