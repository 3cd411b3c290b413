// Crates. Click to drop one, drag one with the mouse.
import { World, box } from "cairn2d";

const world = new World({ gravity: [0, -10] }); // metres, seconds, kilograms; y is up
world.createBody({ type: "static", shapes: [box(9, 0.5)] }); // half of the width and height

function drop(position) {
  world.createBody({ position, shapes: [{ hull: box(0.5, 0.5), material: { friction: 0.4 } }] });
}
for (let row = 0; row < 6; row++)
  for (let i = 0; i < 6 - row; i++) drop([1.05 * (i - (5 - row) / 2), 1 + row]);

console.log(`${[...world.bodies].length - 1} crates`);
play(world, { center: [0, 4], width: 20, click: drop });
