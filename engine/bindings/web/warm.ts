/* Browsers compile a function of WebAssembly twice: first quickly, and again after some thousand
 * calls, into code that is two to three times as fast. */
import { box, circle, revoluteJoint } from "./calls.js";
import { World } from "./world.js";

/** Takes steps in a world of its own, so that the browser compiles the engine to its fastest code before
 *  your first frame, for example behind a loading screen. Without it the first 600 steps or so of a
 *  small world take more than twice as long. The default takes some tenths of a second. */
export function warmUp(steps = 1000): void {
  const world = new World({ gravity: [0, -10], noSleep: true });
  try {
    world.createBody({ type: "static", position: [0, -1], shapes: [box(100, 1)] });
    for (let i = 0; i < 60; i++) // stacks of 5 boxes, and circles
      world.createBody({ position: [Math.floor(i / 5) * 1.5, 0.5 + (i % 5)], shapes: [i < 50 ? box(0.5, 0.5) : circle(0.5)] });
    let previous = world.createBody({ type: "static", position: [-5, 12] });
    for (let i = 1; i < 10; i++) {
      const link = world.createBody({ position: [-5 - i, 12], shapes: [circle(0.3)] });
      world.createJoint(revoluteJoint(previous, link, [-4.5 - i, 12]));
      previous = link;
    }
    for (let i = 0; i < steps; i++) world.step(1 / 60);
  } finally {
    world.destroy();
  }
}
