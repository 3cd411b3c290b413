// Calls of Cairn 0.1 that need a person.
import { World, box } from "cairn2d";
const world = new World();
const crate = world.createBody();
World.stepAll([world], 1 / 60);
for (const push of [crate.applyForce, crate.setPose]) push();
crate.disabled ||= true;
console.log(crate.ground([0, 1], Math.acos(least)), box(1, 1).mtv(a, box(1, 1), b), world.draw("grids"));
