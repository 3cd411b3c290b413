/* The page: loads the demo, fits its canvas to the window, draws a frame when the picture changes,
 * and connects the demo to links, files and the buttons of the page. */

import { cursors, Demo, Event, getText, putText } from "./exports";
import { Files } from "./files";
import { Screen } from "./gl";
import { Input, keyCode } from "./input";
import { Sound } from "./sound";

function find<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

const canvas = find<HTMLCanvasElement>("world");
const message = find("message");

let hideMessage = 0;
function tell(text: string): void {
  window.clearTimeout(hideMessage);
  message.textContent = text.replace(/^cairn-demo: /, "");
  message.hidden = false;
  hideMessage = window.setTimeout(() => (message.hidden = true), 6000);
}

function download(name: string, bytes: Uint8Array): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// The buttons for the arrows, and the space around them: see .pad in index.html.
const padGap = 8, padHeight = 56 + 2 * padGap, padWidth = 12 + 56 + 10 + 56 + padGap;

class Page {
  private readonly input: Input;
  private scheduled = false;
  private due = 0; // frames to draw even if the demo is idle: a control changes in the next frame
  private before = 0; // ms, of the last frame; 0: the demo was idle
  private scale = 1; // pixels of the screen for a pixel of the user interface
  private isTouched = false; // by fingers, without a keyboard
  private isHigh = false; // higher than wide
  private hasBar = false; // buttons of the page
  private linked = "";
  private linkedAt = 0;

  constructor(private readonly demo: Demo, private readonly screen: Screen, private readonly files: Files) {
    this.measure();
    demo.use_light(matchMedia("(prefers-color-scheme: light)").matches);
    this.openLink();
    this.input = new Input(canvas, find("search"), demo, () => devicePixelRatio / this.scale, () => this.wake());
    window.addEventListener("hashchange", () => this.openLink());
    new ResizeObserver(() => this.wake()).observe(canvas);
    canvas.addEventListener("webglcontextrestored", () => this.wake());
    matchMedia("(pointer: coarse)").addEventListener("change", () => this.wake());
    this.acceptFiles();
    this.connectButtons();
  }

  // ---- size

  /** Sets the scale as measure_window() of app.c does. On a phone, two pictures of the gallery fit
   *  side by side. */
  private measure(): void {
    const ratio = devicePixelRatio;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const large = Math.floor(Math.min(width / 1200, height / 680));
    const narrow = Math.min(1, Math.max(canvas.clientWidth / 428, 0.75));
    this.scale = Math.max(large, ratio * narrow, narrow);
    this.isTouched = matchMedia("(pointer: coarse)").matches;
    this.isHigh = height > width;
    const hasRoom = width / this.scale >= 796 && height / this.scale >= 420; // for the panels: see controls.c
    this.hasBar = !hasRoom || this.isTouched;
    document.body.classList.toggle("bar", this.hasBar);
  }

  // ---- frames

  wake(): void {
    this.due = 2;
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(now => this.frame(now));
  }

  private frame(now: number): void {
    const { demo, screen } = this;
    const seconds = this.before ? Math.min((now - this.before) / 1000, 0.1) : 0;
    this.scheduled = false;
    this.measure();
    // In a high window the buttons lie below the world, in a low one at both sides of it.
    const toDemo = this.hasBar ? devicePixelRatio / this.scale : 0;
    demo.touch(this.isTouched, this.isHigh ? 0 : padWidth * toDemo, this.isHigh ? padHeight * toDemo : 0);
    screen.begin(demo, this.scale);
    const changes = demo.frame(seconds, canvas.width / this.scale, canvas.height / this.scale, this.scale);
    this.input.endFrame();
    this.show(now);
    this.due = Math.max(this.due - 1, 0);
    this.before = changes || this.due ? now : 0;
    if (this.before) this.schedule();
  }

  /** Shows the state of the demo in the page around the canvas. */
  private show(now: number): void {
    const { demo } = this, { classList } = document.body;
    canvas.style.cursor = cursors[demo.cursor()];
    classList.toggle("light", demo.is_light() !== 0);
    classList.toggle("paused", demo.is_paused() !== 0);
    classList.toggle("gallery", demo.is_gallery() !== 0);
    classList.toggle("keys", demo.takes_keys() !== 0);
    const toPage = canvas.clientWidth / demo.ui_width();
    const beside = this.hasBar && !this.isHigh && demo.takes_keys() ? padWidth : 0;
    document.body.style.setProperty("--left", `${demo.world_left() * toPage - beside}px`);
    document.body.style.setProperty("--right", `${canvas.clientWidth - demo.world_right() * toPage - beside}px`);
    const bottom = demo.world_bottom() * toPage;
    document.body.style.setProperty("--pad", `${this.isHigh ? bottom + padGap : bottom - padHeight}px`);
    document.title = `Cairn: ${getText(demo, demo.title())}`;
    this.follow(getText(demo, demo.link()), now);
  }

