/* Draws the batches of the canvas with WebGL: one program, one buffer of vertices and one of indices,
 * and the texture of glyphs. A vertex is that of canvas.h: x, y, colour, u, v. */

import type { Demo } from "./exports";

const vertexBytes = 20;

const vertexShader = `#version 300 es
uniform vec2 size;
in vec2 point;
in vec4 color;
in vec2 place;
out vec4 paint;
out vec2 texel;
void main() {
  paint = color;
  texel = place;
  gl_Position = vec4(2.0 * point.x / size.x - 1.0, 1.0 - 2.0 * point.y / size.y, 0, 1);
}`;

const fragmentShader = `#version 300 es
precision mediump float;
uniform sampler2D glyphs;
uniform bool textured;
in vec4 paint;
in highp vec2 texel;
out vec4 result;
void main() {
  result = paint;
  if (textured) result.a *= texture(glyphs, texel).r;
}`;

// The layout of the texture of glyphs: see canvas.h and font.h.
const fontWidth = 256, fontHeight = 192, cell = 16, baseline = 11, mono = 0x100;

function compile(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader {
  const shader = gl.createShader(kind)!;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

function link(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram()!;
  gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, vertexShader));
  gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, fragmentShader));
  ["point", "color", "place"].forEach((name, i) => gl.bindAttribLocation(program, i, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(gl.getProgramInfoLog(program) ?? "WebGL cannot link the program");
  return program;
}

/** Draws the glyphs with a font of the system into the same cells, `scale` times as large, so that
 *  text is sharp on dense screens. Each glyph is stretched towards the width of the demo's own. */
function paintGlyphs(demo: Demo, scale: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(fontWidth * scale);
  canvas.height = Math.round(fontHeight * scale);
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = "#fff";
  for (let index = 0; index < demo.glyphs(); index++) {
    const code = demo.code(index), letter = String.fromCharCode(code % mono), columns = fontWidth / cell;
    const wide = /[a-z0-9]/i.test(letter) ? 0 : 0.7; // Punctuation is not stretched.
    pen.font = code >= mono ? `13px "DejaVu Sans Mono", Menlo, Consolas, monospace`
                            : `13px "DejaVu Sans", Verdana, "Segoe UI", system-ui, sans-serif`;
    const width = pen.measureText(letter).width, advance = demo.advance(code);
    const stretch = Math.min(advance / width, wide && advance / width > 1 ? 1 : 1.15);
    const x = (index % columns) * cell + 1 + (advance - stretch * width) / 2;
    const y = Math.floor(index / columns) * cell + baseline;
    pen.setTransform(scale * stretch, 0, 0, scale, x * scale, y * scale);
    pen.fillText(letter, 0, 0);
  }
  return canvas;
}

export class Screen {
  private readonly gl: WebGL2RenderingContext;
  private sizeAt!: WebGLUniformLocation;
  private texturedAt!: WebGLUniformLocation;
  private fontScale = 0;

  constructor(private readonly canvas: HTMLCanvasElement) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false });
    if (!gl) throw new Error("This browser has no WebGL 2.");
    this.gl = gl;
    canvas.addEventListener("webglcontextlost", event => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.prepare());
    this.prepare();
  }

  /** Creates everything in the memory of the graphics card, again after the context was lost. */
  private prepare(): void {
    const gl = this.gl, program = link(gl);
    gl.useProgram(program);
    this.sizeAt = gl.getUniformLocation(program, "size")!;
    this.texturedAt = gl.getUniformLocation(program, "textured")!;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, vertexBytes, 0);
    gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, vertexBytes, 8);
    gl.vertexAttribPointer(2, 2, gl.FLOAT, false, vertexBytes, 12);
    for (let i = 0; i < 3; i++) gl.enableVertexAttribArray(i);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    this.fontScale = 0;
  }

  /** At scale 1 the glyphs are the demo's own, pixel by pixel. */
  private loadFont(demo: Demo, scale: number): void {
    const gl = this.gl, filter = scale === 1 ? gl.NEAREST : gl.LINEAR;
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true); // so that red is the alpha
    if (scale === 1) {
      const alphas = new Uint8Array(demo.memory.buffer, demo.font(), fontWidth * fontHeight);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, fontWidth, fontHeight, 0, gl.RED, gl.UNSIGNED_BYTE, alphas);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, gl.RED, gl.UNSIGNED_BYTE, paintGlyphs(demo, scale));
    }
    this.fontScale = scale;
  }

  /** Begins a frame. A pixel of the user interface is `scale` pixels of the screen. */
  begin(demo: Demo, scale: number): void {
    const { width, height } = this.canvas;
    if (scale !== this.fontScale) this.loadFont(demo, scale);
    this.gl.viewport(0, 0, width, height);
    this.gl.uniform2f(this.sizeAt, width, height);
  }

  /** The functions that web.c imports. */
  imports(memory: () => WebAssembly.Memory) {
    const gl = this.gl;
    return {
      clear: (color: number): void => {
        gl.disable(gl.SCISSOR_TEST);
        gl.clearColor((color >>> 24) / 255, ((color >> 16) & 255) / 255, ((color >> 8) & 255) / 255, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
      },
      draw: (vertices: number, vertexCount: number, indices: number, indexCount: number, textured: boolean): void => {
        const { buffer } = memory();
        gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array(buffer, vertices, vertexCount * vertexBytes), gl.STREAM_DRAW);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint8Array(buffer, indices, indexCount * 4), gl.STREAM_DRAW);
        gl.uniform1i(this.texturedAt, Number(textured));
        gl.drawElements(gl.TRIANGLES, indexCount, gl.UNSIGNED_INT, 0);
      },
      clip: (x: number, y: number, width: number, height: number): void => {
        if (width < 0) {
          gl.disable(gl.SCISSOR_TEST);
          return;
        }
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(x, this.canvas.height - y - height, width, Math.max(height, 0));
      },
    };
  }
}
