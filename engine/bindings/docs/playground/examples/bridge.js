// A bridge. Planks on hinges, and what falls on them.
import { World, box, circle, regularPolygon, revoluteJoint } from "cairn2d";

const world = new World({ gravity: [0, -10] });
const bank = x => world.createBody({ type: "static", position: [x, 3], shapes: [box(0.5, 0.5)] });
let before = bank(-7);
for (let i = 0; i < 13; i++) {
  const plank = world.createBody({ position: [-6 + i, 3.4],
    shapes: [{ hull: box(0.48, 0.1), density: 5 }] });
  world.createJoint(revoluteJoint(before, plank, [-6.5 + i, 3.4]));
  before = plank;
}
world.createJoint(revoluteJoint(before, bank(7), [6.5, 3.4]));

const forms = [() => circle(0.4), () => box(0.5, 0.3), () => regularPolygon(5, 0.5)];
let count = 0, time = 0;
play(world, {
  center: [0, 3], width: 18,
  step(dt) { // before each step of 1/60 s
    time += dt;
    if (time < count || count === 20) return;
    const hull = forms[count % 3]();
    world.createBody({ position: [4 * Math.cos(2.4 * count), 9], shapes: [hull] });
    count++;
  },
  values: () => ({ "on the bridge": count }),
});
