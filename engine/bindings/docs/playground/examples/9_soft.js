// Lesson 9: soft contacts and substeps. A heavy box on nine light ones.
import { World, box } from "cairn2d";

const COUNT = 10, LOAD = 20, SUBSTEPS = 4, RELAX = true; // RELAX = false: what happens?
const H = 1 / 60 / SUBSTEPS;
const RIGID = { rate: 0.2 / H, scale: 0 }, SOFT = makeSoft(3 / 16, 10); // use RIGID in step()

// A spring that makes `turns` oscillations in a substep, with a damper, solved implicitly.
function makeSoft(turns, damping) {
  const omega = 2 * Math.PI * turns, a2 = omega * (omega + 2 * damping);
  return { rate: omega * omega / (1 + a2) / H, scale: 1 / (1 + a2) };
}

const y = Array.from({ length: COUNT + 1 }, (_, i) => i - 0.5), v = y.map(() => 0);
const inverseMass = i => i === 0 ? 0 : i === COUNT ? 1 / LOAD : 1;
const impulses = Array(COUNT).fill(0);

function push(i, l) {
  v[i] -= l * inverseMass(i);
  v[i + 1] += l * inverseMass(i + 1);
}

// A gap is rigid and may close within the substep. An overlap is soft.
function solve(i, { rate, scale }) {
  const gap = y[i + 1] - y[i] - 1, mass = 1 / (inverseMass(i) + inverseMass(i + 1));
  const bias = gap > 0 ? gap / H : rate * gap, kept = gap > 0 ? 1 : 1 - scale;
  const old = impulses[i];
  impulses[i] = Math.max(kept * (old - mass * (v[i + 1] - v[i])) - mass * bias, 0);
  push(i, impulses[i] - old);
}

function substep() {
  for (let i = 1; i <= COUNT; i++) v[i] -= 10 * H;
  for (let i = 0; i < COUNT; i++) push(i, impulses[i]); // the warm start
  for (let i = 0; i < COUNT; i++) solve(i, SOFT);
  for (let i = 1; i <= COUNT; i++) y[i] += H * v[i];
  if (!RELAX) return;
  for (let i = 0; i < COUNT; i++) solve(i, { rate: 0, scale: 0 }); // takes back the speed of the bias
}

// The same stack in the engine.
const world = new World({ gravity: [0, -10], substeps: SUBSTEPS });
world.createBody({ type: "static", position: [0, -0.5], shapes: [box(9, 0.5)] });
const twins = y.slice(1).map((height, i) => world.createBody({ position: [2, height],
  shapes: [{ hull: box(0.5, 0.5), density: i === COUNT - 1 ? LOAD : 1 }] }));

play(world, {
  center: [0, 5], width: 18,
  step() { for (let i = 0; i < SUBSTEPS; i++) substep(); },
  draw(context) {
    for (let i = 1; i <= COUNT; i++) {
      context.strokeRect(-3.5, y[i] - 0.5, 1, 1);
      if (inverseMass(i) < 1) context.fillRect(-3.5, y[i] - 0.5, 1, 1);
    }
  },
  values: () => ({ "the top box is at, m": y[COUNT],
    "in the engine": twins[COUNT - 1].position.y }),
});
