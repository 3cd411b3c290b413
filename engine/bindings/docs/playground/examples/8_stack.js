// Lesson 8: a stack. Sequential impulses, a clamped sum, and the warm start.
import { World, box } from "cairn2d";

const COUNT = 10, SWEEPS = 20, WARM = true; // WARM = false: what happens?
const H = 1 / 60, SLOP = 0.005;

// The boxes of a straight stack move only up and down. Body 0 is the ground.
const y = Array.from({ length: COUNT + 1 }, (_, i) => i - 0.5), v = y.map(() => 0);
const inverseMass = i => i === 0 ? 0 : 1;
const impulses = Array(COUNT).fill(0); // contact i is between the bodies i and i + 1
let residuals = [];

function push(i, l) {
  v[i] -= l * inverseMass(i);
  v[i + 1] += l * inverseMass(i + 1);
}

// Solves one contact as if there were no others. Returns by how much a speed changed.
function solve(i) {
  const gap = y[i + 1] - y[i] - 1, mass = 1 / (inverseMass(i) + inverseMass(i + 1));
  const bias = gap > 0 ? gap / H : 0.2 / H * Math.min(gap + SLOP, 0);
  const old = impulses[i];
  impulses[i] = Math.max(old - mass * (v[i + 1] - v[i] + bias), 0); // the sum is clamped
  push(i, impulses[i] - old);
  return Math.abs(impulses[i] - old) / mass;
}

function step() {
  for (let i = 1; i <= COUNT; i++) v[i] -= 10 * H;
  for (let i = 0; i < COUNT; i++) WARM ? push(i, impulses[i]) : impulses[i] = 0;
  residuals = [];
  for (let k = 0; k < SWEEPS; k++) {
    let most = 0;
    for (let i = 0; i < COUNT; i++) most = Math.max(most, solve(i));
    residuals.push(most);
  }
  for (let i = 1; i <= COUNT; i++) y[i] += H * v[i];
}

// The same stack in the engine.
const world = new World({ gravity: [0, -10] });
world.createBody({ type: "static", position: [0, -0.5], shapes: [box(9, 0.5)] });
const twins = y.slice(1).map(height => world.createBody({ position: [2, height],
  shapes: [box(0.5, 0.5)] }));

play(world, {
  center: [0, 5], width: 18, step,
  draw(context) {
    for (let i = 1; i <= COUNT; i++) context.strokeRect(-3.5, y[i] - 0.5, 1, 1);
    // The residual of each sweep. One metre upwards is a factor of ten; the line is 1 mm/s.
    context.strokeRect(-8.5, 3, 4, 0);
    context.beginPath();
    residuals.forEach((r, k) => context.lineTo(-8.5 + 0.2 * k, 6 + Math.max(Math.log10(r), -9)));
    context.stroke();
  },
  values: () => ({ "the top box is at, m": y[COUNT], "in the engine": twins[COUNT - 1].position.y,
    "the ground bears, N s": impulses[0] }),
});
