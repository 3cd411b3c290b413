/* The objects of a program: worlds and what is in them.
 *
 * There is one JavaScript object for each object of a world, so `===` compares them, and `data` may
 * hold any value. A registry finds the object of a handle by its slot. An object whose slot is used
 * again stays in the registry for the events of two steps, and after that as long as the program
 * refers to it, because events and restored states may name it again. */
import * as calls from "./calls.js";
import {
  BodyCalls, ChainCalls, JointCalls, OFFSET, ReplayCalls, RollbackCalls, ShapeCalls, SIZE, TilesCalls, WorldCalls,
  errorKindValues,
} from "./calls.js";
import type {
  BodyDef, BodyEvent, ChainDef, ContactLike, Contact, CoordinateLike, ErrorKind, HitEvent, Hull, JointDef, JointDefLike,
  JointEvent, MoveEvent, PreSolveResult, SaveParts, SensorEvent, ShapeDef, Side, TilesDef, TouchEvent, WorldDef,
} from "./calls.js";
import {
  CairnError, allocate, check, collectBytes, done, f32, frame, free, guard, hold, holdAcceptor,
  holdArray, holdBytes, holdSpace, i32, listOf, release, u32, u64, u8,
} from "./wasm.js";
import { callbacks, handlers } from "./module.js";
import type { Vec2, Vec2Like } from "./wasm.js";

/** The types of `data`. Augment it: `declare module "cairn2d" { interface Data { body: Sprite } }` */
export interface Data {}
type DataOf<K extends string> = (Data extends { [key in K]: infer T } ? T : unknown) | undefined;

/** What the user may add to a definition. */
export interface WithData<K extends string> {
  /** Any value of yours. It belongs to the JavaScript object and is not saved. */
  data?: DataOf<K>;
}

// ---- one object for each handle

interface Registered { readonly handle: bigint; readonly low: number; readonly high: number }

class Registry<T extends Registered> {
  private items: (T | undefined)[] = [];
  private recent = new Map<bigint, T>();
  private older = new Map<bigint, T>();
  private weak = new Map<bigint, WeakRef<T>>();
  private sweepAt = 64;
  constructor(private make: (handle: bigint, low: number, high: number) => T) {}

  /** The object of a handle at an address; null for the null handle. */
  at(p: number): T | null {
    const low = u32[p >> 2], high = u32[(p + 4) >> 2];
    const item = this.items[low & 0xffffff];
    return item !== undefined && item.low === low && item.high === high ? item : this.other(low, high);
  }
  of(handle: bigint): T | null {
    u64[(frame + 4088) >> 3] = handle;
    return this.at(frame + 4088);
  }

  private other(low: number, high: number): T | null {
    if (low === 0 && high === 0) return null;
    const handle = (BigInt(high) << 32n) | BigInt(low);
    const item = this.recent.get(handle) ?? this.older.get(handle) ?? this.weak.get(handle)?.deref()
      ?? this.make(handle, low, high);
    const slot = low & 0xffffff, previous = this.items[slot];
    if (previous !== undefined) {
      this.recent.set(previous.handle, previous);
      this.weak.set(previous.handle, new WeakRef(previous));
    }
    this.items[slot] = item;
    return item;
  }

  /** A step begins: the events of the step before the last one cannot be read any more. */
  age(): void {
    if (this.recent.size === 0 && this.older.size === 0) return;
    this.older = this.recent;
    this.recent = new Map();
    if (this.weak.size < this.sweepAt) return;
    for (const [handle, reference] of this.weak) if (!reference.deref()) this.weak.delete(handle);
    this.sweepAt = 64 + 2 * this.weak.size;
  }
}

/** Iterates over the objects that exist at the beginning. The loop may destroy any of them: those that
 *  are destroyed before they are reached are left out. */
function* iterate<T extends Registered & { readonly valid: boolean }>(
  next: (previous: bigint) => T | null,
): Generator<T, void, undefined> {
  const list: T[] = [];
  for (let item = next(0n); item !== null; item = next(item.handle)) list.push(item);
  for (const item of list) if (item.valid) yield item;
}

