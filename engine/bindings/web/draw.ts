/** Draws a world on a 2D canvas, for first pages and for debugging. It works with `cairn2d` and
 *  with `cairn2d/lean`. */
import type { DrawFlags } from "./calls.js";
import type { Drawing } from "./world.js";
import type { Vec2, Vec2Like } from "./wasm.js";

/** What the canvas shows. y is up. */
export interface Camera {
  /** The point of the world in the middle of the canvas, in m. The default is the origin. */
  center?: Vec2Like;
  /** Pixels of the canvas per metre. The default is 40. */
  scale?: number;
}
// The compiler checks these numbers. An import of the values would be an import of everything.
const SHAPES: typeof DrawFlags.shapes = 1, JOINTS: typeof DrawFlags.joints = 256;

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const pointOf = (v: Vec2Like) => "x" in v ? v : { x: v[0], y: v[1] };

function view({ canvas }: Pick<Context, "canvas">, { center = [0, 0], scale = 40 }: Camera) {
  const { x, y } = pointOf(center);
  return { scale, x: canvas.width / 2 - scale * x, y: canvas.height / 2 + scale * y };
}

/** Draws the world over what is on the canvas: erase that first. `flags` is a sum of values of
 *  DrawFlags; the default is shapes and joints. */
export function draw(
  context: Context, world: { draw(flags: number): Drawing }, camera: Camera = {},
  flags: number = SHAPES | JOINTS,
): void {
  const { scale, x, y } = view(context, camera), { triangles, lines } = world.draw(flags);
  context.save();
  context.setTransform(scale, 0, 0, -scale, x, y);
  context.lineWidth = 1.5 / scale;
  trace(context, triangles, 9, color => { context.fillStyle = color; context.fill(); });
  trace(context, lines, 6, color => { context.strokeStyle = color; context.stroke(); });
  context.restore();
}

/** The point of the world at a pixel of the canvas, for example of a click. */
export function pointAt(context: Pick<Context, "canvas">, camera: Camera, pixel: Vec2Like): Vec2 {
  const from = view(context, camera), { x, y } = pointOf(pixel);
  return { x: (x - from.x) / from.scale, y: (from.y - y) / from.scale };
}

/** One path for neighbours of the same color, so no gaps are seen between the triangles of a shape.
 *  `size` numbers are a triangle or a line: x, y and a color for each vertex. */
function trace(
  context: Context, vertices: Float32Array, size: number, paint: (color: string) => void,
): void {
  const colors = new Uint32Array(vertices.buffer, vertices.byteOffset, vertices.length);
  for (let i = 0; i < vertices.length;) {
    const color = colors[i + 2]!;
    context.beginPath();
    for (; colors[i + 2] === color; i += size) {
      context.moveTo(vertices[i]!, vertices[i + 1]!);
      for (let k = 3; k < size; k += 3) context.lineTo(vertices[i + k]!, vertices[i + k + 1]!);
    }
    paint("#" + color.toString(16).padStart(8, "0"));
  }
}
