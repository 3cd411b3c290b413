// Every function of api.json is called by an object of the binding or by a function of the package,
// which has the name that api.json gives it. Two functions are left to `raw`: cn_error_clear(),
// because errors are exceptions, and cn_world_callbacks(), which returns addresses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const api = JSON.parse(readFileSync(process.env.CAIRN_API, "utf8"));
const called = new Set();

// Counts the calls of the exports of the module.
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports);
    const exports = {};
    for (const [name, value] of Object.entries(this.exports))
      exports[name] = typeof value === "function" ? (...args) => (called.add(name), value(...args)) : value;
    return { exports };
  }
};
const cairn = await import(`file://${process.env.CAIRN_PACKAGE}/index.js`);
cairn.raw.cn_version(); // starts the module
WebAssembly.Instance = Instance;
const { World, Replay, CairnError } = cairn;

function readAll(object) {
  for (let p = Object.getPrototypeOf(object); p !== Object.prototype; p = Object.getPrototypeOf(p))
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(p)))
      if (get) assert.doesNotThrow(() => object[name], name);
}
// Sets every property to its own value.
function writeAll(object, except = []) {
  for (let p = Object.getPrototypeOf(object); p !== Object.prototype; p = Object.getPrototypeOf(p))
    for (const [name, { set }] of Object.entries(Object.getOwnPropertyDescriptors(p)))
      if (set && !except.includes(name)) assert.doesNotThrow(() => { object[name] = object[name]; }, name);
}

test("plain values", () => {
  const pose = cairn.poseAt([3, 1], 0.5), hull = cairn.box(1, 0.5), ball = cairn.circle(1);
  const bounds = { lower: [0, 0], upper: [1, 1] };
  assert.ok(Math.abs(cairn.rotationAngle(cairn.rotationOf(0.5)) - 0.5) < 1e-6);
  const p = cairn.posePoint(pose, [2, 0]), back = cairn.poseLocalPoint(pose, p);
  assert.ok(Math.hypot(back.x - 2, back.y) < 1e-6);
  assert.ok(Math.abs(cairn.poseLocalDirection(pose, cairn.poseDirection(pose, [2, 0])).x - 2) < 1e-6);
  assert.equal(cairn.version(), cairn.VERSION);
  assert.ok(Math.abs(cairn.poseMultiply(pose, cairn.poseInverse(pose)).position.x) < 1e-6);
  assert.equal(cairn.boundsOverlap(bounds, bounds), true);
  assert.deepEqual(cairn.boundsDepth(bounds, bounds), { x: 1, y: 1 });
  cairn.boundsResolve(bounds, bounds);
  assert.deepEqual(cairn.boundsUnion(bounds, { lower: [0, 0], upper: [2, 1] }).upper, { x: 2, y: 1 });
  assert.equal(cairn.boundsContains(bounds, [2, 2]), false);
  assert.equal(cairn.boundsCrossings(bounds, { lower: [0.5, 0.5], upper: [2, 2] }).length, 2);
  assert.equal(cairn.capsule([0, 0], [1, 0], 0.5).count, 2);
  assert.equal(cairn.segment([0, 0], [1, 0]).radius, 0);
  assert.equal(cairn.roundedBox(1, 1, 0.5).radius, 0.5);
  assert.equal(cairn.polygon([[0, 0], [2, 0], [0, 1]], 0).vertices.length, 3);
  assert.equal(cairn.regularPolygon(6, 1).count, 6);
  assert.equal(hull.massData(600).mass, 1200);
  assert.deepEqual(hull.at({ position: [2, 0] }).bounds({}).upper, { x: 3, y: 0.5 });
  assert.equal(hull.support([1, 0]).x, 1);
  assert.equal(hull.project({}, [1, 0]).y, 1);
  assert.equal(hull.contains([0, 0]), true);
  assert.equal(hull.castRay([-5, 0], [10, 0]).fraction, Math.fround(0.4));
  assert.equal(hull.castRay([-5, 9], [10, 0]), null);
  assert.equal(hull.collide({}, ball, { position: [0, 1.4] }, 0).points.length, 1);
  assert.ok(Math.abs(hull.distance({}, ball, { position: [0, 2] }).distance - 0.5) < 1e-6);
  assert.equal(hull.mtv({}, ball, {}).overlap, true);
  const clip = hull.clip({}, hull, { position: [1, 0] }, 0.01);
  assert.equal(clip.points.length, 4);
  assert.equal(clip.exact.mass, 1);
  assert.equal(hull.crossings({}, hull, { position: [1, 0.2] }).length, 2);
  assert.deepEqual([hull.slice([0, 0], [1, 0], 0.01)].map(s => [s.hulls.length, s.inFront]), [[2, 1]]);
  assert.ok(ball.cast({}, [9, 0], hull, { position: [5, 0] }).fraction > 0.3);
  const sweep = { translation: [9, 0] };
  assert.equal(cairn.sweepPose(sweep, 0.5).position.x, 4.5);
  assert.ok(ball.timeOfImpact(sweep, hull, { start: { position: [5, 0] } }));
  const letter = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]];
  assert.equal(cairn.outlineDecompose([{ points: letter }], 0).length, 2);
});

