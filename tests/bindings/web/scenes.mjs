// The four scenes of tests/bindings/reach/scenes.c, built through the objects of the binding:
//
//     node scenes.mjs PACKAGE-FOLDER        prints the lines of tests/bindings/reach/hashes.txt
import { pathToFileURL } from "node:url";

const { World, box, circle, regularPolygon, revoluteJoint, segment } =
  await import(pathToFileURL(`${process.argv[2]}/index.js`).href);

function add(world, type, x, y, hull) {
  return world.createBody({ type, position: [x, y], shapes: [{ hull, density: 1, material: { friction: 0.6 } }] });
}
const addGround = world => add(world, "static", 0, -1, box(100, 1));

function makePyramid(world) {
  addGround(world);
  for (let row = 0; row < 40; row++)
    for (let i = 0; i < 40 - row; i++) add(world, "dynamic", i + row * 0.5 - 19.5, 0.5 + row, box(0.5, 0.5));
}

function makeBin(world) {
  addGround(world);
  for (const side of [-1, 1]) add(world, "static", side * 13, 20, box(1, 20));
  for (let i = 0; i < 1000; i++) {
    const hull = [() => circle(0.4), () => box(0.4, 0.4), () => regularPolygon(3, 0.5), () => regularPolygon(6, 0.45)][i % 4]();
    const row = Math.floor(i / 20), column = i % 20;
    add(world, "dynamic", column * 1.1 - 10.45 + (row % 2) * 0.3, 2 + row * 1.1, hull);
  }
}

function makeStacks(world) {
  world.createBody({ type: "static", shapes: [{ hull: segment([-1000, 0], [1000, 0]), material: { friction: 0.6 } }] });
  for (let i = 0; i < 100; i++)
    add(world, "dynamic", Math.floor(i / 10) * 1.5, 0.25 + (i % 10) * 0.5, box(0.25, 0.25));
}

function makeNet(world) {
  const net = [];
  for (let row = 0; row < 30; row++)
    for (let x = 0; x < 30; x++) {
      const y = 0 - row; // not -row, which is -0 in the first row
      const hangs = row > 0 || (x > 0 && x < 29);
      const body = net[30 * row + x] = add(world, hangs ? "dynamic" : "static", x, y, circle(0.2));
      if (x > 0) world.createJoint(revoluteJoint(net[30 * row + x - 1], body, [x - 0.5, y]));
      if (row > 0) world.createJoint(revoluteJoint(net[30 * (row - 1) + x], body, [x, y + 0.5]));
    }
}

for (const [name, steps, make] of [["pyramid40", 300, makePyramid], ["bin1000", 600, makeBin],
  ["stacks100", 600, makeStacks], ["net30", 300, makeNet]]) {
  const world = new World({ gravity: [0, -10], noSleep: true });
  make(world);
  const hashes = [];
  for (let i = 1; i <= steps; i++) {
    world.step(1 / 60);
    if (i === 100 || i === steps) hashes.push(world.hash().toString(16).padStart(16, "0"));
  }
  console.log(name, ...hashes);
  world.destroy();
}