// ---- bodies

export class Body extends BodyCalls {
  data: DataOf<"body">;
  /** @internal Its chains by their ids. Those that were destroyed are there as long as the program
   *  holds them: restored states name them again. */
  chains: Map<bigint, Chain | WeakRef<Chain>> | undefined;
  /** @internal */
  sweepAt = 64;
  /** @internal */
  constructor(readonly world: World, readonly handle: bigint, readonly low: number, readonly high: number) {
    super();
  }
  /** The slot: the pose of this body begins at `4 * index` in {@link World.poses}. */
  get index(): number {
    return this.low & 0xffffff;
  }
  /** Adds a shape and returns the body, to add more. Updates the mass of the body. */
  shape(hull: Hull, def?: Omit<ShapeDef, "hull"> & WithData<"shape">): this {
    this.addShape(hull, def);
    return this;
  }
  /** Adds a shape and returns it. Updates the mass of the body. */
  addShape(hull: Hull, def: Omit<ShapeDef, "hull"> & WithData<"shape"> = {}): Shape {
    calls.writeShapeDef(frame, def);
    calls.writeHull(frame, hull);
    const handle = calls.cn_shape_create(this.world.pointer, this.handle, frame);
    check(handle);
    const shape = this.world.ofShape(handle)!;
    shape.data = def.data;
    return shape;
  }
  /** Adds a chain of segments, solid on the left when going from point to point. */
  chain(points: readonly Vec2Like[], def: Omit<ChainDef, "points"> & WithData<"chain"> = {}): Chain {
    const mark = hold();
    try {
      calls.writeChainDef(frame + 16, { ...def, points });
      calls.cn_chain_create(frame, this.world.pointer, this.handle, frame + 16);
      done();
      const chain = this.world.atChain(frame)!;
      chain.data = def.data;
      return chain;
    } finally {
      release(mark);
    }
  }
  /** Adds a grid of tiles to a static body. */
  tiles(def: TilesDef & WithData<"tiles">): Tiles {
    const mark = hold();
    try {
      calls.writeTilesDef(frame, def);
      const handle = calls.cn_tiles_create(this.world.pointer, this.handle, frame);
      check(handle);
      const tiles = this.world.ofTiles(handle)!;
      tiles.data = def.data;
      return tiles;
    } finally {
      release(mark);
    }
  }
  /** @internal */
  chainOf(id: bigint): Chain {
    const chains = this.chains ??= new Map(), known = chains.get(id);
    const chain = (known instanceof WeakRef ? known.deref() : known) ?? new Chain(this.world, this, id);
    chains.set(id, chain);
    return chain;
  }
  /** @internal */
  endChain(chain: Chain): void {
    const chains = this.chains!.set(chain.id, new WeakRef(chain));
    if (chains.size < this.sweepAt) return;
    for (const [id, known] of chains) if (known instanceof WeakRef && !known.deref()) chains.delete(id);
    this.sweepAt = 64 + 2 * chains.size;
  }
  /** The shapes in the order of their creation. */
  get shapes(): Iterable<Shape> {
    const { world, handle } = this;
    return iterate(previous => world.next(world.ofShape, calls.cn_body_next_shape(world.pointer, handle, previous)));
  }
  get joints(): Iterable<Joint> {
    const { world, handle } = this;
    return iterate(previous => world.next(world.ofJoint, calls.cn_body_next_joint(world.pointer, handle, previous)));
  }
  /** The position of the origin. Set: teleports the body, see {@link setPose}. */
  override get position(): Vec2 {
    return super.position;
  }
  override set position(position: Vec2Like) {
    this.setPose(position, this.angle);
  }
  /** The angle in radians, -pi..pi. Set: turns the body about its origin, see {@link setPose}. */
  override get angle(): number {
    return super.angle;
  }
  override set angle(angle: number) {
    this.setPose(super.position, angle);
  }
  /** Destroys the body with its shapes, joints and grids. Wakes its neighbours. */
  destroy(): void {
    check(calls.cn_body_destroy(this.world.pointer, this.handle));
  }
}

