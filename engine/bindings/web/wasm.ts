/* The WebAssembly module as the rest of the binding sees it: views of its memory, frames for
 * arguments, arrays that are freed after a call, errors.
 *
 * Arguments and results that are structs lie in a frame: the current one begins at `frame`. A
 * callback of the user gets the next frame, so its calls do not overwrite the arguments of the call
 * that is running.
 *
 * holdArray(), holdBytes() and holdSpace() allocate arrays for a call, and release() frees them.
 *
 * The error hook of Cairn sets `failed`, so a call that succeeds does not read the error. */
import type { ErrorKind, Raw } from "./calls.js";

/** A vector or point. */
export interface Vec2 { x: number; y: number }
/** A vector to pass: an object or a pair. */
export type Vec2Like = Readonly<Vec2> | readonly [x: number, y: number];
/** A position and a rotation, as cosine and sine: a point is first turned, then moved. */
export interface Pose { position: Vec2; rotation: { c: number; s: number } }
/** A pose to pass. Give the rotation or the angle in radians; without them it is not rotated. */
export interface PoseLike {
  position?: Vec2Like | undefined;
  rotation?: { readonly c: number; readonly s: number } | undefined;
  angle?: number | undefined;
}

/** The error of a call: the text says what is wrong, with numbers, and often what to do. */
export class CairnError extends Error {
  /** Of worldsStep(): the kind of error of each world. */
  worlds?: ErrorKind[];
  constructor(readonly kind: ErrorKind, message: string) {
    super(message);
    this.name = "CairnError";
  }
}

// ---- memory

export let u8: Uint8Array, i32: Int32Array, u32: Uint32Array, u64: BigUint64Array;
export let f32: Float32Array, f64: Float64Array;
let memory: { readonly buffer: ArrayBuffer };

/** Makes new views of the memory. When it has grown, the old views are empty. */
export function renewViews(): void {
  const buffer = memory.buffer;
  u8 = new Uint8Array(buffer);
  i32 = new Int32Array(buffer);
  u32 = new Uint32Array(buffer);
  u64 = new BigUint64Array(buffer);
  f32 = new Float32Array(buffer);
  f64 = new Float64Array(buffer);
}

const utf8 = new TextDecoder();
export function text(p: number): string {
  return utf8.decode(u8.subarray(p, u8.indexOf(0, p)));
}

// ---- frames and held memory

export const FRAME = 6144;
const FRAMES = 16;
export let frame: number;
let firstFrame: number;
let malloc: (size: number) => number;
export let free: (p: number) => void;

const held: number[] = [];
export const acceptors: ((p: number) => boolean)[] = [];
let acceptorCount = 0;

/** The mark to pass to release(), which frees everything that was held after it. */
export function hold(): number {
  return held.length * 65536 + acceptorCount;
}
export function release(mark: number): void {
  for (const end = Math.floor(mark / 65536); held.length > end;) free(held.pop()!);
  acceptors.length = acceptorCount = mark % 65536;
}
export function allocate(size: number): number {
  const p = malloc(size || 1);
  if (p === 0) throw new CairnError("memory", `${size} bytes of memory are not available`);
  return p >>> 0;
}
export function holdSpace(size: number): number {
  const p = allocate(size);
  held.push(p);
  return p;
}
export function holdBytes(bytes: ArrayLike<number | boolean>): number {
  const p = holdSpace(bytes.length);
  if (bytes instanceof Uint8Array) u8.set(bytes, p);
  else for (let i = 0; i < bytes.length; i++) u8[p + i] = Number(bytes[i]);
  return p;
}
export function holdArray<T>(items: readonly T[], size: number, write: (p: number, item: T) => void): number {
  const p = holdSpace(size * items.length);
  items.forEach((item, i) => write(p + size * i, item));
  return p;
}
export function holdAcceptor(accept: (p: number) => boolean): number {
  acceptors[acceptorCount] = accept;
  return acceptorCount++;
}

export function listOf<T>(count: number, read: (i: number) => T): T[] {
  const list = new Array<T>(count);
  for (let i = 0; i < count; i++) list[i] = read(i);
  return list;
}

/** The results of a call that writes to an array. Calls it again if the array was too small. */
export function collect<T>(
  size: number, call: (p: number, capacity: number) => number, read: (p: number) => T,
): T[] {
  const mark = hold();
  try {
    let p = holdSpace(16 * size), count = call(p, 16);
    if (count > 16) count = call(p = holdSpace(count * size), count);
    done();
    return listOf(count, i => read(p + i * size));
  } finally {
    release(mark);
  }
}

/** The bytes that a call writes. */
export function collectBytes(call: (p: number, capacity: number) => number): Uint8Array {
  const mark = hold();
  try {
    const capacity = call(0, 0) >>> 0;
    done();
    const p = holdSpace(capacity), size = call(p, capacity) >>> 0;
    done();
    return u8.slice(p, p + size);
  } finally {
    release(mark);
  }
}

// ---- errors

let failed = false;
let lastError: () => CairnError;
let thrown: { error: unknown } | undefined; // by a callback, in the call that is running

function fail(): never {
  failed = false;
  if (thrown) {
    const { error } = thrown;
    thrown = undefined;
    throw error;
  }
  throw lastError();
}
/** For the error hook. */
export function markFailed(): void {
  failed = true;
}
/** To use after a call whose result does not say whether it failed. */
export function done(): void {
  if (failed || thrown !== undefined) fail();
}
/** To use after a call that takes steps: shows its hint, or throws its error. */
export function stepped(ok: boolean): void {
  const hint = ok && failed && thrown === undefined ? lastError() : undefined;
  if (hint?.kind === "hint") {
    failed = false;
    console.warn(hint.message);
  } else if (!ok || failed || thrown !== undefined) {
    fail();
  }
}
/** To use after a call that returns 0 if it failed. */
export function check(ok: number | bigint): void {
  if (!ok || thrown !== undefined) fail();
}

