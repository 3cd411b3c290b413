// Lesson 7: friction. A row along the surface, whose impulse stays in a cone.
import { World, box, rotationOf } from "cairn2d";

const ANGLE = 0.4, MU = 0.5, SPEED = 2; // rad; friction; m/s down the slope. Change them
const H = 1 / 60 / 4;                   // s

const { c, s } = rotationOf(-ANGLE);    // the slope falls to the right
const t = [c, s], n = [-s, c];          // along the slope, and away from it
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];

// The yellow box does not turn, so its mass is 1 kg for every push.
const own = { at: [-6, 3], v: [SPEED * t[0], SPEED * t[1]], slid: 0 };
function push(b, [x, y], l) { b.v = [b.v[0] + l * x, b.v[1] + l * y]; }

function step(b) {
  b.v[1] -= 10 * H;
  const normal = Math.max(-dot(b.v, n), 0); // push, never pull
  push(b, n, normal);
  const limit = MU * normal;                // the cone
  push(b, t, Math.max(-limit, Math.min(-dot(b.v, t), limit)));
  b.at = [b.at[0] + H * b.v[0], b.at[1] + H * b.v[1]];
  b.slid += H * dot(b.v, t);
}

// The same box in the engine, on the same slope.
const world = new World({ gravity: [0, -10] });
const at = own.at.map((x, i) => x - 0.35 * n[i]); // the slope is 0.35 m below the centre
world.createBody({ type: "static", position: at, angle: -ANGLE, shapes: [
  { hull: box(30, 0.1), material: { friction: MU } }] });
const start = [...own.at];
const twin = world.createBody({ position: start, angle: -ANGLE, velocity: own.v, shapes: [
  { hull: box(0.5, 0.25), material: { friction: MU } }] });
const slid = ({ x, y }) => dot([x - start[0], y - start[1]], t);

play(world, {
  center: [0, 1], width: 18,
  step() { for (let i = 0; i < 4; i++) step(own); },
  draw(context) {
    context.translate(...own.at);
    context.rotate(-ANGLE);
    context.strokeRect(-0.5, -0.25, 1, 0.5);
  },
  values: () => ({ "it has slid, m": own.slid, "in the engine": slid(twin.position) }),
});
