// A module for Cairn 0.1 in TypeScript.
import type { Body, Joint, Grid } from "cairn2d";
import { World, box, weldJoint } from "cairn2d";

export interface Level {
  world: World;
  crates: Body[];
  map: Grid | null;
}

export function build(): Level {
  const world = new World({ gravity: [0, -10] });
  const crates: Body[] = [];
  for (let i = 0; i < 3; i++) crates.push(world.createBody({ position: [i, i], shapes: [box(0.5, 0.5)] }));
  return { world, crates, map: world.gridInSlot(0) };
}

export function glue(a: Body, b: Body): Joint {
  const joint = a.world.createJoint(weldJoint(a, b, a.position));
  joint.collideConnected = false;
  return joint;
}

export function sleepers(level: Level): number {
  let count = 0;
  for (const crate of level.crates) if (crate.asleep) count++;
  if (level.map?.solid(0, 0)) level.map.setSolid(0, 0, false);
  return count;
}

export const wake = (body: Body) => { body.asleep = false; };