export function indexIn<T extends string>(values: readonly T[], value: T): number {
  const index = values.indexOf(value);
  if (index < 0) throw new CairnError("range", `"${value}" is not one of ${values.join(", ")}`);
  return index;
}
export function checkLength(name: string, length: number, expected: number): void {
  if (length !== expected) throw new CairnError("range", `${name} has ${length} values; it must have ${expected}`);
}

/** Throws if a value has fields that the struct does not have. */
export function checkFields(struct: string, value: object, fields: ReadonlySet<string>): void {
  if (typeof value !== "object" || value === null)
    throw new CairnError("range", `${struct} is an object with fields, not ${String(value)}`);
  for (const key in value) if (!fields.has(key)) throw unknownField(struct, key, fields);
}
/** The set of these names, which have a space between them. */
export const fieldSet = (names: string): ReadonlySet<string> => new Set(names.split(" "));
/** Checks the fields of a value for a struct, and sets the struct to 0. */
export function begin(struct: string, value: object, fields: ReadonlySet<string>, p: number, size: number): void {
  checkFields(struct, value, fields);
  u8.fill(0, p, p + size);
}
function unknownField(struct: string, key: string, fields: ReadonlySet<string>): CairnError {
  const plain = (name: string) => name.toLowerCase().replaceAll("_", "");
  const word = plain(key);
  let nearest = "", least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of fields) {
    const d = distance(word, plain(name));
    if (d < least) [nearest, least] = [name, d];
  }
  return new CairnError("range", `${struct} has no field "${key}"` + (nearest && `: did you mean "${nearest}"?`));
}
/** How many letters differ: left out, added, replaced, or swapped with the next one. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = rows[i] = [i], above = rows[i - 1]!;
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + +(a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
  }
  return rows[a.length]![b.length]!;
}

/** Runs a callback of the user in the next frame. If it throws, the call that is running goes on
 *  with `otherwise`, and throws when it ends. */
export function guard<T>(otherwise: T, callback: () => T): T {
  if (thrown !== undefined) return otherwise;
  frame += FRAME;
  try {
    if (frame >= firstFrame + FRAME * FRAMES) throw new CairnError("state", "callbacks are nested too deeply");
    return callback();
  } catch (error) {
    thrown = { error };
    return otherwise;
  } finally {
    frame -= FRAME;
    failed = false;
  }
}

// ---- vectors, poses and hulls

export function readVec2(p: number): Vec2 {
  return { x: f32[p >> 2], y: f32[(p + 4) >> 2] };
}
export function readVec2Into(p: number, out: Vec2): Vec2 {
  out.x = f32[p >> 2];
  out.y = f32[(p + 4) >> 2];
  return out;
}
export function writeVec2(p: number, v: Vec2Like): void {
  if (typeof v !== "object" || v === null)
    throw new CairnError("number", `a point or vector is [x, y] or { x, y }, not ${String(v)}`);
  if ("x" in v) {
    f32[p >> 2] = v.x;
    f32[(p + 4) >> 2] = v.y;
  } else {
    f32[p >> 2] = v[0];
    f32[(p + 4) >> 2] = v[1];
  }
}

export function readPose(p: number): Pose {
  return { position: readVec2(p), rotation: { c: f32[(p + 8) >> 2], s: f32[(p + 12) >> 2] } };
}
export function readPoseInto(p: number, out: Pose): Pose {
  readVec2Into(p, out.position);
  out.rotation.c = f32[(p + 8) >> 2];
  out.rotation.s = f32[(p + 12) >> 2];
  return out;
}
const poseFields = fieldSet("position rotation angle");
export function writePose(p: number, pose: PoseLike): void {
  checkFields("Pose", pose, poseFields);
  writeVec2(p, pose.position ?? [0, 0]);
  if (pose.rotation === undefined && pose.angle) {
    rotationOf(p + 8, pose.angle);
    return done();
  }
  f32[(p + 8) >> 2] = pose.rotation ? pose.rotation.c : 1;
  f32[(p + 12) >> 2] = pose.rotation ? pose.rotation.s : 0;
}
let rotationOf: Raw["cn_rotation_of"];

/** The bytes of a hull: 8 vertices, 8 normals, the radius and the number of vertices. */
export class HullData {
  constructor(readonly values: Float32Array) {}
  /** The radius that the hull is grown by. */
  get radius(): number {
    return this.values[32];
  }
  /** The number of vertices, 1 to 8. */
  get count(): number {
    return new Int32Array(this.values.buffer, this.values.byteOffset)[33];
  }
  get vertices(): Vec2[] {
    return this.pairs(0);
  }
  /** The outward unit normals of the edges vertices[i] -> vertices[i + 1]. */
  get normals(): Vec2[] {
    return this.count === 1 ? [] : this.pairs(16);
  }
  private pairs(first: number): Vec2[] {
    return listOf(this.count, i => ({ x: this.values[first + 2 * i], y: this.values[first + 2 * i + 1] }));
  }
}
export function writeHullData(p: number, hull: HullData): void {
  f32.set(hull.values, p >> 2);
}

// ---- the module

export interface Connection {
  memory: { readonly buffer: ArrayBuffer };
  malloc(size: number): number;
  free(p: number): void;
  frames: number;
  rotationOf: Raw["cn_rotation_of"];
  lastError(): CairnError;
}
/** Connects this file with a module. */
export function connect(to: Connection): void {
  ({ memory, malloc, free, rotationOf, lastError, frames: firstFrame } = to);
  frame = firstFrame;
  renewViews();
}