export class Shape extends ShapeCalls {
  data: DataOf<"shape">;
  /** @internal */
  constructor(readonly world: World, readonly handle: bigint, readonly low: number, readonly high: number) {
    super();
  }
  /** Destroys the shape and updates the mass of the body. Wakes. */
  destroy(): void {
    check(calls.cn_shape_destroy(this.world.pointer, this.handle));
  }
}

export class Joint extends JointCalls {
  data: DataOf<"joint">;
  /** @internal */
  constructor(readonly world: World, readonly handle: bigint, readonly low: number, readonly high: number) {
    super();
  }
  /** Destroys the joint and wakes both bodies. */
  destroy(): void {
    check(calls.cn_joint_destroy(this.world.pointer, this.handle));
  }
}

export class Tiles extends TilesCalls {
  data: DataOf<"tiles">;
  /** @internal */
  constructor(readonly world: World, readonly handle: bigint, readonly low: number, readonly high: number) {
    super();
  }
  /** Destroys the grid and wakes the bodies that sleep there. */
  destroy(): void {
    check(calls.cn_tiles_destroy(this.world.pointer, this.handle));
  }
}

export class Chain extends ChainCalls {
  data: DataOf<"chain">;
  /** @internal */
  constructor(readonly world: World, readonly body: Body, readonly id: bigint) {
    super();
  }
  /** @internal */
  write(p: number): void {
    u64[p >> 3] = this.body.handle;
    u64[(p + 8) >> 3] = this.id;
  }
  /** The segments in order. */
  get segments(): Iterable<Shape> {
    return iterate(previous => {
      this.write(frame);
      return this.world.next(this.world.ofShape, calls.cn_chain_next_segment(this.world.pointer, frame, previous));
    });
  }
  /** Destroys all segments that are left. Wakes. */
  destroy(): void {
    this.write(frame);
    check(calls.cn_chain_destroy(this.world.pointer, frame));
    this.body.endChain(this);
  }
}

// ---- events

/** The events of the last step, and of the calls between it and the step before. Read them before
 *  the next step: an array that was not read by then cannot be read any more. */
export class Events {
  private readonly lists: Partial<Record<string, readonly unknown[]>> = {};
  private readonly head: Int32Array;
  /** @internal */
  constructor(private readonly world: World) {
    calls.cn_world_events(frame, world.pointer);
    done();
    this.head = i32.slice(frame >> 2, (frame + SIZE.Events) >> 2);
  }
  private list<T>(name: string, array: number, count: number, size: number, read: (p: number, world: World) => T): readonly T[] {
    const known = this.lists[name] as readonly T[] | undefined;
    if (known) return known;
    if (this.world.lastEvents !== this) throw new CairnError("state", `the events of an earlier step cannot be read any more; read ${name} before the next step`);
    const first = this.head[array >> 2];
    return this.lists[name] = listOf(this.head[count >> 2], i => read(first + i * size, this.world));
  }
  get begins(): readonly TouchEvent[] {
    return this.list("begins", OFFSET.Events.begins, OFFSET.Events.beginCount, SIZE.TouchEvent, calls.readTouchEvent);
  }
  get ends(): readonly TouchEvent[] {
    return this.list("ends", OFFSET.Events.ends, OFFSET.Events.endCount, SIZE.TouchEvent, calls.readTouchEvent);
  }
  /** Hits of shapes with `hitEvents`. */
  get hits(): readonly HitEvent[] {
    return this.list("hits", OFFSET.Events.hits, OFFSET.Events.hitCount, SIZE.HitEvent, calls.readHitEvent);
  }
  get bodies(): readonly BodyEvent[] {
    return this.list("bodies", OFFSET.Events.bodies, OFFSET.Events.bodyCount, SIZE.BodyEvent, calls.readBodyEvent);
  }
  /** Joints that broke. */
  get broken(): readonly JointEvent[] {
    return this.list("broken", OFFSET.Events.broken, OFFSET.Events.brokenCount, SIZE.JointEvent, calls.readJointEvent);
  }
  get sensorBegins(): readonly SensorEvent[] {
    return this.list("sensorBegins", OFFSET.Events.sensorBegins, OFFSET.Events.sensorBeginCount, SIZE.SensorEvent, calls.readSensorEvent);
  }
  get sensorEnds(): readonly SensorEvent[] {
    return this.list("sensorEnds", OFFSET.Events.sensorEnds, OFFSET.Events.sensorEndCount, SIZE.SensorEvent, calls.readSensorEvent);
  }
  /** Bodies that moved, in slot order. None unless `moveEvents` is on. */
  get moved(): readonly MoveEvent[] {
    return this.list("moved", OFFSET.Events.moved, OFFSET.Events.movedCount, SIZE.MoveEvent, calls.readMoveEvent);
  }
}

