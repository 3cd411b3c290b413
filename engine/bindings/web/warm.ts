/* Browsers compile a function of WebAssembly twice: first quickly, and again after some thousand
 * calls, into code that is two to three times as fast. */
import { box, circle, revolute } from "./calls.js";
import { World } from "./world.js";

/** Takes steps in a world of its own, so that the browser compiles the engine to its fastest code before
 *  your first frame, for example behind a loading screen. Without it the first 600 steps or so of a
 *  small world take more than twice as long. The default takes some tenths of a second. */
export function warmUp(steps = 1000): void {
  const world = new World({ gravity: [0, -10], noSleep: true });
  try {
    world.body({ type: "static", position: [0, -1] }).shape(box(100, 1));
    for (let i = 0; i < 60; i++) // stacks of 5 boxes, and circles
      world.body({ position: [Math.floor(i / 5) * 1.5, 0.5 + (i % 5)] }).shape(i < 50 ? box(0.5, 0.5) : circle(0.5));
    let previous = world.body({ type: "static", position: [-5, 12] });
    for (let i = 1; i < 10; i++) {
      const link = world.body({ position: [-5 - i, 12] }).shape(circle(0.3));
      world.joint(revolute(previous, link, [-4.5 - i, 12]));
      previous = link;
    }
    for (let i = 0; i < steps; i++) world.step(1 / 60);
  } finally {
    world.destroy();
  }
}
