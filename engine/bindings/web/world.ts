/* The objects of a program: worlds and what is in them.
 *
 * There is one JavaScript object for each object of a world, so `===` compares them, and `data` may
 * hold any value. A registry finds the object of a handle by its slot. An object whose slot is used
 * again stays in the registry for the events of two steps, and after that as long as the program
 * refers to it, because events and restored states may name it again. */
import * as calls from "./calls.js";
import {
  BodyCalls, ChainCalls, GridCalls, JointCalls, OFFSET, ReplayCalls, RollbackCalls, ShapeCalls, SIZE, WorldCalls,
  errorKindValues,
} from "./calls.js";
import type {
  BodyDef, BodyEvent, ChainDef, ContactLike, Contact, CoordinateLike, ErrorKind, GridDef, HitEvent, Hull, JointDef,
  JointDefLike, JointEvent, MoveEvent, PreSolveResult, SaveParts, SensorEvent, ShapeDef, Side, TouchEvent, WorldDef,
} from "./calls.js";
import {
  CairnError, allocate, check, checkFields, collectBytes, done, f32, fieldSet, frame, free, guard, hold, holdAcceptor,
  holdArray, holdBytes, holdSpace, i32, listOf, release, stepped, u32, u64, u8,
} from "./wasm.js";
import { callbacks, handlers } from "./module.js";
import type { Vec2, Vec2Like } from "./wasm.js";

/** The types of `data` in worlds that do not name them. They are unknown, unless you augment it:
 *  `declare module "cairn2d" { interface Data { body: Sprite } }` */
export interface Data {}
type DataOf<K extends string, D> = (D extends { [key in K]: infer T } ? T : unknown) | undefined;