/** Vertices of triangles (three each) and of lines (two each). A vertex is 12 bytes: x and y as
 *  floats, and a color 0xRRGGBBAA as uint32, so its bytes are A, B, G, R. Both arrays are views of
 *  the memory of WebAssembly, valid until the next call that changes the world. */
export interface Drawing {
  triangles: Float32Array;
  lines: Float32Array;
  triangleVertices: number;
  lineVertices: number;
  /** The force in N that a line of 1 m at a joint stands for. */
  forceScale: number;
}

// ---- worlds

export type MayCollide = (a: Shape, b: Shape) => boolean;
export type PreSolve = (contact: Contact) => PreSolveResult | undefined;
export type BeforeStep = (timeStep: number) => void;
export interface Callbacks { filter: MayCollide | null; preSolve: PreSolve | null; beforeStep: BeforeStep | null }

const worlds = new Map<number, World>(); // by key: the user pointer of the callbacks
let nextKey = 1;

export class World extends WorldCalls {
  pointer: number;
  /** @internal */
  lastEvents: Events | undefined;
  private readonly key = nextKey++;
  private readonly bodyRegistry = new Registry((handle, low, high) => new Body(this, handle, low, high));
  private readonly shapeRegistry = new Registry((handle, low, high) => new Shape(this, handle, low, high));
  private readonly jointRegistry = new Registry((handle, low, high) => new Joint(this, handle, low, high));
  private readonly tilesRegistry = new Registry((handle, low, high) => new Tiles(this, handle, low, high));
  private readonly rollbacks = new Set<Rollback>();
  private readonly user: Callbacks = { filter: null, preSolve: null, beforeStep: null };
  private sink: ((bytes: Uint8Array) => boolean | void) | undefined;
  private recorded: Uint8Array[] = [];
  private poseBuffer = 0;
  private poseCapacity = 0;
  private poseView: Float32Array = new Float32Array(0);

  /** Creates a world. Its memory is freed by {@link destroy} only. */
  constructor(def?: WorldDef);
  /** @internal */
  constructor(def: WorldDef, create: (world: World) => number, owner?: Replay);
  constructor(def: WorldDef = {}, create: (world: World) => number = () => calls.cn_world_create(frame), private readonly owner?: Replay) {
    super();
    calls.writeWorldDef(frame, def);
    this.pointer = create(this);
    check(this.pointer);
    worlds.set(this.key, this);
  }

  /** Creates a world in the state of bytes from {@link save}. Of the definition it uses `profile` and
   *  `moveEvents`; all else comes from the bytes. Give it the callbacks of the world that was saved. */
  static load(bytes: Uint8Array, def: WorldDef = {}, user: Partial<Callbacks> = {}): World {
    const mark = hold();
    try {
      return new World(def, world => {
        world.writeCallbacks(frame + SIZE.WorldDef, Object.assign(world.user, user));
        return calls.cn_world_load(frame, frame + SIZE.WorldDef, holdBytes(bytes), bytes.length);
      });
    } finally {
      release(mark);
    }
  }

