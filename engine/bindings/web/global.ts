/** The package as one script, for pages without modules: everything is in `cairn2d`. */
export * from "./index.js";
export { draw, pointAt } from "./draw.js";
export type { Camera } from "./draw.js";