/** What the user may add to a definition. */
export interface WithData<K extends string, D = Data> {
  /** Any value of yours. It belongs to the JavaScript object and is not saved. */
  data?: DataOf<K, D>;
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

export class Body<D = Data> extends BodyCalls<D> {
  data: DataOf<"body", D>;
  /** @internal */
  constructor(readonly world: World<D>, readonly handle: bigint, readonly low: number, readonly high: number) {
    super();
    Object.preventExtensions(this);
  }
  /** The slot: the pose of this body begins at `4 * slot` in {@link World.poses}. */
  get slot(): number {
    return this.low & 0xffffff;
  }
  /** Adds a shape and returns it. Updates the mass of the body. */
  createShape(hull: Hull, def: Omit<ShapeDef, "hull"> & WithData<"shape", D> = {}): Shape<D> {
    calls.writeShapeDef(frame, def);
    calls.writeHull(frame, hull);
    const handle = calls.cn_shape_create(this.world.pointer, this.handle, frame);
    check(handle);
    const shape = this.world.ofShape(handle)!;
    shape.data = def.data;
    return shape;
  }
  /** Adds a chain of segments, solid on the left when going from point to point. */
  createChain(points: readonly Vec2Like[], def: Omit<ChainDef, "points"> & WithData<"chain", D> = {}): Chain<D> {
    const mark = hold();
    try {
      calls.writeChainDef(frame, { ...def, points });
      const handle = calls.cn_chain_create(this.world.pointer, this.handle, frame);
      check(handle);
      const chain = this.world.ofChain(handle)!;
      chain.data = def.data;
      return chain;
    } finally {
      release(mark);
    }
  }
  /** Adds a grid of tiles to a static body. */
  createGrid(def: GridDef & WithData<"grid", D>): Grid<D> {
    const mark = hold();
    try {
      calls.writeGridDef(frame, def);
      const handle = calls.cn_grid_create(this.world.pointer, this.handle, frame);
      check(handle);
      const grid = this.world.ofGrid(handle)!;
      grid.data = def.data;
      return grid;
    } finally {
      release(mark);
    }
  }
  /** The shapes in the order of their creation. */
  get shapes(): Iterable<Shape<D>> {
    const { world, handle } = this;
    return iterate(previous => world.next(world.ofShape, calls.cn_body_next_shape(world.pointer, handle, previous)));
  }
  get joints(): Iterable<Joint<D>> {
    const { world, handle } = this;
    return iterate(previous => world.next(world.ofJoint, calls.cn_body_next_joint(world.pointer, handle, previous)));
  }
  /** The chains in the order of their creation. */
  get chains(): Iterable<Chain<D>> {
    const { world, handle } = this;
    return iterate(previous => world.next(world.ofChain, calls.cn_body_next_chain(world.pointer, handle, previous)));
  }
  /** The angle in radians, -pi..pi. Set: turns the body about its origin, see {@link pose}. */
  override get angle(): number {
    return super.angle;
  }
  override set angle(angle: number) {
    this.pose = { position: super.position, angle };
  }
  /** Destroys the body with its shapes, chains, joints and grids. Wakes its neighbours. */
  destroy(): void {
    check(calls.cn_body_destroy(this.world.pointer, this.handle));
  }
}

/** A shape of a new body: a hull, or a definition. */
export type ShapeLike<D = Data> = Hull | ShapeDef & { hull: Hull } & WithData<"shape", D>;

export class Shape<D = Data> extends ShapeCalls<D> {
  data: DataOf<"shape", D>;
  /** @internal */
  constructor(readonly world: World<D>, readonly handle: bigint, readonly low: number, readonly high: number) {
    super();
    Object.preventExtensions(this);
  }
  /** The slot: see {@link World.shapeInSlot}. */
  get slot(): number {
    return this.low & 0xffffff;
  }
  /** Destroys the shape and updates the mass of the body. Wakes. */
  destroy(): void {
    check(calls.cn_shape_destroy(this.world.pointer, this.handle));
  }
}

export class Joint<D = Data> extends JointCalls<D> {
  data: DataOf<"joint", D>;
  /** @internal */
  constructor(readonly world: World<D>, readonly handle: bigint, readonly low: number, readonly high: number) {
    super();
    Object.preventExtensions(this);
  }
  /** The slot: see {@link World.jointInSlot}. */
  get slot(): number {
    return this.low & 0xffffff;
  }
  /** Destroys the joint and wakes both bodies. */
  destroy(): void {
    check(calls.cn_joint_destroy(this.world.pointer, this.handle));
  }
}

export class Grid<D = Data> extends GridCalls<D> {
  data: DataOf<"grid", D>;
  /** @internal */
  constructor(readonly world: World<D>, readonly handle: bigint, readonly low: number, readonly high: number) {
    super();
    Object.preventExtensions(this);
  }
  /** The slot: see {@link World.gridInSlot}. */
  get slot(): number {
    return this.low & 0xffffff;
  }
  /** Destroys the grid and wakes the bodies that sleep there. */
  destroy(): void {
    check(calls.cn_grid_destroy(this.world.pointer, this.handle));
  }
}

export class Chain<D = Data> extends ChainCalls<D> {
  data: DataOf<"chain", D>;
  /** @internal */
  constructor(readonly world: World<D>, readonly handle: bigint, readonly low: number, readonly high: number) {
    super();
    Object.preventExtensions(this);
  }
  /** The slot: see {@link World.chainInSlot}. */
  get slot(): number {
    return this.low & 0xffffff;
  }
  /** The shapes of the segments that are left, in order. */
  get segments(): Iterable<Shape<D>> {
    const { world, handle } = this;
    return iterate(previous => world.next(world.ofShape, calls.cn_chain_next_segment(world.pointer, handle, previous)));
  }
  /** Destroys all segments that are left. Wakes. */
  destroy(): void {
    check(calls.cn_chain_destroy(this.world.pointer, this.handle));
  }
}

// ---- events

/** The events of the last step, and of the calls between it and the step before. Read them before
 *  the next step: an array that was not read by then cannot be read any more. */
export class Events<D = Data> {
  private readonly lists: Partial<Record<string, readonly unknown[]>> = {};
  private readonly head: Int32Array;
  /** @internal */
  constructor(private readonly world: World<D>) {
    calls.cn_world_events(frame, world.pointer);
    done();
    this.head = i32.slice(frame >> 2, (frame + SIZE.Events) >> 2);
    Object.preventExtensions(this);
  }
  private list<T>(name: string, array: number, count: number, size: number, read: (p: number, world: World<D>) => T): readonly T[] {
    const known = this.lists[name] as readonly T[] | undefined;
    if (known) return known;
    if (this.world.lastEvents !== this) throw new CairnError("state", `the events of an earlier step cannot be read any more; read ${name} before the next step`);
    const first = this.head[array >> 2];
    return this.lists[name] = listOf(this.head[count >> 2], i => read(first + i * size, this.world));
  }
  /** @internal */
  text(): string {
    const counts = (["begin", "end", "hit", "body", "broken", "sensorBegin", "sensorEnd", "moved"] as const)
      .map(kind => [this.head[OFFSET.Events[`${kind}Count`] >> 2], kind] as const).filter(([count]) => count > 0);
    return `Events(${counts.map(([count, kind]) => `${count} ${kind}`).join(", ") || "none"})`;
  }
  get begins(): readonly TouchEvent<D>[] {
    return this.list("begins", OFFSET.Events.begins, OFFSET.Events.beginCount, SIZE.TouchEvent, calls.readTouchEvent);
  }
  get ends(): readonly TouchEvent<D>[] {
    return this.list("ends", OFFSET.Events.ends, OFFSET.Events.endCount, SIZE.TouchEvent, calls.readTouchEvent);
  }
  /** Hits of shapes with `hitEvents`. */
  get hits(): readonly HitEvent<D>[] {
    return this.list("hits", OFFSET.Events.hits, OFFSET.Events.hitCount, SIZE.HitEvent, calls.readHitEvent);
  }
  get bodies(): readonly BodyEvent<D>[] {
    return this.list("bodies", OFFSET.Events.bodies, OFFSET.Events.bodyCount, SIZE.BodyEvent, calls.readBodyEvent);
  }
  /** Joints that broke. */
  get broken(): readonly JointEvent<D>[] {
    return this.list("broken", OFFSET.Events.broken, OFFSET.Events.brokenCount, SIZE.JointEvent, calls.readJointEvent);
  }
  get sensorBegins(): readonly SensorEvent<D>[] {
    return this.list("sensorBegins", OFFSET.Events.sensorBegins, OFFSET.Events.sensorBeginCount, SIZE.SensorEvent, calls.readSensorEvent);
  }
  get sensorEnds(): readonly SensorEvent<D>[] {
    return this.list("sensorEnds", OFFSET.Events.sensorEnds, OFFSET.Events.sensorEndCount, SIZE.SensorEvent, calls.readSensorEvent);
  }
  /** Bodies that moved, in slot order. None unless `moveEvents` is on. */
  get moved(): readonly MoveEvent<D>[] {
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

// As methods, so that a World<D> is a World, too.
export type MayCollide<D = Data> = { call(a: Shape<D>, b: Shape<D>): boolean }["call"];
export type PreSolve<D = Data> = { call(contact: Contact<D>): PreSolveResult | undefined }["call"];
export type BeforeStep = (timeStep: number) => void;
const callbackFields = fieldSet("filter preSolve beforeStep");
export interface Callbacks<D = Data> { filter: MayCollide<D> | null; preSolve: PreSolve<D> | null; beforeStep: BeforeStep | null }

const worlds = new Map<number, World<unknown>>(); // by key: the user pointer of the callbacks
let nextKey = 1;

export class World<D = Data> extends WorldCalls<D> {
  pointer: number;
  /** @internal */
  lastEvents: Events<D> | undefined;
  private readonly key = nextKey++;
  private readonly bodyRegistry = new Registry((handle, low, high) => new Body<D>(this, handle, low, high));
  private readonly shapeRegistry = new Registry((handle, low, high) => new Shape<D>(this, handle, low, high));
  private readonly jointRegistry = new Registry((handle, low, high) => new Joint<D>(this, handle, low, high));
  private readonly gridRegistry = new Registry((handle, low, high) => new Grid<D>(this, handle, low, high));
  private readonly chainRegistry = new Registry((handle, low, high) => new Chain<D>(this, handle, low, high));
  private readonly rollbacks = new Set<Rollback<D>>();
  private readonly user: Callbacks<D> = { filter: null, preSolve: null, beforeStep: null };
  private sink: ((bytes: Uint8Array) => boolean | void) | undefined;
  private recorded: Uint8Array[] = [];
  private poseBuffer = 0;
  private poseCapacity = 0;
  private poseView: Float32Array = new Float32Array(0);

  /** Creates a world. Its memory is freed by {@link destroy} only. */
  constructor(def?: WorldDef);
  /** @internal */
  constructor(def: WorldDef, create: (world: World<D>) => number, owner?: Replay<D>);
  constructor(def: WorldDef = {}, create: (world: World<D>) => number = () => calls.cn_world_create(frame), private readonly owner?: Replay<D>) {
    super();
    calls.writeWorldDef(frame, def);
    this.pointer = create(this);
    check(this.pointer);
    worlds.set(this.key, this as World<unknown>);
    if (new.target === World) Object.preventExtensions(this); // a class of the user adds fields
  }

  /** Creates a world in the state of bytes from {@link save}. Of the definition it uses `profiling` and
   *  `moveEvents`; all else comes from the bytes. Give it the callbacks of the world that was saved. */
  static load<D = Data>(bytes: Uint8Array, def: WorldDef = {}, user: Partial<Callbacks<D>> = {}): World<D> {
    const mark = hold();
    checkFields("Callbacks", user, callbackFields);
    try {
      const held = holdBytes(bytes); // starts the module, which knows the addresses of the callbacks
      return new World<D>(def, world => {
        world.writeCallbacks(frame + SIZE.WorldDef, Object.assign(world.user, user));
        return calls.cn_world_load(frame, frame + SIZE.WorldDef, held, bytes.length);
      });
    } finally {
      release(mark);
    }
  }

  /** Destroys the world and all that is in it. After that every call on it throws, except that
   *  {@link endRecording} still returns a recording that was not ended. */
  destroy(): void {
    if (this.owner) throw new CairnError("state", "the world of a replay is destroyed with the replay");
    calls.cn_world_destroy(this.pointer); // ends a recording, too
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

  private handleOf(object: { readonly world: World<D>; readonly handle: bigint }, isOne: boolean, kind: string): bigint {
    if (!isOne) throw new CairnError("handle", `the object is not a ${kind}`);
    if (object.world !== this) throw new CairnError("handle", `the ${kind} belongs to another world`);
    return object.handle;
  }
  /** @internal */
  handleOfBody(object: Body<D>): bigint { return this.handleOf(object, object instanceof Body, "body"); }
  /** @internal */
  handleOfShape(object: Shape<D>): bigint { return this.handleOf(object, object instanceof Shape, "shape"); }
  /** @internal */
  handleOfJoint(object: Joint<D>): bigint { return this.handleOf(object, object instanceof Joint, "joint"); }
  /** @internal */
  handleOfGrid(object: Grid<D>): bigint { return this.handleOf(object, object instanceof Grid, "grid"); }
  /** @internal */
  handleOfChain(object: Chain<D>): bigint { return this.handleOf(object, object instanceof Chain, "chain"); }
  /** @internal */
  atBody(p: number): Body<D> | null { return this.bodyRegistry.at(p); }
  /** @internal */
  atShape(p: number): Shape<D> | null { return this.shapeRegistry.at(p); }
  /** @internal */
  atJoint(p: number): Joint<D> | null { return this.jointRegistry.at(p); }
  /** @internal */
  atGrid(p: number): Grid<D> | null { return this.gridRegistry.at(p); }
  /** @internal */
  ofBody(handle: bigint): Body<D> | null { return this.bodyRegistry.of(handle); }
  /** @internal */
  ofShape(handle: bigint): Shape<D> | null { return this.shapeRegistry.of(handle); }
  /** @internal */
  ofJoint(handle: bigint): Joint<D> | null { return this.jointRegistry.of(handle); }
  /** @internal */
  ofGrid(handle: bigint): Grid<D> | null { return this.gridRegistry.of(handle); }
  /** @internal */
  atChain(p: number): Chain<D> | null { return this.chainRegistry.at(p); }
  /** @internal */
  ofChain(handle: bigint): Chain<D> | null { return this.chainRegistry.of(handle); }
  /** @internal */
  next<T>(of: (handle: bigint) => T | null, handle: bigint): T | null {
    done();
    return of.call(this, handle);
  }
  /** @internal */
  holdAccept(p: number, accept: (side: Side<D>) => boolean): void {
    u32[p >> 2] = callbacks.accept;
    u32[(p + 4) >> 2] = holdAcceptor(side => accept(calls.readSide(side, this)));
  }

  // ---- objects

  /** Creates a body. A shape of `shapes` is a hull, or a definition: `{ hull: box(1, 1), density: 2 }`. */
  createBody(def: Omit<BodyDef, "shapes"> & { shapes?: readonly ShapeLike<D>[] } & WithData<"body", D> = {}): Body<D> {
    const shapes = def.shapes?.length ? def.shapes.map(shape => shape instanceof calls.Hull ? { hull: shape } : shape) : undefined;
    const mark = hold();
    try {
      calls.writeBodyDef(frame, { ...def, shapes } as BodyDef);
      const handle = calls.cn_body_create(this.pointer, frame);
      check(handle);
      const body = this.bodyRegistry.of(handle)!;
      body.data = def.data;
      if (shapes?.some(shape => shape.data !== undefined)) {
        let i = 0;
        for (const shape of body.shapes) shape.data = shapes[i++]!.data;
      }
      return body;
    } finally {
      release(mark);
    }
  }
  /** Creates a joint, for example
   *  `world.createJoint(revoluteJoint(a, b, [x, y]), { angle: { motor: true, motorSpeed: 3 } })`. The second
   *  argument changes the definition. A coordinate in it changes only its given fields. */
  createJoint(def: JointDefLike<D> & WithData<"joint", D>, change: Partial<JointDefLike<D>> & WithData<"joint", D> = {}): Joint<D> {
    const merged = { ...def, ...change };
    for (const axis of ["x", "y", "angle"] as const)
      if (change[axis] && def[axis]) merged[axis] = { ...def[axis], ...change[axis] } satisfies CoordinateLike;
    calls.writeJointDef(frame, merged, this);
    const handle = calls.cn_joint_create(this.pointer, frame);
    check(handle);
    const joint = this.jointRegistry.of(handle)!;
    joint.data = merged.data;
    return joint;
  }
  /** The bodies in slot order. The loop may destroy any of them. */
  get bodies(): Iterable<Body<D>> {
    return iterate(previous => this.next(this.ofBody, calls.cn_world_next_body(this.pointer, previous)));
  }
  get shapes(): Iterable<Shape<D>> {
    return iterate(previous => this.next(this.ofShape, calls.cn_world_next_shape(this.pointer, previous)));
  }
  get joints(): Iterable<Joint<D>> {
    return iterate(previous => this.next(this.ofJoint, calls.cn_world_next_joint(this.pointer, previous)));
  }
  get chains(): Iterable<Chain<D>> {
    return iterate(previous => this.next(this.ofChain, calls.cn_world_next_chain(this.pointer, previous)));
  }

  // ---- steps

  /** @internal */
  begin(): void {
    this.lastEvents = undefined;
    this.bodyRegistry.age();
    this.shapeRegistry.age();
    this.jointRegistry.age();
    this.gridRegistry.age();
    this.chainRegistry.age();
  }
  /** Advances the world by dt seconds, 0..1. If a callback throws, the step is completed, and its
   *  exception comes out of this call. */
  step(dt: number): void {
    this.begin();
    stepped(!!calls.cn_world_step(this.pointer, dt));
  }
  /** Advances the world by the seconds of a frame, in whole steps of `timeStep`, and keeps the rest
   *  for the next call. Returns the number of steps taken, at most `maxSteps`. */
  advance(seconds: number): number {
    this.begin();
    const steps = calls.cn_world_advance(this.pointer, seconds);
    stepped(steps >= 0);
    return steps;
  }
  get events(): Events<D> {
    return this.lastEvents ??= new Events(this);
  }

  // ---- callbacks

  private writeCallbacks(p: number, user: Callbacks<D>): void {
    const at = OFFSET.Callbacks;
    u32[(p + at.filter) >> 2] = user.filter ? callbacks.filter : 0;
    u32[(p + at.preSolve) >> 2] = user.preSolve ? callbacks.preSolve : 0;
    u32[(p + at.beforeStep) >> 2] = user.beforeStep ? callbacks.beforeStep : 0;
    u32[(p + at.user) >> 2] = this.key;
  }
  private setCallbacks(change: Partial<Callbacks<D>>): void {
    const user = { ...this.user, ...change };
    this.writeCallbacks(frame, user);
    check(calls.cn_world_set_callbacks(this.pointer, frame));
    Object.assign(this.user, user);
  }
  /** All callbacks. Set: those that are left out are removed. */
  get callbacks(): Callbacks<D> { return { ...this.user }; }
  set callbacks(user: Partial<Callbacks<D>>) {
    checkFields("Callbacks", user, callbackFields);
    this.setCallbacks({ filter: null, preSolve: null, beforeStep: null, ...user });
  }
  /** Returns whether two shapes may collide at all, if one of them has `customFilter`. Runs within a
   *  step, so it may only read the world. Its answer must not change from step to step. */
  get filter(): MayCollide<D> | null { return this.user.filter; }
  set filter(filter: MayCollide<D> | null) { this.setCallbacks({ filter }); }
  /** Returns what a touching contact does in this step, if one of its shapes has `preSolve`;
   *  undefined: it acts as usual. Runs within a step, so it may only read the world. */
  get preSolve(): PreSolve<D> | null { return this.user.preSolve; }
  set preSolve(preSolve: PreSolve<D> | null) { this.setCallbacks({ preSolve }); }
  /** Runs before each step of {@link advance}, for values that are set in every step. It may change
   *  the world, but not step, restore or destroy it. */
  get beforeStep(): BeforeStep | null { return this.user.beforeStep; }
  set beforeStep(beforeStep: BeforeStep | null) { this.setCallbacks({ beforeStep }); }

  // ---- bulk reads

  /** The poses of all bodies by slot. A pose is x, y, cosine and sine, and that of a body begins at
   *  `4 * body.slot`. A view of the memory of WebAssembly: read it before the next call. */
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
  createRollback(frames: number): Rollback<D> {
    const rollback = new Rollback<D>(this, frames, ended => this.rollbacks.delete(ended));
    this.rollbacks.add(rollback);
    return rollback;
  }
  /** Begins to record all calls that change the world. `write` gets the bytes, which are valid in
   *  this call only, and may return false if it failed. Without it {@link endRecording} returns the
   *  bytes. */
  beginRecording(write?: (bytes: Uint8Array) => boolean | void): void {
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
  /** Ends the recording. Returns its bytes if {@link beginRecording} got no function. The end of the
   *  world ends the recording, too, and leaves its bytes here. */
  endRecording(): Uint8Array {
    if (this.pointer !== 0 || this.recorded.length === 0) check(calls.cn_recording_end(this.pointer));
    return join(this.recorded.splice(0));
  }
  /** @internal */
  static handle = {
    filter: (world: World<unknown>, a: bigint, b: bigint) =>
      guard(1, () => +!!world.user.filter!(world.ofShape(a)!, world.ofShape(b)!)),
    preSolve: (world: World<unknown>, result: number, contact: number) => {
      u8.fill(0, result, result + SIZE.PreSolveResult);
      guard(undefined, () => {
        const answer = world.user.preSolve!(calls.readContact(contact, world));
        if (answer !== undefined && answer !== null) calls.writePreSolveResult(result, answer);
      });
    },
    beforeStep: (world: World<unknown>, timeStep: number) => {
      world.lastEvents = undefined; // each step has its own
      guard(undefined, () => world.user.beforeStep!(timeStep));
      world.lastEvents = undefined;
    },
    write: (world: World<unknown>, bytes: number, size: number) =>
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

/** Advances many worlds by the same time. If a world fails, the others are stepped anyway. Then the
 *  exception has the kind of error of each world in `worlds`, "none" if it was stepped. */
export function worldsStep(list: readonly World<unknown>[], dt: number): void {
  const mark = hold();
  try {
    list.forEach(world => world.begin());
    const first = holdArray(list, 4, (p, world) => { u32[p >> 2] = world.pointer; });
    const errors = holdSpace(4 * list.length);
    const count = calls.cn_worlds_step(first, list.length, dt, errors);
    try {
      stepped(count === list.length);
    } catch (error) {
      if (error instanceof CairnError)
        error.worlds = listOf(list.length, i => errorKindValues[u32[(errors >> 2) + i]]);
      throw error;
    }
  } finally {
    release(mark);
  }
}

export class Rollback<D = Data> extends RollbackCalls<D> {
  pointer: number;
  /** @internal */
  constructor(readonly world: World<D>, frames: number, private readonly ended: (rollback: Rollback<D>) => void) {
    super();
    this.pointer = calls.cn_rollback_create(world.pointer, frames);
    check(this.pointer);
    Object.preventExtensions(this);
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
export class Replay<D = Data> extends ReplayCalls<D> {
  pointer: number;
  private bytes: number;
  private ownWorld: World<D> | undefined;
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
    if (new.target === Replay) Object.preventExtensions(this);
  }
  /** The world of the replay. Only read it, or it differs from the recording. */
  get world(): World<D> {
    return this.ownWorld ??= new World<D>({}, () => calls.cn_replay_world(this.pointer), this);
  }
  override next(): void {
    this.ownWorld?.begin();
    super.next();
  }
  override seek(step: number): void {
    this.ownWorld?.begin();
    super.seek(step);
  }
  /** The remaining calls as a new recording that begins with the current state. */
  rest(): Uint8Array {
    return collectBytes((p, capacity) => calls.cn_replay_rest(this.pointer, p, capacity));
  }
  /** Destroys the replay with its world. */
  destroy(): void {
    calls.cn_replay_destroy(this.pointer);
    if (this.pointer !== 0) this.ownWorld?.forget();
    free(this.bytes);
    this.pointer = this.bytes = 0;
  }
  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** A copy of a recording without the calls whose value in `kept` is 0 or false. */
export function recordingCut(recording: Uint8Array, kept: ArrayLike<number | boolean>): Uint8Array {
  const mark = hold();
  try {
    const bytes = holdBytes(recording), keeps = holdBytes(kept);
    return collectBytes((p, capacity) =>
      calls.cn_recording_cut(bytes, recording.length, keeps, kept.length, p, capacity));
  } finally {
    release(mark);
  }
}

// ---- texts

const at = ({ x, y }: Vec2) => `(${+x.toPrecision(7)}, ${+y.toPrecision(7)})`;

/** Objects of a class become this text in a console and in strings. */
function show<T>(type: { prototype: T }, text: (object: T) => string): void {
  function toString(this: T): string { return text(this); }
  for (const key of ["toString", Symbol.for("nodejs.util.inspect.custom")])
    Object.defineProperty(type.prototype, key, { value: toString, writable: true, configurable: true });
}
/** The same for an object of a world, which may be stale. */
function showObject<T extends { readonly world: World<unknown> }>(
  type: { prototype: T }, name: string, number: (object: T) => number, isValid: (object: T) => boolean, details: (object: T) => string,
): void {
  show(type, object => {
    let text = "";
    try {
      text = `, ${object.world.pointer !== 0 && isValid(object) ? details(object) : "stale"}`;
    } catch (error) { // stale, or a function that it needs was left out of the module
      if (error instanceof CairnError && error.kind === "handle") text = ", stale";
    }
    return `${name}(${number(object)}${text})`;
  });
}
const slot = (object: { readonly low: number }) => object.low & 0xffffff;
const valid = (object: { readonly valid: boolean }) => object.valid;
showObject(Body, "Body", slot, valid, body => `${body.type}, at ${at(body.position)}`);
showObject(Shape, "Shape", slot, valid, shape => `${shape.sensor ? "sensor, " : ""}of body ${slot(shape.body)}`);
showObject(Joint, "Joint", slot, valid, joint => `of bodies ${slot(joint.definition.a)} and ${slot(joint.definition.b)}`);
showObject(Grid, "Grid", slot, valid, grid => `${grid.width} x ${grid.height}, of body ${slot(grid.body)}`);
showObject(Chain, "Chain", slot, valid, chain => `of body ${slot(chain.body)}`);
show(World, world => {
  if (world.pointer === 0) return "World(destroyed)";
  const { bodies, shapes, joints, steps } = world.counters();
  return `World(${bodies} bodies, ${shapes} shapes, ${joints} joints, step ${steps})`;
});
show(Rollback, rollback => rollback.pointer === 0 ? "Rollback(destroyed)"
  : rollback.newest < 0 ? "Rollback(empty)" : `Rollback(${rollback.oldest} to ${rollback.newest})`);
show(Replay, replay => {
  if (replay.pointer === 0) return "Replay(destroyed)";
  const { call, calls: count, step, steps } = replay.at;
  return `Replay(call ${call} of ${count}, step ${step} of ${steps})`;
});
show(Events, events => events.text());
show(calls.Hull, hull => `Hull(${hull.vertices.map(at).join(", ")}; radius ${+hull.radius.toPrecision(7)})`);

// The names of classes, which a console prints, are minified in the package.
const classes = { Body, CairnError, Chain, Events, Grid, Hull: calls.Hull, Joint, Replay, Rollback, Shape, World };
for (const [name, type] of Object.entries(classes)) Object.defineProperty(type, "name", { value: name });