  /** Advances many worlds by the same time. If a world fails, the others are stepped anyway.
   *  Then the exception has the kind of error of each world in `worlds`, "none" if it was stepped. */
  static stepAll(list: readonly World[], dt: number): void {
    const mark = hold();
    try {
      list.forEach(world => world.begin());
      const first = holdArray(list, 4, (p, world) => { u32[p >> 2] = world.pointer; });
      const errors = holdSpace(4 * list.length);
      const count = calls.cn_worlds_step(first, list.length, dt, errors);
      try {
        check(+(count === list.length));
        done();
      } catch (error) {
        if (error instanceof CairnError)
          error.worlds = listOf(list.length, i => errorKindValues[u32[(errors >> 2) + i]]);
        throw error;
      }
    } finally {
      release(mark);
    }
  }

  /** Destroys the world and all that is in it. After that every call on it throws. */
  destroy(): void {
    if (this.owner) throw new CairnError("state", "the world of a replay is destroyed with the replay");
    calls.cn_world_destroy(this.pointer);
    done();
    for (const rollback of this.rollbacks) rollback.destroy();
    this.forget();
  }
  /** @internal */
  forget(): void {
    free(this.poseBuffer);
    worlds.delete(this.key);
    this.pointer = this.poseBuffer = this.poseCapacity = 0;
    this.poseView = new Float32Array(0);
    this.lastEvents = undefined;
  }
  [Symbol.dispose](): void {
    if (this.pointer !== 0) this.destroy();
  }

  // ---- handles

  private handleOf(object: { readonly world: World; readonly handle: bigint }, isOne: boolean, kind: string): bigint {
    if (!isOne) throw new CairnError("handle", `the object is not a ${kind}`);
    if (object.world !== this) throw new CairnError("handle", `the ${kind} belongs to another world`);
    return object.handle;
  }
  /** @internal */
  handleOfBody(object: Body): bigint { return this.handleOf(object, object instanceof Body, "body"); }
  /** @internal */
  handleOfShape(object: Shape): bigint { return this.handleOf(object, object instanceof Shape, "shape"); }
  /** @internal */
  handleOfJoint(object: Joint): bigint { return this.handleOf(object, object instanceof Joint, "joint"); }
  /** @internal */
  handleOfTiles(object: Tiles): bigint { return this.handleOf(object, object instanceof Tiles, "grid of tiles"); }
  /** @internal */
  atBody(p: number): Body | null { return this.bodyRegistry.at(p); }
  /** @internal */
  atShape(p: number): Shape | null { return this.shapeRegistry.at(p); }
  /** @internal */
  atJoint(p: number): Joint | null { return this.jointRegistry.at(p); }
  /** @internal */
  atTiles(p: number): Tiles | null { return this.tilesRegistry.at(p); }
  /** @internal */
  ofBody(handle: bigint): Body | null { return this.bodyRegistry.of(handle); }
  /** @internal */
  ofShape(handle: bigint): Shape | null { return this.shapeRegistry.of(handle); }
  /** @internal */
  ofJoint(handle: bigint): Joint | null { return this.jointRegistry.of(handle); }
  /** @internal */
  ofTiles(handle: bigint): Tiles | null { return this.tilesRegistry.of(handle); }
  /** @internal */
  atChain(p: number): Chain | null {
    const body = this.atBody(p), id = u64[(p + 8) >> 3];
    if (!body) return null;
    return body.chainOf(id);
  }
  /** @internal */
  next<T>(of: (handle: bigint) => T | null, handle: bigint): T | null {
    done();
    return of.call(this, handle);
  }
  /** @internal */
  holdAccept(p: number, accept: (side: Side) => boolean): void {
    u32[p >> 2] = callbacks.accept;
    u32[(p + 4) >> 2] = holdAcceptor(side => accept(calls.readSide(side, this)));
  }

  // ---- objects

