// The objects of the binding: identity, data, errors, callbacks, events, memory.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { inspect } from "node:util";

const { World, Replay, CairnError, DrawFlags, box, capsule, circle, polygon, raw, revoluteJoint, segment, warmUp, worldsStep } =
  await import(`file://${process.env.CAIRN_PACKAGE}/index.js`);

function makeWorld(def = {}) {
  const world = new World({ gravity: [0, -10], ...def });
  world.createBody({ type: "static", shapes: [box(50, 1)] });
  return world;
}
const addCrate = (world, x, y, def = {}) => world.createBody({ position: [x, y], shapes: [{ hull: box(0.5, 0.5), ...def }] });
// The call throws an error of this kind and text, and the world is as before.
function refuses(world, kind, text, call) {
  const before = world.hash();
  assert.throws(call, error => error instanceof CairnError && error.kind === kind && text.test(error.message));
  assert.equal(world.hash(), before);
}

test("the program of the manual", () => {
  const world = new World({ gravity: [0, -10] });
  world.createBody({ type: "static", shapes: [box(50, 1)] });
  const crate = world.createBody({ position: [0, 10], shapes: [{ hull: box(0.5, 0.5), density: 2, material: { friction: 0.4 } }] });
  for (let i = 0; i < 120; i++) world.step(1 / 60);
  assert.equal(crate.position.y.toFixed(3), "1.500");
  world.destroy();
});

test("wrong numbers, stale handles and objects of other worlds are refused", () => {
  const world = makeWorld(), other = makeWorld(), crate = addCrate(world, 0, 5), foreign = addCrate(other, 0, 5);
  refuses(world, "number", /x of the velocity is nan/, () => { crate.velocity = [NaN, 0]; });
  for (const point of ["x", 5, null])
    refuses(world, "number", /a point or vector is \[x, y\] or \{ x, y \}, not/, () => { crate.velocity = point; });
  refuses(world, "range", /substeps/, () => { world.substeps = 99; });
  refuses(world, "range", /"fast" is not one of/, () => world.createBody({ type: "fast" }));
  refuses(world, "handle", /another world/, () => revoluteJoint(crate, foreign, [0, 0]));
  refuses(world, "handle", /not a body/, () => revoluteJoint(crate, [...world.shapes][0], [0, 0]));
  refuses(world, "handle", /not a body/, () => crate.touches([...crate.shapes][0]));
  refuses(world, "handle", /another world/, () => world.castRay([0, 0], [1, 0], { ignore: foreign }));
  refuses(world, "range", /width|2 values; it must have 4/, () =>
    world.bodyInSlot(0).createGrid({ solid: [1, 1], width: 2, height: 2, tileSize: 1 }));
  refuses(world, "state", /dynamic/, () => [...world.bodies][0].applyForce([1, 0]));
  assert.throws(() => polygon([[0, 0], [1, 0]], 0), { kind: "shape" });
  assert.throws(() => new World({ lanes: 1 }), { kind: "range" });
  const shape = [...crate.shapes][0];
  crate.destroy();
  refuses(world, "handle", /stale|destroyed/, () => crate.position);
  refuses(world, "handle", /stale|destroyed/, () => { shape.density = 2; });
  assert.equal(crate.valid, false);
  world.destroy();
  for (const call of [() => world.step(0.1), () => world.hash(), () => world.createBody(), () => crate.angle,
    () => world.poses(), () => world.events, () => world.createRollback(2), () => world.save()])
    assert.throws(call, CairnError);
  other.destroy();
});

test("a console prints the names of classes", () => {
  const world = makeWorld();
  const body = addCrate(world, 0, 5);
  assert.deepEqual([world, body, [...body.shapes][0], world.events, box(1, 1)].map(o => o.constructor.name),
    ["World", "Body", "Shape", "Events", "Hull"]);
  assert.equal(CairnError.name, "CairnError");
  world.destroy();
});

test("a body is created with its shapes, or not at all", () => {
  const world = makeWorld(), hull = box(0.5, 0.5);
  const wheel = { hull: circle(1), density: 3, data: "wheel", filter: { category: 4 } };
  const body = world.createBody({ position: [0, 5], data: "cart", shapes: [hull, wheel] });
  assert.equal(body.data, "cart");
  assert.deepEqual([...body.shapes].map(shape => [shape.density, shape.data, shape.filter.category]),
    [[1, undefined, 1n], [3, "wheel", 4n]]);
  assert.ok(Math.abs(body.mass - 1 - 3 * Math.PI) < 1e-5);
  refuses(world, "range", /shape 1: the density is -1/, () => world.createBody({ shapes: [hull, { hull, density: -1 }] }));
  world.destroy();
});

