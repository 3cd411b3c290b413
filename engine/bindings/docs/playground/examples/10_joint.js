// Lesson 10: a joint. A hinge is two rows, solved at once.
import { World, box, revoluteJoint } from "cairn2d";

const H = 1 / 60 / 16;                            // s
const PIN = [-2.5, 5], ARM = 2;                   // m: the hinge is at the end of a bar
const m = 2 * ARM * 0.2, I = m * ((2 * ARM) ** 2 + 0.2 ** 2) / 12;

// The bar begins level. Its centre is at PIN + r, where r is turned by the angle.
const bar = { x: PIN[0] + ARM, y: PIN[1], angle: 0, vx: 0, vy: 0, w: 0 };
let force = 0;                                    // N, of the hinge

function substep(b) {
  b.vy -= 10 * H;
  // The lever arm, from the centre to the hinge.
  const rx = -ARM * Math.cos(b.angle), ry = -ARM * Math.sin(b.angle);
  // The speed of this point must become what closes the gap to the pin.
  const wantX = 0.2 / H * (PIN[0] - b.x - rx), wantY = 0.2 / H * (PIN[1] - b.y - ry);
  const dx = wantX - (b.vx - b.w * ry), dy = wantY - (b.vy + b.w * rx);
  // An impulse (lx, ly) there changes the speed by K l. K is a matrix of 2 by 2: invert it.
  const a = 1 / m + ry * ry / I, c = -rx * ry / I, d = 1 / m + rx * rx / I, det = a * d - c * c;
  const lx = (d * dx - c * dy) / det, ly = (a * dy - c * dx) / det;
  b.vx += lx / m, b.vy += ly / m, b.w += (rx * ly - ry * lx) / I;
  b.x += H * b.vx, b.y += H * b.vy, b.angle += H * b.w;
  force = Math.hypot(lx, ly) / H;
}

// The same pendulum in the engine.
const world = new World({ gravity: [0, -10], noSleep: true });
const post = world.createBody({ type: "static", position: [2.5, 5], shapes: [box(0.1, 0.1)] });
const twin = world.createBody({ position: [2.5 + ARM, 5], shapes: [box(ARM, 0.1)] });
world.createJoint(revoluteJoint(post, twin, [2.5, 5]));

play(world, {
  center: [0, 3.5], width: 16,
  step() { for (let i = 0; i < 16; i++) substep(bar); },
  draw(context) {
    context.fillRect(PIN[0] - 0.1, PIN[1] - 0.1, 0.2, 0.2);
    context.translate(bar.x, bar.y);
    context.rotate(bar.angle);
    context.strokeRect(-ARM, -0.1, 2 * ARM, 0.2);
  },
  values: () => ({ "angle, rad": bar.angle, "in the engine": twin.angle,
    "the hinge bears, N": force }),
});
