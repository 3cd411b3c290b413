/* Turns mouse, touch and keyboard into events of the demo.
 *
 * One finger acts as the mouse, and two fingers move and zoom the view. A finger presses only when
 * it has moved, has rested on the world for a moment, or is lifted, so that the first of two
 * fingers does nothing. A finger that moves up or down over a panel scrolls, and so does any finger
 * that moves over the gallery. */

import { Button, Demo, Event, putText } from "./exports";

const keys: Readonly<Record<string, number>> = {
  Backspace: 8, Tab: 9, Enter: 13, Escape: 27, Delete: 127, ArrowLeft: 256, ArrowRight: 257,
  ArrowUp: 258, ArrowDown: 259, Home: 260, End: 261, PageUp: 262, PageDown: 263,
  F1: 264, F2: 265, F3: 266, F4: 267, F7: 270, F8: 271, F9: 272, F10: 273, // the browser uses the others
};

/** Returns the key of the demo: the character that it types without Shift, or a KEY_... of
 *  canvas.h; 0: none. */
export function keyCode(key: string, code = ""): number {
  if (key.length > 1) return keys[key] ?? 0;
  const typed = key.toLowerCase().charCodeAt(0);
  if (typed < 128) return typed;
  return /^(Key|Digit).$/.test(code) ? code.slice(-1).toLowerCase().charCodeAt(0) : 0; // not a Latin layout
}

type Point = readonly [x: number, y: number];

const pressAfter = 70; // ms
const slop = 6; // pixels that a resting finger may move
const nowhere = -1000;

type Finger =
  | { does: "nothing" }
  | { does: "wait"; start: Point; timer: number }
  | { does: "press"; last: Point }
  | { does: "scroll"; start: Point; last: Point; speed: number } // pixels per frame
  | { does: "glide"; start: Point; speed: number } // lifted, but the scrolling goes on
  | { does: "pinch"; middle: Point; distance: number };

export class Input {
  private finger: Finger = { does: "nothing" };
  private leaves = false;
  private typed = " "; // the text in the field for the keyboard of a phone
  private readonly pressed = new Set<number>(); // mouse buttons that went down on the canvas
  private readonly held = new Set<number>(); // keys

  /** `toDemo` returns how many pixels of the user interface a CSS pixel is. `wake` requests a
   *  frame. */
  constructor(private readonly canvas: HTMLCanvasElement, private readonly search: HTMLInputElement,
              private readonly demo: Demo, private readonly toDemo: () => number,
              private readonly wake: () => void) {
    this.listenToMouse();
    this.listenToTouch();
    this.listenToKeys();
  }

  private place(at: { clientX: number; clientY: number }): Point {
    const { left, top } = this.canvas.getBoundingClientRect(), scale = this.toDemo();
    return [(at.clientX - left) * scale, (at.clientY - top) * scale];
  }

  private send(kind: Event, [x, y]: Point, button = Button.Left, clicks = 1, shift = false): void {
    this.demo.pointer(kind, x, y, button, clicks, shift);
    this.wake();
  }

  /** Call it after a frame. Goes on with gliding, and moves the pointer away after a finger was
   *  lifted. */
  endFrame(): void {
    const { finger } = this;
    if (finger.does === "glide") {
      this.scroll(finger.start, finger.speed);
      const speed = 0.95 * finger.speed;
      this.finger = Math.abs(speed) > 0.3 ? { ...finger, speed } : { does: "nothing" };
      return;
    }
    if (!this.leaves) return;
    this.leaves = false;
    this.send(Event.Move, [nowhere, nowhere]);
  }

  // ---- mouse