test("a body that is moved keeps its rotation", () => {
  const world = makeWorld(), body = world.createBody({ position: [4, 5], angle: 0.5, shapes: [box(1, 1)] }), { rotation } = body.pose;
  body.position = [6, 7];
  assert.deepEqual([body.position, body.pose.rotation], [{ x: 6, y: 7 }, rotation]);
  const [shape] = body.shapes;
  shape.noCollision = true;
  assert.equal(shape.noCollision, true);
  world.destroy();
});

test("unknown fields are errors that name the nearest field", () => {
  const world = makeWorld(), crate = addCrate(world, 0, 5, { preSolve: true }), [shape] = crate.shapes, ground = world.bodyInSlot(0);
  const unknown = (text, call) => refuses(world, "range", text, call);
  unknown(/^BodyDef has no field "postion": did you mean "position"\?$/, () => world.createBody({ postion: [0, 0] }));
  unknown(/^BodyDef has no field "user_data": did you mean "userData"\?$/, () => world.createBody({ user_data: 0 }));
  unknown(/^BodyDef has no field "xyz"$/, () => world.createBody({ xyz: 1 }));
  unknown(/^Material has no field "fricton": did you mean "friction"/, () => crate.createShape(box(1, 1), { material: { fricton: 1 } }));
  unknown(/^Filter has no field/, () => { shape.filter = { catgory: 1 }; });
  unknown(/^Medium has no field/, () => { shape.medium = { fow: [1, 0] }; });
  unknown(/^Material is an object with fields, not 0.5/, () => { shape.material = 0.5; });
  unknown(/^ChainDef has no field "close"/, () => ground.createChain([[9, 0], [0, 0]], { close: true }));
  unknown(/^GridDef has no field "tile_sise": did you mean "tileSize"/, () => ground.createGrid({ tile_sise: 1 }));
  unknown(/^Query has no field "sensor"/, () => world.castRay([0, 9], [0, -9], { sensor: true }));
  unknown(/^Explosion has no field/, () => world.explode({ raduis: 1 }));
  unknown(/^Pose has no field "positon"/, () => world.overlap(box(1, 1), { positon: [0, 0] }));
  unknown(/^Coordinate has no field "moter"/, () => world.createJoint(revoluteJoint(ground, crate, [0, 1]), { angle: { moter: true } }));
  unknown(/^JointDef has no field/, () => world.createJoint({ ...revoluteJoint(ground, crate, [0, 1]), poler: true }));
  unknown(/^Callbacks has no field "presolve"/, () => World.load(world.save(), {}, { presolve: null }));
  assert.throws(() => new World({ gravty: [0, -10] }), /did you mean "gravity"/);
  world.preSolve = () => ({ disable: true });
  crate.position = [0, 1.5];
  assert.throws(() => { world.step(1 / 60); world.step(1 / 60); }, /did you mean "disabled"/);
  world.destroy();
});

test("objects take no new properties, and a changed copy of a property is an error", () => {
  const world = makeWorld(), crate = addCrate(world, 0, 5), [shape] = crate.shapes, ground = world.bodyInSlot(0);
  const joint = world.createJoint({ ...revoluteJoint(ground, crate, [0, 1]), data: "hinge" });
  assert.equal(joint.data, "hinge");
  const chain = ground.createChain([[9, 0], [0, 0]]), grid = ground.createGrid({ solid: [1], width: 1, height: 1, tileSize: 1 });
  for (const object of [world, crate, shape, joint, chain, grid, world.events, world.createRollback(2)]) {
    assert.throws(() => { object.postion = [0, 0]; }, TypeError);
    if ("data" in object) object.data = 5;
  }
  assert.throws(() => { shape.material.friction = 0.1; }, TypeError);
  shape.material = { ...shape.material, friction: 0.25 };
  assert.equal(shape.material.friction, 0.25);
  class Game extends World { level = 1; }
  const game = new Game();
  game.level = game.score = 2; // fields of a class of the user
  game.destroy();
  world.destroy();
});

