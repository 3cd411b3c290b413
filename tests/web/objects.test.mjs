// The objects of the binding: identity, data, errors, callbacks, events, memory.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const { World, Replay, CairnError, DrawFlags, box, capsule, circle, polygon, raw, revolute, segment, warmUp } =
  await import(`file://${process.env.CAIRN_PACKAGE}/index.js`);

function makeWorld(def = {}) {
  const world = new World({ gravity: [0, -10], ...def });
  world.body({ type: "static" }).shape(box(50, 1));
  return world;
}
const addCrate = (world, x, y, def = {}) => world.body({ position: [x, y] }).shape(box(0.5, 0.5), def);
// The call throws an error of this kind and text, and the world is as before.
function refuses(world, kind, text, call) {
  const before = world.hash();
  assert.throws(call, error => error instanceof CairnError && error.kind === kind && text.test(error.message));
  assert.equal(world.hash(), before);
}

test("the program of the manual", () => {
  const world = new World({ gravity: [0, -10] });
  world.body({ type: "static" }).shape(box(50, 1));
  const crate = world.body({ position: [0, 10] }).shape(box(0.5, 0.5), { density: 2, material: { friction: 0.4 } });
  for (let i = 0; i < 120; i++) world.step(1 / 60);
  assert.equal(crate.position.y.toFixed(3), "1.500");
  world.destroy();
});

test("wrong numbers, stale handles and objects of other worlds are refused", () => {
  const world = makeWorld(), other = makeWorld(), crate = addCrate(world, 0, 5), foreign = addCrate(other, 0, 5);
  refuses(world, "number", /x of the velocity is nan/, () => { crate.velocity = [NaN, 0]; });
  refuses(world, "range", /substeps/, () => { world.substeps = 99; });
  refuses(world, "range", /"fast" is not one of/, () => world.body({ type: "fast" }));
  refuses(world, "handle", /another world/, () => revolute(crate, foreign, [0, 0]));
  refuses(world, "handle", /another world/, () => world.castRay([0, 0], [1, 0], { ignore: foreign }));
  refuses(world, "range", /width|2 values; it must have 4/, () =>
    world.bodyInSlot(0).tiles({ solid: [1, 1], width: 2, height: 2, tileSize: 1 }));
  refuses(world, "state", /dynamic/, () => [...world.bodies][0].applyCenterForce([1, 0]));
  assert.throws(() => polygon([[0, 0], [1, 0]], 0), { kind: "shape" });
  assert.throws(() => new World({ lanes: 1 }), { kind: "range" });
  const shape = [...crate.shapes][0];
  crate.destroy();
  refuses(world, "handle", /stale|destroyed/, () => crate.position);
  refuses(world, "handle", /stale|destroyed/, () => { shape.density = 2; });
  assert.equal(crate.valid, false);
  world.destroy();
  for (const call of [() => world.step(0.1), () => world.hash(), () => world.body(), () => crate.angle,
    () => world.poses(), () => world.events, () => world.rollback(2), () => world.save()])
    assert.throws(call, CairnError);
  other.destroy();
});

test("there is one object for each handle, and it keeps its data", () => {
  const world = makeWorld(), crate = world.body({ position: [0, 2], data: { name: "crate" } });
  const shape = crate.addShape(box(0.5, 0.5), { data: 5 });
  assert.equal(world.bodyInSlot(crate.index), crate);
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
  for (let i = 0; i < 100 && next.index !== crate.index; i++) { // until a body takes its slot
    next = addCrate(world, 5, 9);
    world.step(1 / 60);
  }
  assert.equal(next.index, crate.index);
  assert.equal(world.bodyInSlot(next.index), next);
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
  const world = makeWorld(), crate = addCrate(world, 0, 1.4);
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
  world.beforeStep = dt => { steps += dt; crate.applyCenterForce([0, 1]); };
  assert.equal(world.advance(0.101), 6);
  assert.ok(Math.abs(steps - 0.1) < 1e-6);
  world.beforeStep = () => { throw new TypeError("mine"); };
  assert.throws(() => world.advance(0.1), TypeError);
  world.beforeStep = null;
  world.filter = () => false;
  const ghost = addCrate(world, 5, 1.4);
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  assert.ok(ghost.position.y < -1);
  assert.throws(() => world.castRay([0, 9], [0, -99], { accept: () => { throw new RangeError("mine"); } }), RangeError);
  world.destroy();
});

test("hulls, chains, joints and characters", () => {
  const world = makeWorld(), door = addCrate(world, 0, 3), wall = world.body({ type: "static", position: [-1, 3] });
  const hinge = world.joint(revolute(wall, door, [-0.5, 3]), { angle: { motor: true, speed: 2, motorForce: 500 } });
  for (let i = 0; i < 30; i++) world.step(1 / 60);
  assert.ok(hinge.value("angle") > 0.5);
  hinge.setSpeed("angle", -2);
  assert.equal(hinge.definition.angle.speed, -2);
  const chain = world.body({ type: "static" }).chain([[90, 0], [80, 0], [70, 0]]);
  assert.equal([...chain.segments].length, 2);
  const move = world.moveHull(capsule([0, -0.4], [0, 0.4], 0.3), { position: [9, 2] }, [1, -1], { mass: 80 });
  assert.ok(move.grounded && move.ground.body === world.bodyInSlot(0));
  assert.equal(world.moveHull(circle(0.1), { position: [9, 20] }, [0, 1]).ground, null);
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
    assert.equal(poses[4 * body.index], body.position.x);
    assert.equal(poses[4 * body.index + 1], body.position.y);
  }
  assert.equal(world.poses(), poses, "the same view as long as nothing changed");
  const drawing = world.draw(DrawFlags.shapes);
  assert.equal(drawing.triangles.length, 3 * drawing.triangleVertices);
  assert.ok(drawing.triangleVertices >= 6 * n);
  world.destroy();
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
      world.rollback(2).keep(1);
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