  private listenToMouse(): void {
    const { canvas } = this;
    canvas.addEventListener("mousedown", event => {
      event.preventDefault();
      window.focus(); // in a frame of another page
      this.pressed.add(event.button);
      this.send(Event.Press, this.place(event), event.button, event.detail, event.shiftKey);
    });
    window.addEventListener("mousemove", event => {
      if (event.target === canvas || this.pressed.size) this.send(Event.Move, this.place(event));
    });
    window.addEventListener("mouseup", event => {
      if (this.pressed.delete(event.button)) this.send(Event.Release, this.place(event), event.button);
    });
    canvas.addEventListener("mouseleave", event => {
      if (!this.pressed.size) this.send(Event.Leave, this.place(event));
    });
    canvas.addEventListener("contextmenu", event => event.preventDefault());
    canvas.addEventListener("wheel", event => this.turnWheel(event), { passive: false });
  }

  private turnWheel(event: WheelEvent): void {
    event.preventDefault();
    const [x, y] = this.place(event);
    const notches = -event.deltaY / (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 3 : 100);
    if (event.ctrlKey && this.demo.is_world(x, y)) // two fingers on a touch pad
      this.demo.pinch(x, y, 0, 0, Math.exp(notches));
    else this.demo.wheel(x, y, notches, event.shiftKey);
    this.wake();
  }

  // ---- touch

  private listenToTouch(): void {
    const on = (name: "touchstart" | "touchmove" | "touchend" | "touchcancel", act: (event: TouchEvent) => void): void =>
      this.canvas.addEventListener(name, event => {
        event.preventDefault();
        act(event);
      }, { passive: false });
    // Only fingers on the canvas: another one may hold a button of the page.
    on("touchstart", event => this.putFinger(event.targetTouches));
    on("touchmove", event => this.moveFinger(event.targetTouches));
    on("touchend", event => this.liftFinger(event));
    on("touchcancel", () => this.cancelFinger());
  }

  private putFinger(touches: TouchList): void {
    if (touches.length > 1) {
      this.cancelFinger();
      this.finger = { does: "pinch", ...this.span(touches) };
      return;
    }
    const start = this.place(touches[0]!);
    const isWorld = this.demo.is_world(...start);
    this.finger = { does: "wait", start, timer: isWorld ? window.setTimeout(() => this.press(start), pressAfter) : 0 };
  }

  private press(at: Point): void {
    this.finger = { does: "press", last: at };
    this.send(Event.Press, at);
  }

  private moveFinger(touches: TouchList): void {
    const { finger, demo } = this, at = this.place(touches[0]!);
    if (finger.does === "wait") this.leaveStart(finger.start, at, finger.timer);
    else if (finger.does === "press") {
      this.finger = { does: "press", last: at };
      this.send(Event.Move, at);
    } else if (finger.does === "scroll") {
      const by = at[1] - finger.last[1];
      this.finger = { ...finger, last: at, speed: (finger.speed + by) / 2 };
      this.scroll(finger.start, by);
    } else if (finger.does === "pinch" && touches.length > 1) {
      const span = this.span(touches), [x, y] = span.middle;
      const dx = x - finger.middle[0], dy = y - finger.middle[1];
      if (demo.is_world(x, y)) demo.pinch(x, y, dx, dy, span.distance / finger.distance);
      else this.scroll(span.middle, dy);
      this.finger = { does: "pinch", ...span };
      this.wake();
    }
  }

  /** A waiting finger moved: it presses or scrolls. */
  private leaveStart(start: Point, at: Point, timer: number): void {
    const dx = at[0] - start[0], dy = at[1] - start[1];
    if (Math.hypot(dx, dy) < slop) return;
    window.clearTimeout(timer);
    const isWorld = this.demo.is_world(...start);
    if (!isWorld && (this.demo.is_gallery() || Math.abs(dy) > Math.abs(dx))) {
      this.finger = { does: "scroll", start, last: at, speed: dy };
      this.send(Event.Move, start);
      this.scroll(start, dy);
      return;
    }
    this.press(start);
    this.finger = { does: "press", last: at };
    this.send(Event.Move, at);
  }