test("worlds and their objects", () => {
  const world = new World({ gravity: [0, -10], moveEvents: true, profiling: true });
  const ground = world.createBody({ type: "static", data: "ground" });
  const floor = ground.createShape(cairn.box(50, 1), { data: 7 });
  const chain = ground.createChain([[60, 9], [50, 9], [40, 9]]);
  const grid = ground.createGrid({ solid: [1, 1, 1, 0], width: 2, height: 2, tileSize: 1, origin: [20, 1] });
  const a = world.createBody({ position: [0, 5], shapes: [{ hull: cairn.box(0.5, 0.5), hitEvents: true }] });
  const b = world.createBody({ position: [1, 5], shapes: [cairn.circle(0.5)] });
  const lift = world.createBody({ type: "kinematic", position: [9, 5], shapes: [cairn.box(1, 0.1)] });
  const sensor = ground.createShape(cairn.box(3, 3), { sensor: true });
  const joint = world.createJoint(cairn.revoluteJoint(a, b, [0.5, 5]), { angle: { motor: true, motorSpeed: 1, maxMotorForce: 1 } });
  const other = world.createJoint(cairn.weldJoint(ground, b, [1, 5]), { angle: { mode: "free", hertz: 2 }, x: { mode: "free" }, y: { mode: "free" } });
  for (const preset of [cairn.prismaticJoint(a, b, [0, 5], [1, 0]), cairn.wheelJoint(a, b, [0, 5], [0, 1]),
    cairn.distanceJoint(a, b, [0, 5], [1, 5]), cairn.ropeJoint(a, b, [0, 5], [1, 5]), cairn.springJoint(a, b, [0, 5], [1, 5]),
    cairn.mouseJoint(a, b, [1, 5]), cairn.motorJoint(a, b, 5, 5), cairn.filterJoint(a, b)]) assert.equal(preset.a, a);

  for (const object of [world, ground, a, floor, joint, grid, chain]) readAll(object);
  writeAll(world);
  writeAll(a);
  writeAll(b, ["type"]);
  b.type = "dynamic";
  writeAll(floor);
  writeAll(joint);
  a.pose = { position: [0, 6], angle: 0.1 };
  a.asleep = false;
  lift.setTarget({ position: [9, 6] }, 1);
  a.velocityAt([0, 0]);
  a.applyForceAt([1, 0], [0, 6]);
  a.applyForce([1, 0]);
  a.applyTorque(1);
  a.applyImpulseAt([1, 0], [0, 6]);
  a.applyImpulse([1, 0]);
  a.applyAngularImpulse(1);
  a.resetMass();
  a.setDamping(0, 0);
  a.setLocks(false, false, false);
  assert.deepEqual(a.locks, { x: false, y: false, rotation: false });
  a.dropThrough(0);
  floor.contains([0, 0]);
  assert.equal(floor.closestPoint([0, 9]).y, 1);
  floor.castRay([0, 5], [0, -9]);
  sensor.medium = { density: 0.1 };
  joint.setCoordinate("angle", { mode: "free", motor: true, motorSpeed: 2, maxMotorForce: 1 });
  joint.setMotorSpeed("angle", 3);
  other.setTarget("angle", 0.1);
  joint.setFrames(joint.definition.frameA, joint.definition.frameB);
  joint.polar = false;
  joint.setAnchor("a", joint.anchor("a"));
  assert.equal(joint.coordinate("angle").motor, true);
  assert.equal(joint.motorSpeed("angle"), 3);
  assert.equal(Math.fround(other.target("angle")), Math.fround(0.1));
  assert.deepEqual([joint.bodies.a, joint.frame("b").rotation.c], [a, 1]);
  joint.setBreak(0, 0);
  joint.coupling = { other, axis: "angle", otherAxis: "angle", ratio: 1 };
  assert.equal(joint.coupling.other, other);
  joint.coupling = {};
  joint.collideConnected = false;
  joint.disabled = false;
  joint.value("angle");
  joint.rate("angle");
  grid.setSolid(1, 0, false);
  assert.equal(grid.solid(1, 0), false);
  grid.setTile(0, 0, { solid: true, form: "risesRight" });
  assert.equal(grid.tile(0, 0).form, "risesRight");
  grid.setMaterial(0, { friction: 0.1 });
  assert.equal(grid.material(0).friction, Math.fround(0.1));
  assert.equal([...chain.segments].length, 2);
  assert.equal([...chain.segments][0].chain, chain);
  chain.setMaterial(0, { friction: 0.1 });
  assert.equal(chain.material(0).friction, Math.fround(0.1));
  assert.equal(world.chainInSlot(0), chain);
  assert.deepEqual([...world.chains], [chain]);
  assert.deepEqual([...ground.chains], [chain]);
  assert.deepEqual([...world.bodies], [ground, a, b, lift]);
  assert.deepEqual([...world.joints], [joint, other]);
  assert.deepEqual([...a.joints], [joint]);
  assert.equal([...world.shapes].length, [...world.bodies].reduce((n, body) => n + [...body.shapes].length, 0));
  assert.equal(world.bodyInSlot(a.slot), a);
  assert.equal(world.shapeInSlot(floor.slot), floor);
  assert.equal(world.jointInSlot(joint.slot), joint);
  assert.equal(world.gridInSlot(grid.slot), grid);

  for (const shape of world.shapes) [shape.customFilter, shape.preSolve] = [!shape.customFilter, !shape.preSolve];
  world.beforeStep = () => {};
  world.filter = () => true;
  world.preSolve = () => undefined;
  for (let i = 0; i < 60; i++) world.advance(1 / 60);
  world.step(1 / 60);
  readAll(world.events);
  readAll(a);
  assert.ok(world.contacts().length > 0);
  const contact = world.contacts()[0];
  assert.equal(cairn.contactSeenFrom(contact, contact.b.body).a.body, contact.b.body);
  const touch = { a: contact.a, b: contact.b }, sensed = { sensor: contact.a, other: contact.b };
  assert.equal(cairn.touchEventSeenFrom(touch, contact.b.body).a.body, contact.b.body);
  assert.equal(cairn.hitEventSeenFrom(touch, contact.b.body).a.body, contact.b.body);
  assert.equal(cairn.sensorEventOtherSide(sensed, contact.b.body).body, contact.a.body);
  a.contacts();
  a.touches(ground);
  a.ground([0, 1], 0.785);
  sensor.sensorShapes();
  world.castRay([0, 20], [0, -40]);
  world.castRayAll([0, 20], [0, -40]);
  world.castRays([{ origin: [0, 20], translation: [0, -40] }]);
  world.castHull(cairn.circle(1), { start: { position: [0, 20] }, translation: [0, -40] });
  world.overlap(cairn.circle(1), {});
  world.overlapBounds({ lower: [-1, -1], upper: [1, 1] });
  world.overlapPoint([0, 0]);
  world.nearest(cairn.circle(0), { position: [0, 9] }, 99);
  world.explode({ radius: 3, impulsePerLength: 1 });
  world.moveHull(cairn.circle(0.5), { position: [5, 9] }, [0, -1]);
  world.bodyStates(false);
  world.poses();
  world.energy();
  world.counters();
  world.profile();
  world.profiling = false;
  world.setDamping(0, 0);
  world.hash();
  world.draw();
  world.shiftOrigin([1, 0]);
  world.compare(world);

  const bytes = world.save(), callbacks = { filter: world.filter, preSolve: world.preSolve };
  const loaded = World.load(bytes, {}, callbacks);
  assert.equal(loaded.hash(), world.hash());
  cairn.worldsStep([world, loaded], 1 / 60);
  world.restore(bytes);
  const rollback = world.createRollback(10);
  rollback.keep(1);
  readAll(rollback);
  world.step(1 / 60);
  rollback.rewind(1);
  loaded.restore(bytes);
  assert.equal(world.hash(), loaded.hash());
  world.beginRecording();
  world.step(1 / 60);
  world.gravity = [0, -9];
  world.step(1 / 60);
  const recording = world.endRecording();
  assert.ok(cairn.recordingCut(recording, [1, 0, 1]).length < recording.length);
  const replay = new Replay(recording);
  readAll(replay);
  while (replay.at.call < replay.at.calls) replay.next();
  assert.equal(replay.desync, null);
  assert.equal(replay.world.hash(), world.hash());
  replay.seek(1);
  assert.ok(replay.rest().length > 0);
  replay.destroy();
  rollback.destroy();
  cairn.raw.cn_error_clear();
  cairn.raw.cn_world_callbacks(cairn.raw.malloc(64), world.pointer);
  other.destroy();
  grid.destroy();
  chain.destroy();
  floor.destroy();
  a.destroy();
  assert.equal(joint.valid, false);
  assert.equal(floor.valid || grid.valid || a.valid, false);
  assert.throws(() => new World({ substeps: 99 }), CairnError);
  loaded.destroy();
  world.destroy();
});

