// Lesson 6: one bounce. The yellow box is solved by hand, the other one by the engine.
import { World, box } from "cairn2d";

const TILT = 0.4, E = 0.5; // rad; restitution. Change them
const H = 1 / 60 / 16;     // s: the step of the yellow box

// A box of 1 m and 1 kg: its inertia is (1 + 1) / 12.
const own = { x: -2.5, y: 3, angle: TILT, vx: 0, vy: 0, w: 0, m: 1, I: 1 / 6, hit: 0 };

// The lever arms of the corners, from the centre.
function arms({ angle }) {
  const c = Math.cos(angle) / 2, s = Math.sin(angle) / 2;
  return [[c - s, s + c], [-c - s, -s + c], [-c + s, -s - c], [c + s, s - c]];
}

// The ground answers at the corner with the lever arm r. Its normal is n = (0, 1).
function bounce(b, [rx]) {
  const vn = b.vy + b.w * rx; // the speed of the corner along n
  if (vn >= 0) return;        // it leaves already
  const mass = 1 / (1 / b.m + rx * rx / b.I); // the effective mass: r x n = rx
  const l = -(1 + (vn < -1 ? E : 0)) * vn * mass; // N s
  b.vy += l / b.m;
  b.w += rx * l / b.I;
  b.hit ||= l;
}

function move(b) {
  b.vy -= 10 * H;
  b.x += b.vx * H, b.y += b.vy * H, b.angle += b.w * H;
  for (const r of arms(b)) if (b.y + r[1] < 0) bounce(b, r);
}

// The same box in the engine.
const world = new World({ gravity: [0, -10] });
world.createBody({ type: "static", position: [0, -0.5], shapes: [
  { hull: box(8, 0.5), material: { frictionless: true } }] });
const twin = world.createBody({ position: [2.5, 3], angle: TILT, shapes: [
  { hull: box(0.5, 0.5), hitEvents: true, material: { restitution: E, frictionless: true } }] });
let twinHit = 0;

play(world, {
  center: [0, 2.5], width: 14,
  step() {
    for (let i = 0; i < 16; i++) move(own);
    twinHit ||= world.events.hits[0]?.impulse ?? 0;
  },
  draw(context) {
    context.beginPath();
    for (const [x, y] of arms(own)) context.lineTo(own.x + x, own.y + y);
    context.closePath();
    context.stroke();
  },
  values: () => ({ "impulse of the first hit, N s": own.hit, "in the engine": twinHit }),
});