test("a frame in milliseconds is a warning", t => {
  const world = makeWorld(), warn = t.mock.method(console, "warn", () => {});
  assert.equal(world.advance(16.7), 8);
  assert.equal(world.advance(16.7), 8);
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /^cn_world_advance: frame_seconds is 16.7: milliseconds\?/);
  world.step(1 / 60); // no error stays
  world.destroy();
});

test("objects have texts, which a console prints", () => {
  const world = makeWorld(), crate = addCrate(world, 1.2, 3.4), [shape] = crate.shapes, ground = world.bodyInSlot(0);
  const joint = world.createJoint(revoluteJoint(ground, crate, [0, 1])), chain = ground.createChain([[9, 0], [0, 0]]);
  const grid = ground.createGrid({ solid: [1, 1], width: 2, height: 1, tileSize: 1 }), rollback = world.createRollback(4);
  const shows = (object, text) => { assert.equal(String(object), text); assert.equal(inspect(object), text); };
  shows(crate, "Body(1, dynamic, at (1.2, 3.4))");
  shows(shape, "Shape(1, of body 1)");
  shows(joint, "Joint(0, of bodies 0 and 1)");
  shows(chain, "Chain(0, of body 0)");
  shows(grid, "Grid(0, 2 x 1, of body 0)");
  shows(rollback, "Rollback(empty)");
  rollback.keep(3);
  shows(rollback, "Rollback(3 to 3)");
  shows(world.events, "Events(none)");
  shows(box(1, 2), "Hull((-1, -2), (1, -2), (1, 2), (-1, 2); radius 0)");
  shows(world, "World(2 bodies, 3 shapes, 1 joints, step 0)");
  assert.match(inspect(world.castRay([1, 9], [0, -9])), /body: Body\(1, dynamic, at \(1.2, 3.4\)\)/);
  chain.destroy();
  joint.destroy();
  shows(chain, "Chain(0, stale)");
  shows(joint, "Joint(0, stale)");
  world.destroy();
  shows(world, "World(destroyed)");
  for (const object of [crate, shape, grid, chain]) assert.match(String(object), /\(\d, stale\)$/);
  shows(rollback, "Rollback(destroyed)");
});

test("there is one object for each handle, and it keeps its data", () => {
  const world = makeWorld(), crate = world.createBody({ position: [0, 2], data: { name: "crate" } });
  const shape = crate.createShape(box(0.5, 0.5), { data: 5 });
  assert.equal(world.bodyInSlot(crate.slot), crate);
  assert.equal(shape.body, crate);
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  const { a, b } = world.contacts()[0];
  assert.ok(a.body === crate || b.body === crate);
  assert.equal((a.body === crate ? a : b).shape.data, 5);
  crate.destroy();
  let next = addCrate(world, 5, 5);
  world.step(1 / 60);
  const [end] = world.events.ends;
  assert.ok(end.a.body === crate || end.b.body === crate);
  for (let i = 0; i < 100 && next.slot !== crate.slot; i++) { // until a body takes its slot
    next = addCrate(world, 5, 9);
    world.step(1 / 60);
  }
  assert.equal(next.slot, crate.slot);
  assert.equal(world.bodyInSlot(next.slot), next);
  assert.notEqual(next, crate);
  assert.equal(crate.valid, false);
  world.destroy();
});

test("a restored state brings the same objects back", () => {
  const world = makeWorld(), crate = addCrate(world, 0, 5), bytes = world.save();
  crate.data = "mine";
  crate.destroy();
  const other = addCrate(world, 3, 3);
  world.restore(bytes);
  assert.equal([...world.bodies][1], crate);
  assert.equal(crate.data, "mine");
  assert.equal(crate.valid, true);
  assert.equal(other.valid, false);
  world.destroy();
});

test("events are arrays of plain objects", () => {
  const world = makeWorld({ moveEvents: true }), crate = addCrate(world, 0, 3, { hitEvents: true });
  const seen = { begins: 0, hits: 0, moved: 0 };
  for (let i = 0; i < 60; i++) {
    world.step(1 / 60);
    for (const begin of world.events.begins) seen.begins += +(begin.a.body === crate || begin.b.body === crate);
    for (const hit of world.events.hits) seen.hits += +(hit.approachSpeed > 1);
    for (const { body, pose } of world.events.moved) seen.moved += +(body === crate && pose.position.y < 3);
  }
  assert.equal(seen.begins, 1);
  assert.equal(seen.hits, 1);
  assert.ok(seen.moved > 30);
  const old = world.events;
  world.step(1 / 60);
  assert.throws(() => old.sensorEnds, { kind: "state" });
  world.destroy();
});

