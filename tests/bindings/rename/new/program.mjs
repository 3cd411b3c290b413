// A program for Cairn 0.1 in JavaScript.
import { World, box, circle, regularPolygon, revoluteJoint } from "cairn2d";

const world = new World({ gravity: [0, -10], profiling: true });
const ground = world.createBody({ type: "static" });
const tiles = ground.createGrid({ solid: [1, 1, 1, 1], width: 4, height: 1, tileSize: 1 });
world.createBody({ type: "static", position: [20, 0], shapes: [box(5, 1)] });

class Player {
  constructor(x, y) {
    this.enabled = true; // not that of a body
    this.body = world.createBody({ position: [x, y], maxSpeed: 40, data: this,
      shapes: [{ hull: box(0.5, 0.5), density: 2, material: { friction: 0.4 } }, circle(0.3)] });
  }
  get stands() {
    return this.body.ground([0, 1], 0.795399) !== null;
  }
  jump() {
    this.body.applyImpulse([0, 5 * this.body.mass]);
    this.body.asleep = false;
  }
  freeze(on) {
    this.body.disabled = on;
    this.enabled = !on;
  }
}

function makeWheel(x, y) {
  const wheel = world.createBody({ position: [x, y], shapes: [{ hull: regularPolygon(6, 0.5), hitEvents: true }] });
  return wheel;
}

const player = new Player(1, 3), wheel = makeWheel(8, 3);
const hinge = world.createJoint(revoluteJoint(ground, wheel, [8, 3]), { angle: { motor: true, motorSpeed: 1, maxMotorForce: 50 } });
const lift = world.createBody({ type: "kinematic", position: [12, 0], shapes: [box(1, 0.2)] });
wheel.pose = { position: wheel.position, angle: 0.2 };
lift.setTarget({ position: [12, 1] }, 1);
hinge.setMotorSpeed("angle", 2);
wheel.applyImpulseAt([0, 1], wheel.center);

for (let i = 0; i < 60; i++) {
  world.step(1 / 60);
  for (const { a, b } of world.events.begins) if (a.grid ?? b.grid) console.log("tile", a.tile, b.tile);
}
player.jump();
player.freeze(false);
tiles.setSolid(0, 0, false);
for (const body of world.bodies) if (body.asleep) console.log("asleep", body.slot);
const hit = world.castRay([0, 9], [0, -20], { mask: 2 });
console.log(hit?.side.grid === tiles, world.overlapPoint([8, 3]).length, tiles.solid(1, 0), player.stands);
console.log(world.bodyStates(false).filter(state => !state.asleep).length, hinge.rate("angle").toFixed(1));
console.log(box(1, 1).collide({ position: [0, 0] }, circle(1), { position: [1, 0] }, 0).points.length);
world.destroy();
