// A module for Cairn 0.1 in TypeScript.
import type { Body, Joint, Tiles } from "cairn2d";
import { World, box, weld } from "cairn2d";

export interface Level {
  world: World;
  crates: Body[];
  map: Tiles | null;
}

export function build(): Level {
  const world = new World({ gravity: [0, -10] });
  const crates: Body[] = [];
  for (let i = 0; i < 3; i++) crates.push(world.body({ position: [i, i] }).shape(box(0.5, 0.5)));
  return { world, crates, map: world.tilesInSlot(0) };
}

export function glue(a: Body, b: Body): Joint {
  const joint = a.world.joint(weld(a, b, a.position));
  joint.setCollideConnected(false);
  return joint;
}

export function sleepers(level: Level): number {
  let count = 0;
  for (const crate of level.crates) if (!crate.awake) count++;
  if (level.map?.get(0, 0)) level.map.set(0, 0, false);
  return count;
}

export const wake = (body: Body) => { body.awake = true; };