  /** Creates a body without shapes. */
  body(def: BodyDef & WithData<"body"> = {}): Body {
    calls.writeBodyDef(frame, def);
    const handle = calls.cn_body_create(this.pointer, frame);
    check(handle);
    const body = this.bodyRegistry.of(handle)!;
    body.data = def.data;
    return body;
  }
  /** Creates a joint, for example `world.joint(revolute(a, b, [x, y]), { angle: { motor: true, speed: 3 } })`.
   *  The second argument changes the definition. A coordinate in it changes only its given
   *  fields. */
  joint(def: JointDefLike, change: Partial<JointDefLike> & WithData<"joint"> = {}): Joint {
    const merged = { ...def, ...change };
    for (const axis of ["x", "y", "angle"] as const)
      if (change[axis] && def[axis]) merged[axis] = { ...def[axis], ...change[axis] } satisfies CoordinateLike;
    calls.writeJointDef(frame, merged, this);
    const handle = calls.cn_joint_create(this.pointer, frame);
    check(handle);
    const joint = this.jointRegistry.of(handle)!;
    joint.data = change.data;
    return joint;
  }
  /** The bodies in slot order. The loop may destroy any of them. */
  get bodies(): Iterable<Body> {
    return iterate(previous => this.next(this.ofBody, calls.cn_world_next_body(this.pointer, previous)));
  }
  get shapes(): Iterable<Shape> {
    return iterate(previous => this.next(this.ofShape, calls.cn_world_next_shape(this.pointer, previous)));
  }
  get joints(): Iterable<Joint> {
    return iterate(previous => this.next(this.ofJoint, calls.cn_world_next_joint(this.pointer, previous)));
  }

  // ---- steps

  /** @internal */
  begin(): void {
    this.lastEvents = undefined;
    this.bodyRegistry.age();
    this.shapeRegistry.age();
    this.jointRegistry.age();
    this.tilesRegistry.age();
  }
  /** Advances the world by dt seconds, 0..1. If a callback throws, the step is completed, and its
   *  exception comes out of this call. */
  step(dt: number): void {
    this.begin();
    check(calls.cn_world_step(this.pointer, dt));
    done();
  }
  /** Advances the world by the seconds of a frame, in whole steps of `timeStep`, and keeps the rest
   *  for the next call. Returns the number of steps taken, at most `maxSteps`. */
  advance(seconds: number): number {
    this.begin();
    const steps = calls.cn_world_advance(this.pointer, seconds);
    done();
    return steps;
  }
  get events(): Events {
    return this.lastEvents ??= new Events(this);
  }

  // ---- callbacks

  private writeCallbacks(p: number, user: Callbacks): void {
    const at = OFFSET.Callbacks;
    u32[(p + at.filter) >> 2] = user.filter ? callbacks.filter : 0;
    u32[(p + at.preSolve) >> 2] = user.preSolve ? callbacks.preSolve : 0;
    u32[(p + at.beforeStep) >> 2] = user.beforeStep ? callbacks.beforeStep : 0;
    u32[(p + at.user) >> 2] = this.key;
  }
  private setCallbacks(change: Partial<Callbacks>): void {
    const user = { ...this.user, ...change };
    this.writeCallbacks(frame, user);
    check(calls.cn_world_set_callbacks(this.pointer, frame));
    Object.assign(this.user, user);
  }
  /** Returns whether two shapes may collide at all. Runs within a step, so it may only read the
   *  world. Its answer must not change from step to step. */
  get filter(): MayCollide | null { return this.user.filter; }
  set filter(filter: MayCollide | null) { this.setCallbacks({ filter }); }
  /** Returns what a touching contact does in this step; undefined: it acts as usual. Runs within a
   *  step, so it may only read the world. */
  get preSolve(): PreSolve | null { return this.user.preSolve; }
  set preSolve(preSolve: PreSolve | null) { this.setCallbacks({ preSolve }); }
  /** Runs before each step of {@link advance}, for values that are set in every step. It may change
   *  the world, but not step, restore or destroy it. */
  get beforeStep(): BeforeStep | null { return this.user.beforeStep; }
  set beforeStep(beforeStep: BeforeStep | null) { this.setCallbacks({ beforeStep }); }

