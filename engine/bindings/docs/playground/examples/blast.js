// Explosions. Click to set one off.
import { World, box } from "cairn2d";

const world = new World({ gravity: [0, -10] });
world.createBody({ type: "static", shapes: [box(12, 0.5)] });
for (const x of [-11.5, 11.5])
  world.createBody({ type: "static", position: [x, 5], shapes: [box(0.5, 5)] });
for (let column = 0; column < 7; column++)
  for (let row = 0; row < 6; row++)
    world.createBody({ position: [2 * column - 6, 1 + row], shapes: [box(0.5, 0.5)] });

let rings = [];
play(world, {
  center: [0, 4.5], width: 26,
  click(point) {
    const pushed = world.explode({ position: point, radius: 1, falloff: 4,
      impulsePerLength: 12, blocked: true }); // boxes shield what is behind them
    console.log(`${pushed} shapes are pushed`);
    rings.push({ point, age: 0 });
  },
  step(dt) {
    for (const ring of rings) ring.age += dt;
    rings = rings.filter(ring => ring.age < 0.4);
  },
  draw(context) { // in metres, y up
    for (const { point: [x, y], age } of rings) {
      context.globalAlpha = 1 - age / 0.4;
      context.beginPath();
      context.arc(x, y, 1 + 10 * age, 0, 7);
      context.stroke();
    }
  },
});
