// Every function of api.json is called by an object of the binding or by a function of the package.
// Only cn_error_clear() is left to `raw`, because errors are exceptions.
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
  assert.equal(cairn.regular(6, 1).count, 6);
  assert.equal(hull.mass(600).mass, 1200);
  assert.deepEqual(hull.at({ position: [2, 0] }).bounds({}).upper, { x: 3, y: 0.5 });
  assert.equal(hull.support([1, 0]).x, 1);
  assert.equal(hull.project({}, [1, 0]).y, 1);
  assert.equal(hull.contains([0, 0]), true);
  assert.equal(hull.castRay([-5, 0], [10, 0]).fraction, Math.fround(0.4));
  assert.equal(hull.castRay([-5, 9], [10, 0]), null);
  assert.equal(cairn.collide(hull, {}, ball, { position: [0, 1.4] }, 0).points.length, 1);
  assert.ok(Math.abs(cairn.distance(hull, {}, ball, { position: [0, 2] }).distance - 0.5) < 1e-6);
  assert.equal(cairn.overlap(hull, {}, ball, {}).overlap, true);
  const clip = cairn.clip(hull, {}, hull, { position: [1, 0] }, 0.01);
  assert.equal(clip.points.length, 4);
  assert.equal(clip.exact.mass, 1);
  assert.equal(cairn.outlineCrossings(hull, {}, hull, { position: [1, 0.2] }).length, 2);
  assert.deepEqual([cairn.slice(hull, [0, 0], [1, 0], 0.01)].map(s => [s.hulls.length, s.inFront]), [[2, 1]]);
  assert.ok(cairn.castHull(ball, {}, [9, 0], hull, { position: [5, 0] }).fraction > 0.3);
  const sweep = { translation: [9, 0] };
  assert.equal(cairn.sweepPose(sweep, 0.5).position.x, 4.5);
  assert.ok(cairn.timeOfImpact(ball, sweep, hull, { start: { position: [5, 0] } }));
  const letter = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]];
  assert.equal(cairn.decompose([{ points: letter }], 0).length, 2);
});

