/** Cairn: a 2D rigid-body physics engine. The WebAssembly module is in this file, so an import needs
 *  no await. See `cairn2d/lean` for a module that stands beside it. */
import { base64, frames, size } from "./embedded.js";
import { inflate } from "./inflate.js";
import { instantiateLater } from "./module.js";

instantiateLater(() => new WebAssembly.Module(inflate(base64, size) as BufferSource), frames);

export * from "./api.js";
export { warmUp } from "./warm.js";