test("callbacks may read the world, and their exceptions come out of the step", () => {
  const world = makeWorld(), crate = addCrate(world, 0, 1.4, { preSolve: true });
  let seen = 0;
  world.preSolve = contact => {
    seen += +(contact.a.body === crate || contact.b.body === crate);
    assert.ok(crate.position.y < 2 && world.castRay([0, 9], [0, -9], { accept: side => side.body === crate }));
    assert.throws(() => { crate.velocity = [1, 0]; }, { kind: "state" });
    return { disabled: true };
  };
  for (let i = 0; i < 20; i++) world.step(1 / 60);
  assert.ok(seen >= 2);
  assert.ok(crate.position.y < 1.2, "it falls through the ground");
  world.preSolve = null;
  let steps = 0;
  world.beforeStep = dt => { steps += dt; crate.applyForce([0, 1]); };
  assert.equal(world.advance(0.101), 6);
  assert.ok(Math.abs(steps - 0.1) < 1e-6);
  world.beforeStep = () => { throw new TypeError("mine"); };
  assert.throws(() => world.advance(0.1), TypeError);
  world.beforeStep = null;
  world.filter = () => false;
  const ghost = addCrate(world, 5, 1.4, { customFilter: true });
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  assert.ok(ghost.position.y < -1);
  assert.throws(() => world.castRay([0, 9], [0, -99], { accept: () => { throw new RangeError("mine"); } }), RangeError);
  world.destroy();
});

test("hulls, chains, joints and characters", () => {
  const world = makeWorld(), door = addCrate(world, 0, 3), wall = world.createBody({ type: "static", position: [-1, 3] });
  const hinge = world.createJoint(revoluteJoint(wall, door, [-0.5, 3]), { angle: { motor: true, motorSpeed: 2, maxMotorForce: 500 } });
  for (let i = 0; i < 30; i++) world.step(1 / 60);
  assert.ok(hinge.value("angle") > 0.5);
  hinge.setMotorSpeed("angle", -2);
  assert.equal(hinge.definition.angle.motorSpeed, -2);
  const chain = world.createBody({ type: "static" }).createChain([[90, 0], [80, 0], [70, 0]]);
  assert.equal([...chain.segments].length, 2);
  assert.ok(chain.valid && chain.count === 2 && chain === [...world.chains][0]);
  assert.equal([...chain.body.chains][0], chain);
  chain.setMaterial(1, { friction: 0.25 });
  assert.equal(chain.material(1).friction, 0.25);
  assert.equal(world.chainInSlot(0), chain);
  const { side } = world.castRay([75, 5], [0, -10]);
  assert.ok(side.chain === chain && side.segment === 1);
  const hero = capsule([0, -0.4], [0, 0.4], 0.3), move = world.moveHull(hero, { position: [9, 2] }, [1, -1], { mass: 80 });
  assert.ok(move.grounded && move.ground.body === world.bodyInSlot(0));
  assert.equal(world.moveHull(circle(0.1), { position: [9, 20] }, [0, 1]).ground, null);
  assert.equal(world.moveHull(circle(0.1), { position: [9, 20] }, [0, 1]).ride.body, null);
  assert.equal(world.moveHull(hero, move.pose, [0, 0], { ride: move.ride }).ride.body, move.ground.body);
  assert.equal(world.castRay([0, 90], [0, 1]), null);
  world.destroy();
});

test("views are renewed when the memory grows", () => {
  const world = makeWorld();
  const before = raw.memory.buffer.byteLength;
  let n = 0;
  for (; raw.memory.buffer.byteLength === before; n++) addCrate(world, n * 2, 2);
  const bodies = [...world.bodies], poses = world.poses();
  assert.equal(poses.length, 4 * bodies.length);
  for (const body of bodies) {
    assert.equal(poses[4 * body.slot], body.position.x);
    assert.equal(poses[4 * body.slot + 1], body.position.y);
  }
  assert.equal(world.poses(), poses, "the same view as long as nothing changed");
  const drawing = world.draw(DrawFlags.shapes);
  assert.equal(drawing.triangles.length, 3 * drawing.triangleVertices);
  assert.ok(drawing.triangleVertices >= 6 * n);
  world.destroy();
});