test("no function of api.json is missing", () => {
  const missing = api.functions.map(f => f.name).filter(name => !called.has(name));
  assert.deepEqual(missing, []);
});

// The class of a name, or null, and its last word: "Body.maxSpeed", "box", "World" (a constructor).
const parts = name => name.includes(".") ? name.split(".") : [null, name];
const propertyOf = (type, word) => Object.getOwnPropertyDescriptor(type, word) ??
  (Object.getPrototypeOf(type) && propertyOf(Object.getPrototypeOf(type), word));

test("every function has the name of api.json", () => {
  for (const { name, names: { js } } of api.functions.filter(f => f.names.js)) {
    const [owner, word] = parts(js);
    const found = owner === null ? { value: cairn[word] } : propertyOf(cairn[owner].prototype, word) ?? propertyOf(cairn[owner], word);
    const isProperty = /_set_/.test(name) && !word.startsWith("set");
    assert.equal(typeof (isProperty ? found?.set : found?.get ?? found?.value), "function", `${name}: there is no ${js}`);
  }
});

// What the classes and the package have besides the functions of C.
const OWN = new Set(`Body.slot Shape.slot Joint.slot Grid.slot Chain.slot Events.begins Events.ends Events.hits Events.bodies Events.broken
  Events.sensorBegins Events.sensorEnds Events.moved World.filter World.preSolve World.beforeStep
  Hull.radius Hull.count Hull.vertices Hull.normals warmUp`.split(/\s+/));

test("there are no other names", () => {
  const found = new Set(Object.keys(cairn).filter(name => typeof cairn[name] === "function" && /^[a-z]/.test(name)));
  const types = ["calls", "world", "wasm"].map(file => readFileSync(`${process.env.CAIRN_PACKAGE}/types/${file}.d.ts`, "utf8")).join("");
  for (const [, name, body] of types.matchAll(/^export declare (?:abstract )?class (\w+?)(?:Calls|Data)?\b[^\n]*\{\n(.*?)^\}/gms))
    for (const [, word] of body.matchAll(/^    (?:static )?(?:get |set )?(\w+)\(/gm))
      if (word !== "constructor") found.add(`${name}.${word}`);
  const known = new Set([...api.functions.map(f => f.names.js), ...OWN]);
  assert.deepEqual([...found].filter(name => !known.has(name.replace(/Into$/, ""))), []);
  assert.deepEqual([...OWN].filter(name => !found.has(name)), []);
});
