/* Plays what the demo mixes. Browsers allow sound only after a gesture, so the first key, click or
 * touch starts it. The samples are asked for a little ahead, in pieces that follow each other. */

import type { Demo } from "./exports";

const rate = 44100; // MIXER_RATE of mixer.h
const pairs = 1024; // of samples in a piece
const ahead = 0.08; // s
const every = 20; // ms

export class Sound {
  private context: AudioContext | undefined;
  private end = 0; // of the last piece, s

  constructor(private readonly demo: Demo) {
    const start = (): void => {
      if (!this.context) this.open();
      else if (this.context.state === "suspended") void this.context.resume();
    };
    for (const gesture of ["pointerdown", "keydown", "touchend"]) window.addEventListener(gesture, start, true);
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) void this.context?.suspend();
      else void this.context?.resume();
    });
  }

  private open(): void {
    if (typeof AudioContext === "undefined") return;
    this.context = new AudioContext({ sampleRate: rate });
    this.demo.hush(); // what happened before
    window.setInterval(() => this.feed(), every);
  }

  /** Without a sound to play nothing is scheduled. */
  private feed(): void {
    const { context, demo } = this;
    if (!context || context.state !== "running") return;
    if (demo.is_silent()) return;
    this.end = Math.max(this.end, context.currentTime + 0.01);
    while (this.end < context.currentTime + ahead) {
      this.play(context, new Float32Array(demo.memory.buffer, demo.mix(pairs), 2 * pairs));
      this.end += pairs / rate;
    }
  }

  private play(context: AudioContext, samples: Float32Array): void {
    const buffer = context.createBuffer(2, pairs, rate), source = context.createBufferSource();
    for (let side = 0; side < 2; side++) {
      const channel = buffer.getChannelData(side);
      for (let i = 0; i < pairs; i++) channel[i] = samples[2 * i + side]!;
    }
    source.buffer = buffer;
    source.connect(context.destination);
    source.start(this.end);
  }

  /** For tests: what the device is doing. */
  get state(): string {
    return this.context?.state ?? "off";
  }
}