  // ---- bulk reads

  /** The poses of all bodies by slot. A pose is x, y, cosine and sine, and that of a body begins at
   *  `4 * body.index`. A view of the memory of WebAssembly: read it before the next call. */
  poses(drawn = false): Float32Array {
    let count = calls.cn_world_poses(this.pointer, this.poseBuffer, this.poseCapacity, +drawn);
    if (count > this.poseCapacity) {
      free(this.poseBuffer);
      this.poseBuffer = this.poseCapacity = 0;
      const capacity = count + (count >> 1);
      this.poseBuffer = allocate(SIZE.Body * 2 * capacity);
      this.poseCapacity = capacity;
      count = calls.cn_world_poses(this.pointer, this.poseBuffer, capacity, +drawn);
    }
    done();
    const view = this.poseView;
    if (view.length === 4 * count && view.buffer === f32.buffer && view.byteOffset === this.poseBuffer) return view;
    return this.poseView = f32.subarray(this.poseBuffer >> 2, (this.poseBuffer >> 2) + 4 * count);
  }
  /** A drawing for debugging; `flags` is a sum of values of {@link DrawFlags}. */
  draw(flags: number = calls.DrawFlags.all): Drawing {
    check(calls.cn_world_draw(this.pointer, flags, frame));
    const at = OFFSET.Drawing;
    const view = (first: number, count: number) =>
      f32.subarray(u32[(frame + first) >> 2] >> 2, (u32[(frame + first) >> 2] >> 2) + 3 * i32[(frame + count) >> 2]);
    return {
      triangles: view(at.triangles, at.triangleVertices), lines: view(at.lines, at.lineVertices),
      triangleVertices: i32[(frame + at.triangleVertices) >> 2], lineVertices: i32[(frame + at.lineVertices) >> 2],
      forceScale: f32[(frame + at.forceScale) >> 2],
    };
  }

  // ---- states and recordings

  /** The state as bytes. "moving": without static bodies, only for a world that still has them. */
  save(parts: SaveParts = "all"): Uint8Array {
    const index = calls.savePartsValues.indexOf(parts);
    return collectBytes((p, capacity) => calls.cn_world_save(this.pointer, index, p, capacity));
  }
  /** Sets the world to the state in bytes from {@link save}. The bytes are checked first. */
  restore(bytes: Uint8Array): void {
    const mark = hold();
    try {
      check(calls.cn_world_restore(this.pointer, holdBytes(bytes), bytes.length));
      this.lastEvents = undefined;
    } finally {
      release(mark);
    }
  }
  /** A ring buffer for the last `frames` states of this world. */
  rollback(frames: number): Rollback {
    const rollback = new Rollback(this, frames, ended => this.rollbacks.delete(ended));
    this.rollbacks.add(rollback);
    return rollback;
  }
  /** Begins to record all calls that change the world. `write` gets the bytes, which are valid in
   *  this call only, and may return false if it failed. Without it {@link endRecording} returns the
   *  bytes. */
  record(write?: (bytes: Uint8Array) => boolean | void): void {
    const chunks: Uint8Array[] = [];
    const before = this.sink;
    this.sink = write ?? (bytes => void chunks.push(bytes.slice()));
    u32[(frame + OFFSET.RecordingSink.write) >> 2] = callbacks.write;
    u32[(frame + OFFSET.RecordingSink.user) >> 2] = this.key;
    try {
      check(calls.cn_recording_begin(this.pointer, frame));
      this.recorded = chunks;
    } catch (error) {
      this.sink = before;
      throw error;
    }
  }
  /** Ends the recording. Returns its bytes if {@link record} got no function. */
  endRecording(): Uint8Array {
    check(calls.cn_recording_end(this.pointer));
    return join(this.recorded.splice(0));
  }
  /** @internal */
  static handle = {
    filter: (world: World, a: bigint, b: bigint) =>
      guard(1, () => +!!world.user.filter!(world.ofShape(a)!, world.ofShape(b)!)),
    preSolve: (world: World, result: number, contact: number) => {
      u8.fill(0, result, result + SIZE.PreSolveResult);
      guard(undefined, () => {
        const answer = world.user.preSolve!(calls.readContact(contact, world));
        if (answer) calls.writePreSolveResult(result, answer);
      });
    },
    beforeStep: (world: World, timeStep: number) => {
      world.lastEvents = undefined; // each step has its own
      guard(undefined, () => world.user.beforeStep!(timeStep));
      world.lastEvents = undefined;
    },
    write: (world: World, bytes: number, size: number) =>
      guard(0, () => +(world.sink!(u8.subarray(bytes, bytes + size)) !== false)),
  };
}