test("large arrays make the memory grow and arrive", () => {
  const world = makeWorld(), n = 2000;
  const solid = new Uint8Array(n * n).fill(1);
  for (let i = 0; i < 8; i++) { // some of them make the memory grow
    const grid = world.createBody({ type: "static" }).createGrid({ solid, width: n, height: n, tileSize: 1, origin: [0, -9000] });
    assert.equal(grid.solid(n - 1, n - 1), true);
  }
  world.destroy();
  assert.throws(() => raw.memory.grow(32768), RangeError); // addresses above 2 GB would be negative
});

test("any value that counts as true is true", () => {
  const world = makeWorld(), crate = addCrate(world, 0, 1.4, { sensor: "yes", hitEvents: 256 }), [shape] = crate.shapes;
  assert.equal(shape.sensor, true);
  crate.bullet = 256;
  assert.equal(crate.bullet, true);
  assert.equal(world.castRay([0, 9], [0, -9], { accept: side => side.body }).side.body, world.bodyInSlot(0));
  let asked = 0;
  world.filter = (a, b) => (asked++, [a, b]);
  const other = addCrate(world, 5, 1.4, { customFilter: 1 });
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  assert.ok(asked > 0 && other.position.y > 1.4);
  world.destroy();
});

test("events are those of the last step, also within advance, in a replay and after the end", () => {
  const world = makeWorld(), seen = { within: 0, after: 0, replayed: 0 };
  world.beforeStep = () => { seen.within += world.events.begins.length; };
  world.beginRecording();
  addCrate(world, 0, 1.8);
  while (seen.after === 0) {
    assert.equal(seen.within, 0, "it was not seen after the step");
    world.advance(1 / 60);
    seen.after += world.events.begins.length;
  }
  world.beforeStep = null;
  const replay = new Replay(world.endRecording());
  while (replay.at.call < replay.at.calls) {
    replay.next();
    seen.replayed += replay.at.call > 2 ? replay.world.events.begins.length : 0;
  }
  assert.ok(seen.replayed > 0);
  const { events } = replay.world;
  replay.seek(0);
  assert.throws(() => events.begins.length + events.ends.length, { kind: "state" });
  replay.destroy();
  const last = world.events;
  world.destroy();
  assert.throws(() => last.ends, { kind: "state" });
});

test("the end of the world leaves the bytes of its recording", () => {
  const world = makeWorld();
  world.beginRecording();
  const crate = addCrate(world, 0, 5);
  for (let i = 0; i < 30; i++) world.step(1 / 60);
  const { y } = crate.position;
  world.destroy();
  const replay = new Replay(world.endRecording());
  while (replay.at.call < replay.at.calls) replay.next();
  assert.equal(replay.desync, null);
  assert.equal([...replay.world.bodies].at(-1).position.y, y);
  replay.destroy();
  assert.throws(() => world.endRecording(), CairnError); // once only
  const unrecorded = makeWorld();
  unrecorded.destroy();
  assert.throws(() => unrecorded.endRecording(), CairnError);
});

test("a loop may destroy what it has not reached yet", () => {
  const world = makeWorld(), crates = [1, 2, 3, 4].map(i => addCrate(world, 3 * i, 5)), seen = [];
  for (const body of world.bodies) {
    seen.push(body);
    if (body === crates[0]) [crates[1], crates[2]].forEach(crate => crate.destroy());
  }
  assert.deepEqual(seen.slice(1), [crates[0], crates[3]]);
  for (let i = 0; i < 3; i++) world.createJoint(revoluteJoint(seen[0], crates[0], [i, 5]));
  let joints = 0;
  for (const joint of crates[0].joints) {
    assert.ok(joint.valid);
    crates[0].destroy();
    joints++;
  }
  assert.equal(joints, 1);
  for (const body of world.bodies) if (body.valid) world.destroy();
});

test("a world that must not be destroyed now keeps its rollback", () => {
  const world = makeWorld(), rollback = world.createRollback(2);
  addCrate(world, 0, 1.4);
  rollback.keep(1);
  world.beforeStep = () => world.destroy();
  assert.throws(() => world.advance(1 / 60), { kind: "state" });
  world.beforeStep = null;
  rollback.rewind(1);
  world.destroy();
  assert.throws(() => rollback.keep(2), CairnError);
});

