// The README's program, and one of everything, for `tsc --strict`.
import {
  box, CairnError, capsule, circle, revoluteJoint, World, worldsStep,
  type Body, type Contact, type HitEvent, type Side, type Vec2,
} from "cairn2d";

interface Sprite { draw(x: number, y: number, cosine: number, sine: number): void }
declare module "cairn2d" {
  interface Data { body: Sprite; chain: { name: string } }
}

const world = new World({ gravity: [0, -10] });
world.createBody({ type: "static", shapes: [box(50, 1)] });
const crate: Body = world.createBody({ position: [0, 10], data: { draw() {} },
  shapes: [{ hull: box(0.5, 0.5), density: 2, material: { friction: 0.4 } }] });
const wheel = world.createBody({ position: { x: 2, y: 4 }, shapes: [{ hull: circle(0.4), hitEvents: true }] });
const hinge = world.createJoint(revoluteJoint(crate, wheel, [1, 4]), { angle: { motor: true, motorSpeed: 3 } });
hinge.setMotorSpeed("angle", -3);

let stick = 0;
world.beforeStep = dt => { stick += dt; crate.applyForce([40 * stick, 0]); };
world.preSolve = (contact: Contact) => contact.friction > 0.5 ? { changed: true, friction: 0.1 } : undefined;
world.filter = (a, b) => a !== b;
world.advance(1 / 60);

for (const hit of world.events.hits) report(hit);
function report(hit: HitEvent): string {
  return `${hit.approachSpeed} ${hit.a.body.data ? "sprite" : ""} ${hit.b.shape?.density ?? 0}`;
}
const poses: Float32Array = world.poses();
for (const body of world.bodies) {
  const at = 4 * body.slot;
  body.data?.draw(poses[at], poses[at + 1], poses[at + 2], poses[at + 3]);
}
const place: Vec2 = crate.position;
crate.position = [place.x, 5];
crate.type = "kinematic";
const hill = world.createBody({ type: "static" }).createChain([[2, 0], [1, 0], [0, 0]], { data: { name: "hill" } });
hill.data?.name.toUpperCase();
const out = { x: 0, y: 0 };
crate.positionInto(out);

const hit = world.castRay([0, 20], [0, -40], { accept: (side: Side) => side.body !== crate });
if (hit) hit.normal.x.toFixed(2);
const move = world.moveHull(capsule([0, -0.4], [0, 0.4], 0.3), { position: [5, 3], angle: 0 }, [0.1, 0]);
for (const push of move.pushes) push.side.body.applyImpulseAt(push.impulse, push.point);
const state: Uint8Array = world.save();
World.load(state).destroy();
const hash: bigint = world.hash();

// @ts-expect-error: no such type of body
world.createBody({ type: "statc" });
// @ts-expect-error: a vector has two numbers
crate.velocity = [1];
// @ts-expect-error: no such property
world.createBody({ postion: [0, 0] });
// @ts-expect-error: a shape needs a hull
world.createBody({ shapes: [{ density: 1 }] });
// @ts-expect-error: no such property
world.createBody({ shapes: [{ hull: box(1, 1), densty: 1 }] });
// @ts-expect-error: data is a Sprite
crate.data = 5;

// A world that names the types of its data itself.
interface Level { body: { hits: number }; shape: "head" | "foot"; joint: symbol }
const level = new World<Level>({ gravity: [0, -10] });
const player = level.createBody({ data: { hits: 0 }, shapes: [{ hull: box(1, 1), data: "head" }] });
for (const { a } of level.events.hits) if (a.shape?.data === "foot" && a.body.data) a.body.data.hits++;
for (const { data } of player.shapes) data satisfies "head" | "foot" | undefined;
level.preSolve = ({ a }) => a.body.data?.hits ? { disabled: true } : undefined;
const rope = level.createJoint(revoluteJoint(player, level.createBody(), [0, 0]), { data: Symbol("rope") });
rope.definition.a.data?.hits.toFixed();
level.castRay([0, 0], [1, 0], { accept: ({ body }) => body.data?.hits === 0 })?.side.body.data?.hits.toFixed();
const loaded = World.load<Level>(level.save());
for (const body of loaded.bodies) body.data?.hits.toFixed();
// Functions for worlds with any types of data.
const measure = (some: World<unknown>): number => some.counters().bodies;
measure(level);
worldsStep([world, level, new World<{ body: number }>()], 1 / 60);
// The types of data that are not named are unknown.
const ground: unknown = level.createBody().createChain([[2, 0], [1, 0], [0, 0]], { data: 5 }).data;
// @ts-expect-error: data has hits
level.createBody({ data: { name: "player" } });
// @ts-expect-error: no such foot
player.createShape(box(1, 1), { data: "hand" });
// @ts-expect-error: data may be undefined
player.data.hits++;

try {
  level.destroy();
  world.destroy();
} catch (error) {
  if (error instanceof CairnError && error.kind === "handle") throw new Error(error.message + hash + (error.worlds?.[0] === "none") + ground);
}
