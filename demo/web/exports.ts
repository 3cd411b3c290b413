/* The functions of web.c, and the constants of canvas.h and demo.h that they take. Points are in
 * pixels of the user interface. */

export const enum Event { Press, Release, Move, Leave, Wheel, Key, KeyUp, Text, Drop }
export const enum Button { Left, Middle, Right }
export const cursors = ["default", "pointer", "crosshair"] as const;

type Bool = 0 | 1;

export interface Demo {
  memory: WebAssembly.Memory;
  _initialize(): void;

  font(): number;
  glyphs(): number;
  code(index: number): number;
  advance(code: number): number;

  text(): number;
  choose(): Bool;
  set(value: number): Bool;
  show(): Bool;
  use_light(light: boolean): void;
  start(width: number, height: number, scale: number): Bool;
  touch(isTouched: boolean, padWidth: number, padHeight: number): void;
  title(): number;
  link(): number;

  frame(seconds: number, width: number, height: number, scale: number): Bool;
  hush(): void;
  is_silent(): Bool;
  mix(pairs: number): number;

  cursor(): 0 | 1 | 2;

  pointer(kind: Event, x: number, y: number, button: Button, clicks: number, shift: boolean): void;
  wheel(x: number, y: number, notches: number, shift: boolean): void;
  key(kind: Event, key: number, shift: boolean, ctrl: boolean, repeats: boolean): void;
  enter(kind: Event): void;
  pinch(x: number, y: number, dx: number, dy: number, factor: number): void;
  cancel(): void;

  is_world(x: number, y: number): Bool;
  is_gallery(): Bool;
  lab(): number;
  is_light(): Bool;
  is_paused(): Bool;
  is_recording(): Bool;
  takes_keys(): Bool;
  ui_width(): number;
  world_left(): number;
  world_right(): number;
  world_bottom(): number;

  step(): number;
  hash(): bigint;
  run(steps: number): Bool;
  open_lab(place: number): Bool;
  body(slot: number): number;
}

/** Writes a string where the next call of the demo looks for it. */
export function putText(demo: Demo, text: string): void {
  const buffer = new Uint8Array(demo.memory.buffer, demo.text(), 256);
  const { written } = new TextEncoder().encodeInto(text, buffer.subarray(0, 255));
  buffer[written ?? 0] = 0;
}

/** Returns the string that ends with a 0. */
export function getText(demo: Demo, at: number): string {
  const bytes = new Uint8Array(demo.memory.buffer, at);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}
