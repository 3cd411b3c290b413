// A file server without special headers, and a browser that shows its pages.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves the files of a folder. Returns the server; its address is server.url. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
    response.writeHead(existsSync(path) ? 200 : 404, { "content-type": types[extname(path)] ?? "text/plain" });
    if (existsSync(path)) createReadStream(path).pipe(response);
    else response.end();
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  server.url = `http://127.0.0.1:${server.address().port}`;
  return server;
}

/** Starts Debian's chromium with the puppeteer-core that is installed in the folder. */
export async function launch(folder) {
  const puppeteer = createRequire(join(folder, "build/"))("puppeteer-core");
  const args = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  if (process.getuid() === 0) args.push("--no-sandbox");
  return (puppeteer.default ?? puppeteer).launch({ executablePath: "/usr/bin/chromium", args });
}
