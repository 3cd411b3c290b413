/* Browsers compile WebAssembly twice: quickly, and after some thousand calls of a function again,
 * into code that is two to three times as fast. */
import { box, circle, revolute } from "./calls.js";
import { World } from "./world.js";

/** Steps a world of its own for some milliseconds, so that the browser compiles the engine to its
 *  fastest code before your first frame, for example behind a loading screen. Without it the first
 *  steps of a small world take more than twice as long. Returns the number of steps. */
export function warmUp(milliseconds = 150): number {
  const world = new World({ gravity: [0, -10], noSleep: true });
  try {
    world.body({ type: "static", position: [0, -1] }).shape(box(100, 1));
    for (let i = 0; i < 160; i++)
      world.body({ position: [(i % 16) * 1.2, 0.5 + Math.floor(i / 16)] }).shape(i % 32 < 24 ? box(0.5, 0.5) : circle(0.5));
    let previous = world.body({ type: "static", position: [-5, 12] });
    for (let i = 1; i < 10; i++) {
      const link = world.body({ position: [-5 - i, 12] }).shape(circle(0.3));
      world.joint(revolute(previous, link, [-4.5 - i, 12]));
      previous = link;
    }
    let steps = 0;
    for (const end = performance.now() + milliseconds; performance.now() < end; steps++) world.step(1 / 60);
    return steps;
  } finally {
    world.destroy();
  }
}