test("worlds and their objects", () => {
  const world = new World({ gravity: [0, -10], moveEvents: true, profile: true });
  const ground = world.body({ type: "static", data: "ground" });
  const floor = ground.addShape(cairn.box(50, 1), { data: 7 });
  const chain = ground.chain([[60, 9], [50, 9], [40, 9]]);
  const tiles = ground.tiles({ solid: [1, 1, 1, 0], width: 2, height: 2, tileSize: 1, origin: [20, 1] });
  const a = world.body({ position: [0, 5] }).shape(cairn.box(0.5, 0.5), { hitEvents: true });
  const b = world.body({ position: [1, 5] }).shape(cairn.circle(0.5));
  const lift = world.body({ type: "kinematic", position: [9, 5] }).shape(cairn.box(1, 0.1));
  const sensor = ground.addShape(cairn.box(3, 3), { sensor: true });
  const joint = world.joint(cairn.revolute(a, b, [0.5, 5]), { angle: { motor: true, speed: 1, motorForce: 1 } });
  const other = world.joint(cairn.weld(ground, b, [1, 5]), { angle: { mode: "free", hertz: 2 }, x: { mode: "free" }, y: { mode: "free" } });
  for (const preset of [cairn.prismatic(a, b, [0, 5], [1, 0]), cairn.wheel(a, b, [0, 5], [0, 1]),
    cairn.distanceJoint(a, b, [0, 5], [1, 5]), cairn.rope(a, b, [0, 5], [1, 5]), cairn.spring(a, b, [0, 5], [1, 5]),
    cairn.mouse(a, b, [1, 5]), cairn.motor(a, b, 5, 5), cairn.filter(a, b)]) assert.equal(preset.a, a);

  for (const object of [world, ground, a, floor, joint, tiles, chain]) readAll(object);
  writeAll(world);
  writeAll(a);
  writeAll(b, ["type"]);
  b.type = "dynamic";
  writeAll(floor);
  writeAll(joint);
  a.setPose([0, 6], 0.1);
  a.awake = true;
  lift.setTarget([9, 6], 0, 1);
  a.velocityAt([0, 0]);
  a.applyForce([1, 0], [0, 6]);
  a.applyCenterForce([1, 0]);
  a.applyTorque(1);
  a.applyImpulse([1, 0], [0, 6]);
  a.applyCenterImpulse([1, 0]);
  a.applyAngularImpulse(1);
  a.resetMass();
  a.setDamping(0, 0);
  a.setLocks(false, false, false);
  assert.deepEqual(a.locks, { x: false, y: false, rotation: false });
  a.dropThrough(0);
  floor.contains([0, 0]);
  floor.castRay([0, 5], [0, -9]);
  sensor.medium = { density: 0.1 };
  joint.setCoordinate("angle", { mode: "free", motor: true, speed: 2, motorForce: 1 });
  joint.setSpeed("angle", 3);
  other.setTarget("angle", 0.1);
  joint.setFrames(joint.definition.frameA, joint.definition.frameB);
  joint.setPolar(false);
  joint.setBreak(0, 0);
  joint.coupling = { other, axis: "angle", otherAxis: "angle", ratio: 1 };
  assert.equal(joint.coupling.other, other);
  joint.coupling = {};
  joint.setCollideConnected(false);
  joint.setEnabled(true);
  joint.value("angle");
  joint.speed("angle");
  tiles.set(1, 0, false);
  assert.equal(tiles.get(1, 0), false);
  tiles.setTile(0, 0, { solid: true, form: "risesRight" });
  assert.equal(tiles.getTile(0, 0).form, "risesRight");
  tiles.setMaterial(0, { friction: 0.1 });
  assert.equal(tiles.material(0).friction, Math.fround(0.1));
  assert.equal([...chain.segments].length, 2);
  assert.equal([...chain.segments][0].chain, chain);
  assert.deepEqual([...world.bodies], [ground, a, b, lift]);
  assert.deepEqual([...world.joints], [joint, other]);
  assert.deepEqual([...a.joints], [joint]);
  assert.equal([...world.shapes].length, [...world.bodies].reduce((n, body) => n + [...body.shapes].length, 0));
  assert.equal(world.bodyInSlot(a.index), a);
  assert.equal(world.shapeInSlot(floor.handle & 0xffffffn ? Number(floor.handle & 0xffffffn) : 0), floor);
  world.jointInSlot(0);
  world.tilesInSlot(0);

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
  a.contacts();
  a.touching(ground);
  a.ground([0, 1], 0.7);
  sensor.overlaps();
  world.castRay([0, 20], [0, -40]);
  world.castRayAll([0, 20], [0, -40]);
  world.castRays([{ origin: [0, 20], translation: [0, -40] }]);
  world.castHull(cairn.circle(1), { start: { position: [0, 20] }, translation: [0, -40] });
  world.overlap(cairn.circle(1), {});
  world.overlapBounds({ lower: [-1, -1], upper: [1, 1] });
  world.at([0, 0]);
  world.nearest(null, { position: [0, 9] }, 99);
  world.explode({ radius: 3, impulsePerLength: 1 });
  world.moveHull(cairn.circle(0.5), { position: [5, 9] }, [0, -1]);
  world.states(false);
  world.poses();
  world.energy();
  world.counters();
  world.profile();
  world.setProfiling(false);
  world.hash();
  world.draw();
  world.shiftOrigin([1, 0]);
  world.compare(world);

  const bytes = world.save(), callbacks = { filter: world.filter, preSolve: world.preSolve };
  const loaded = World.load(bytes, {}, callbacks);
  assert.equal(loaded.hash(), world.hash());
  World.stepAll([world, loaded], 1 / 60);
  world.restore(bytes);
  const rollback = world.rollback(10);
  rollback.keep(1);
  readAll(rollback);
  world.step(1 / 60);
  rollback.rewind(1);
  loaded.restore(bytes);
  assert.equal(world.hash(), loaded.hash());
  world.record();
  world.step(1 / 60);
  world.gravity = [0, -9];
  world.step(1 / 60);
  const recording = world.endRecording();
  assert.ok(cairn.cutRecording(recording, [1, 0, 1]).length < recording.length);
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
  other.destroy();
  tiles.destroy();
  chain.destroy();
  floor.destroy();
  a.destroy();
  assert.equal(joint.valid, false);
  assert.equal(floor.valid || tiles.valid || a.valid, false);
  assert.throws(() => new World({ substeps: 99 }), CairnError);
  loaded.destroy();
  world.destroy();
});

test("no function of api.json is missing", () => {
  const missing = api.functions.map(f => f.name).filter(name => !called.has(name));
  assert.deepEqual(missing, []);
});