handlers.filter = (_world, a, b, user) => World.handle.filter(worlds.get(user)!, a, b);
handlers.preSolve = (result, _world, contact, user) => World.handle.preSolve(worlds.get(user)!, result, contact);
handlers.beforeStep = (_world, timeStep, user) => World.handle.beforeStep(worlds.get(user)!, timeStep);
handlers.write = (bytes, size, user) => World.handle.write(worlds.get(user)!, bytes, size);

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let size = 0;
  for (const part of parts) {
    bytes.set(part, size);
    size += part.length;
  }
  return bytes;
}

export class Rollback extends RollbackCalls {
  pointer: number;
  /** @internal */
  constructor(readonly world: World, frames: number, private readonly ended: (rollback: Rollback) => void) {
    super();
    this.pointer = calls.cn_rollback_create(world.pointer, frames);
    check(this.pointer);
  }
  /** Sets the world to a kept state. All kept states stay. */
  rewind(number: number): void {
    check(calls.cn_rollback_rewind(this.pointer, number));
    this.world.lastEvents = undefined;
  }
  /** Frees the states. Destroying the world does the same. */
  destroy(): void {
    calls.cn_rollback_destroy(this.pointer);
    this.pointer = 0;
    this.ended(this);
  }
  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** A replay of a recording, in a world of its own. You have to destroy it, as a world. */
export class Replay extends ReplayCalls {
  pointer: number;
  /** The world of the replay. Only read it, or it differs from the recording. */
  readonly world: World;
  private bytes: number;
  constructor(recording: Uint8Array, def: WorldDef = {}) {
    super();
    this.bytes = allocate(recording.length);
    u8.set(recording, this.bytes);
    try {
      calls.writeWorldDef(frame, def);
      this.pointer = calls.cn_replay_create(frame, this.bytes, recording.length);
      check(this.pointer);
    } catch (error) {
      free(this.bytes);
      throw error;
    }
    this.world = new World({}, () => calls.cn_replay_world(this.pointer), this);
  }
  override next(): void {
    this.world.begin();
    super.next();
  }
  override seek(step: number): void {
    this.world.begin();
    super.seek(step);
  }
  /** The remaining calls as a new recording that begins with the current state. */
  rest(): Uint8Array {
    return collectBytes((p, capacity) => calls.cn_replay_rest(this.pointer, p, capacity));
  }
  /** Destroys the replay with its world. */
  destroy(): void {
    calls.cn_replay_destroy(this.pointer);
    if (this.pointer !== 0) this.world.forget();
    free(this.bytes);
    this.pointer = this.bytes = 0;
  }
  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** A copy of a recording without the calls whose value in `kept` is 0 or false. */
export function cutRecording(recording: Uint8Array, kept: ArrayLike<number | boolean>): Uint8Array {
  const mark = hold();
  try {
    const bytes = holdBytes(recording), keeps = holdBytes(kept);
    return collectBytes((p, capacity) =>
      calls.cn_recording_cut(bytes, recording.length, keeps, kept.length, p, capacity));
  } finally {
    release(mark);
  }
}

// The names of classes, which a console prints, are minified in the package.
const classes = { Body, CairnError, Chain, Events, Hull: calls.Hull, Joint, Replay, Rollback, Shape, Tiles, World };
for (const [name, type] of Object.entries(classes)) Object.defineProperty(type, "name", { value: name });