test("a chain keeps its data as long as it lives", async () => {
  const world = makeWorld(), ground = world.createBody({ type: "static" });
  for (let i = 0; i < 200; i++) ground.createChain([[2, 9], [1, 9], [0, 9]], { data: { name: i } }).destroy();
  ground.createChain([[2, 0], [1, 0], [0, 0]], { data: { name: "hill" } });
  const bytes = world.save();
  for (let i = 0; i < 3; i++) {
    await new Promise(resolve => setTimeout(resolve, 5));
    globalThis.gc();
  }
  const { chain } = [...ground.shapes][0];
  assert.deepEqual(chain.data, { name: "hill" });
  chain.destroy();
  world.restore(bytes);
  assert.equal([...ground.shapes][0].chain, chain);
  world.destroy();
});

test("a point may be an object of the program that asks its body", () => {
  const world = makeWorld(), body = addCrate(world, 7, 3);
  const player = { get x() { return body.position.x; }, get y() { return body.position.y; } };
  const lift = world.createBody({ type: "kinematic", position: player });
  assert.equal(lift.type, "kinematic");
  assert.deepEqual(lift.position, { x: 7, y: 3 });
  body.applyImpulseAt([1, 2], player);
  assert.deepEqual(body.velocity, { x: 1, y: 2 });
  world.destroy();
});

test("a callback about no shape is a warning, and the step succeeds", context => {
  const world = makeWorld(), crate = addCrate(world, 0, 1.4), { mock } = context.mock.method(console, "warn", () => {});
  world.filter = () => false;
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  assert.equal(mock.callCount(), 1);
  assert.match(mock.calls[0].arguments[0], /no shape has .custom_filter/);
  assert.ok(crate.position.y > 1.4);
  world.destroy();
});

test("an exception of one step does not come out of the next call", () => {
  const worlds = [makeWorld(), makeWorld()];
  addCrate(worlds[1], 0, 1.4, { preSolve: true });
  worlds[1].preSolve = () => ({ changed: true, friction: -1 });
  assert.throws(() => { for (let i = 0; i < 20; i++) worldsStep(worlds, 1 / 60); }, { kind: "range" });
  worlds[1].hash();
  worlds[1].preSolve = null;
  worlds[0].destroy();
  assert.throws(() => worldsStep(worlds, 1 / 60), error => String(error.worlds) === "handle,none");
  worlds[1].destroy();
});

test("a recording of C replays with equal hashes", { skip: !process.env.CAIRN_RECORDING }, () => {
  const replay = new Replay(readFileSync(process.env.CAIRN_RECORDING));
  while (replay.at.call < replay.at.calls) replay.next();
  assert.equal(replay.desync, null);
  assert.equal(replay.at.complete, true);
  assert.equal(replay.world.hash().toString(16).padStart(16, "0"), process.env.CAIRN_RECORDING_HASH);
  assert.throws(() => replay.world.destroy(), { kind: "state" });
  replay.destroy();
  assert.throws(() => replay.next(), CairnError);
  assert.throws(() => new Replay(new Uint8Array(100)), { kind: "data" });
});

test("10,000 worlds leave nothing behind", () => {
  const run = count => {
    for (let i = 0; i < count; i++) {
      const world = makeWorld();
      addCrate(world, 0, 1.5);
      world.step(1 / 60);
      world.poses();
      world.createRollback(2).keep(1);
      world.destroy();
    }
  };
  run(1000);
  const before = raw.memory.buffer.byteLength;
  run(9000);
  assert.equal(raw.memory.buffer.byteLength, before);
});

test("a million reads with Into leave nothing on the heap", () => {
  const world = makeWorld(), crate = addCrate(world, 0, 3), out = { x: 0, y: 0 };
  const pose = { position: { x: 0, y: 0 }, rotation: { c: 0, s: 0 } };
  const run = count => {
    for (let i = 0; i < count; i++) {
      crate.positionInto(out);
      crate.velocityInto(out);
      crate.poseInto(pose);
    }
  };
  run(50000);
  const growths = [];
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    run(66667);
    growths.push(process.memoryUsage().heapUsed - before);
  }
  // An object for each read would take 2.4 MB or more in each round. The compiler of JavaScript may
  // work in some of them.
  assert.ok(Math.min(...growths) < 400000, `${growths} bytes for 200,000 reads each`);
  world.destroy();
});

test("using and dispose", () => {
  const world = makeWorld();
  if (Symbol.dispose) world[Symbol.dispose]();
  else world.destroy();
  assert.throws(() => world.hash(), CairnError);
  warmUp(5);
  assert.throws(() => segment([0, 0], [0, 0]), { kind: "shape" });
});
