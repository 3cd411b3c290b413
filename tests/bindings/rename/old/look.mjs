// Calls of Cairn 0.1 that need a person.
import { World, box, overlap } from "cairn2d";
const world = new World();
const crate = world.body();
World.stepAll([world], 1 / 60);
for (const push of [crate.applyForce, crate.setPose]) push();
crate.enabled ||= true;
console.log(crate.ground([0, 1], least), overlap(box(1, 1), a, box(1, 1), b), world.draw("tiles"));