  /** Keeps the address up to date. Browsers limit how often it may change. */
  private follow(link: string, now: number): void {
    if (link === this.linked) return;
    if (now - this.linkedAt < 300) {
      this.wake();
      return;
    }
    this.linked = link;
    this.linkedAt = now;
    history.replaceState(null, "", link ? `#${link}` : location.pathname + location.search);
  }

  // ---- links and files

  /** Starts the scene of the address: #scene=stack&height=30&overlay=contacts,normals. With
   *  &steps=90&lab=290, the solver lab opens at that place of the next step. */
  private openLink(): void {
    const { demo } = this, wanted = new URLSearchParams(location.hash.slice(1));
    this.linked = location.hash.slice(1);
    const name = wanted.get("scene") ?? "stack";
    putText(demo, name);
    if (!demo.choose()) {
      tell(`There is no scene "${name}".`);
      putText(demo, "stack");
      demo.choose();
    }
    this.showOverlays(wanted.get("overlay"));
    wanted.delete("scene");
    const lab = wanted.get("lab"), steps = Number(wanted.get("steps"));
    for (const name of ["overlay", "lab", "steps"]) wanted.delete(name);
    for (const [parameter, value] of wanted) {
      putText(demo, parameter);
      const number = value.trim() === "" ? NaN : Number(value);
      if (!Number.isFinite(number) || !demo.set(number)) tell(`The scene has no parameter ${parameter}=${value}.`);
    }
    if (!demo.start(canvas.width / this.scale, canvas.height / this.scale, this.scale)) tell("The scene cannot start.");
    else if (lab && !(demo.run(steps) && demo.open_lab(Number(lab)))) tell("The solver lab cannot open.");
    this.wake();
  }

  private showOverlays(names: string | null): void {
    for (const name of names?.split(",") ?? []) {
      putText(this.demo, name);
      if (!this.demo.show()) tell(`There is no overlay "${name}".`);
    }
  }

  private acceptFiles(): void {
    window.addEventListener("dragover", event => event.preventDefault());
    window.addEventListener("drop", event => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this.openFile(file).catch(() => tell(`${file.name} cannot be read.`)); // a folder
    });
  }

  private async openFile(file: File): Promise<void> {
    this.files.drop(file.name, new Uint8Array(await file.arrayBuffer()));
    putText(this.demo, file.name);
    this.demo.enter(Event.Drop);
    this.wake();
  }

  // ---- buttons

  /** Connects buttons. A button with a data-key acts as that key. */
  private connectButtons(): void {
    for (const button of document.querySelectorAll<HTMLElement>("[data-key]")) {
      const code = keyCode(button.dataset.key!);
      const send = (isDown: boolean) => (event: PointerEvent): void => {
        event.preventDefault();
        this.input.sendKey(code, isDown);
      };
      button.addEventListener("pointerdown", send(true));
      for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) button.addEventListener(end, send(false));
      button.addEventListener("contextmenu", event => event.preventDefault());
    }
    const full = find("full");
    full.hidden = !document.fullscreenEnabled;
    full.addEventListener("click", toggleFullScreen);
    window.addEventListener("keydown", event => {
      if (event.altKey && event.key === "Enter") toggleFullScreen();
    });
  }
}

function toggleFullScreen(): void {
  void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
}

async function load(): Promise<void> {
  const files = new Files(download, tell), screen = new Screen(canvas);
  const bytes = await (await fetch("demo.wasm")).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, {
    page: screen.imports(() => files.memory),
    wasi_snapshot_preview1: files.wasi,
  });
  const demo = instance.exports as unknown as Demo;
  files.memory = demo.memory;
  demo._initialize();
  const page = new Page(demo, screen, files);
  const sound = new Sound(demo);
  Object.assign(window, { cairn: { demo, sound, wake: () => page.wake() } }); // for tests, and for pages around it
  find("loading").remove();
}

load().catch((error: unknown) => {
  find("loading").textContent = `The demo cannot start: ${error instanceof Error ? error.message : String(error)}`;
});
