// A character. Click into the world, then walk and jump with the arrow keys.
import { World, box, capsule } from "cairn2d";

const world = new World({ gravity: [0, -20] });
world.createBody({ type: "static", shapes: [box(12, 0.5)] });
for (const [x, y] of [[-6, 1.2], [-3, 2.6], [1, 3.8], [6, 2]])
  world.createBody({ type: "static", position: [x, y], shapes: [box(1.2, 0.2)] });
for (let i = 0; i < 5; i++)
  world.createBody({ position: [4, 0.9 + 0.8 * i], shapes: [box(0.4, 0.4)] });

// Without friction it does not stick to walls. It does not tip over.
const hero = world.createBody({ position: [-9, 1.3], lockRotation: true, noSleep: true });
hero.createShape(capsule([0, -0.4], [0, 0.4], 0.3),
  { density: 3, material: { frictionless: true } });

let jumped = false;
function step() {
  const under = hero.ground([0, 1], 0.785); // up to 45 degrees; null in the air
  const stick = keys.has("ArrowRight") - keys.has("ArrowLeft");
  let { y } = hero.velocity;
  if (keys.has("ArrowUp") && under && !jumped) y = 9;
  jumped = keys.has("ArrowUp");
  hero.velocity = [5 * stick + (under?.velocity.x ?? 0), y];
}
play(world, { center: [0, 3.5], width: 22, step,
  values: () => ({ ground: hero.ground([0, 1], 0.785) ? "yes" : "no" }) });
