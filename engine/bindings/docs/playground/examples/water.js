// Water. A sensor with a density. Click to drop a ball.
import { World, box, circle } from "cairn2d";

const world = new World({ gravity: [0, -10] });
function wall(x, y, width, height) {
  world.createBody({ type: "static", position: [x, y], shapes: [box(width, height)] });
}
wall(0, -0.5, 9, 0.5);
wall(-8.5, 2, 0.5, 3);
wall(8.5, 2, 0.5, 3);
world.createBody({ type: "static", position: [0, 1.5], shapes: [
  { hull: box(8, 1.5), sensor: true, medium: { density: 2, linearDrag: 1.5, angularDrag: 1 } }] });

// The water has 2 kg/m^2: lighter shapes float.
for (const [i, density] of [0.4, 0.8, 1.2, 1.6, 3].entries())
  world.createBody({ position: [-5 + 2.5 * i, 5], shapes: [{ hull: box(0.7, 0.5), density }] });
play(world, { center: [0, 3], width: 20,
  click: position => world.createBody({ position, shapes: [{ hull: circle(0.5), density: 1 }] }) });