  private scroll([x, y]: Point, pixels: number): void {
    const pixelsOfNotch = this.demo.is_gallery() ? 80 : 22; // see gallery.c and panel.c
    this.demo.wheel(x, y, pixels / pixelsOfNotch, false);
    this.wake();
  }

  private liftFinger(event: TouchEvent): void {
    const { finger } = this;
    if (event.targetTouches.length) {
      this.finger = { does: "nothing" }; // until all are lifted
      return;
    }
    if (finger.does === "wait") {
      window.clearTimeout(finger.timer);
      this.tap(finger.start);
    } else if (finger.does === "press") this.send(Event.Release, finger.last);
    this.finger = finger.does === "scroll" ? { ...finger, does: "glide" } : { does: "nothing" };
    this.leaves = true;
    this.wake();
  }

  private tap(at: Point): void {
    if (this.demo.is_gallery() && at[0] < 165 && at[1] < 48) this.search.focus(); // shows the keyboard
    else this.search.blur();
    this.send(Event.Press, at);
    this.send(Event.Release, at);
  }

  private cancelFinger(): void {
    if (this.finger.does === "wait") window.clearTimeout(this.finger.timer);
    if (this.finger.does === "press") this.demo.cancel();
    this.finger = { does: "nothing" };
    this.wake();
  }

  /** The middle of two fingers, and their distance. */
  private span(touches: TouchList): { middle: Point; distance: number } {
    const a = this.place(touches[0]!), b = this.place(touches[1]!);
    return { middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], distance: Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1) };
  }

  // ---- keyboard

  private listenToKeys(): void {
    const { search } = this;
    window.addEventListener("keydown", event => this.pressKey(event));
    window.addEventListener("keyup", event => this.sendKey(keyCode(event.key, event.code), false));
    window.addEventListener("blur", () => this.releaseAll());
    document.addEventListener("visibilitychange", () => this.releaseAll());
    search.addEventListener("focus", () => (search.value = this.typed = " "));
    search.addEventListener("input", () => this.follow(search.value));
  }

  /** Sends the change in the field for the keyboard on the screen. The field begins with a space,
   *  so that there is always a character to delete. */
  private follow(now: string): void {
    let same = 0;
    while (same < Math.min(now.length, this.typed.length) && now[same] === this.typed[same]) same++;
    for (let i = same; i < this.typed.length; i++) {
      this.sendKey(keys.Backspace!, true);
      this.sendKey(keys.Backspace!, false);
    }
    if (now.length > same) this.type(now.slice(same));
    this.typed = now;
    if (!now) this.search.value = this.typed = " ";
  }

  private pressKey(event: KeyboardEvent): void {
    const code = keyCode(event.key, event.code);
    const types = event.key.length === 1;
    if (event.ctrlKey || event.metaKey || event.altKey || !code) return;
    if (event.target === this.search && (types || event.key === "Backspace")) return; // it reports these itself
    event.preventDefault();
    this.sendKey(code, true, event);
    if (types) this.type(event.key);
    if (!this.demo.is_gallery()) this.search.blur();
  }

  /** A key goes down or up, on the keyboard or on a button of the page. */
  sendKey(code: number, isDown: boolean, { shiftKey = false, ctrlKey = false, repeat = false } = {}): void {
    if (!isDown && !this.held.delete(code)) return;
    if (isDown) this.held.add(code);
    this.demo.key(isDown ? Event.Key : Event.KeyUp, code, shiftKey, ctrlKey, repeat);
    this.wake();
  }

  private type(text: string): void {
    putText(this.demo, text);
    this.demo.enter(Event.Text);
    this.wake();
  }

  /** Releases all keys and buttons. A page in the background gets no event when they go up. */
  private releaseAll(): void {
    for (const code of this.held) this.sendKey(code, false);
    for (const button of this.pressed) this.send(Event.Release, [nowhere, nowhere], button);
    this.pressed.clear();
    this.cancelFinger();
  }
}
