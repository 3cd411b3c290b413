// A program for Cairn 0.1 in JavaScript.
import { World, box, circle, collide, regular, revolute } from "cairn2d";

const world = new World({ gravity: [0, -10], profile: true });
const ground = world.body({ type: "static" });
const tiles = ground.tiles({ solid: [1, 1, 1, 1], width: 4, height: 1, tileSize: 1 });
world.body({ type: "static", position: [20, 0] }).shape(box(5, 1));

class Player {
  constructor(x, y) {
    this.enabled = true; // not that of a body
    this.body = world.body({ position: [x, y], speedLimit: 40, data: this })
      .shape(box(0.5, 0.5), { density: 2, material: { friction: 0.4 } })
      .shape(circle(0.3));
  }
  get stands() {
    return this.body.ground([0, 1], 0.7) !== null;
  }
  jump() {
    this.body.applyCenterImpulse([0, 5 * this.body.mass.mass]);
    this.body.awake = true;
  }
  freeze(on) {
    this.body.enabled = !on;
    this.enabled = !on;
  }
}

function makeWheel(x, y) {
  const wheel = world.body({ position: [x, y] }).shape(regular(6, 0.5), { hitEvents: true });
  return wheel;
}

const player = new Player(1, 3), wheel = makeWheel(8, 3);
const hinge = world.joint(revolute(ground, wheel, [8, 3]), { angle: { motor: true, speed: 1, motorForce: 50 } });
const lift = world.body({ type: "kinematic", position: [12, 0] }).shape(box(1, 0.2));
wheel.setPose(wheel.position, 0.2);
lift.setTarget([12, 1], 0, 1);
hinge.setSpeed("angle", 2);
wheel.applyImpulse([0, 1], wheel.center);

for (let i = 0; i < 60; i++) {
  world.step(1 / 60);
  for (const { a, b } of world.events.begins) if (a.tiles ?? b.tiles) console.log("tile", a.tile, b.tile);
}
player.jump();
player.freeze(false);
tiles.set(0, 0, false);
for (const body of world.bodies) if (!body.awake) console.log("asleep", body.index);
const hit = world.castRay([0, 9], [0, -20], { filter: { mask: 2 } });
console.log(hit?.side.tiles === tiles, world.at([8, 3]).length, tiles.get(1, 0), player.stands);
console.log(world.states(false).filter(state => state.awake).length, hinge.speed("angle").toFixed(1));
console.log(collide(box(1, 1), { position: [0, 0] }, circle(1), { position: [1, 0] }, 0).points.length);
world.destroy();
