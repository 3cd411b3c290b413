#!/usr/bin/env python3
"""Measures the Python binding. It is not a test, because the figures depend on the load of the
machine.

    speed.py LANDER_LOOP [ROUNDS]      LANDER_LOOP: the program made from demo/gym/lander_loop.c

The landers of Python and of C run in turn; the medians of the rounds are compared.
"""
import pathlib
import re
import statistics
import subprocess
import sys
import timeit

import numpy as np

import cairn2d as cn

LANDER = pathlib.Path(__file__).resolve().parents[3] / "demo" / "gym" / "lander.py"


def measure_reads():
    world = cn.World()
    bodies = [world.create_body(position=(i, 0), shapes=[cn.circle(0.4)]) for i in range(1000)]
    group, out = cn.Bodies(bodies), np.empty((1000, 4), np.float32)
    for name, call in {"1000 poses": world.poses, "1000 poses into an array":
                       lambda: world.poses(out=out), "1000 states": world.body_states,
                       "1000 velocities of a group": lambda: group.velocity,
                       "one position": lambda: bodies[5].position}.items():
        times = timeit.repeat(call, repeat=9, number=200)
        print(f"{name:28} {statistics.median(times) / 200 * 1e6:8.2f} us (best "
              f"{min(times) / 200 * 1e6:.2f})")
    def make_bodies():
        with cn.World() as w:
            for i in range(1000):
                w.create_body(position=(i, 0), shapes=[cn.circle(0.4)])
    make = timeit.repeat(make_bodies, repeat=5, number=1)
    print(f"{'1000 bodies made':28} {statistics.median(make) * 1e3:8.2f} ms (best "
          f"{min(make) * 1e3:.2f})")


def measure_landers(loop, rounds):
    steps = "400"
    programs = {
        "C, a plain loop": [loop, "256", steps],
        "Batch, 1 thread": [sys.executable, LANDER, "--speed", "--steps", steps, "--threads", "1"],
        "Batch, 2 threads": [sys.executable, LANDER, "--speed", "--steps", steps, "--threads", "2"]}
    found, hashes = {name: [] for name in programs}, set()
    for _ in range(rounds):
        for name, command in programs.items():
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            *speeds, hash_ = re.findall(r"(\d+) (?:steps )?per second|hash (\w+)", text)
            found[name].append([float(speed) for speed, _ in speeds])
            hashes.add(hash_[1])
    assert len(hashes) == 1, f"the hashes differ: {hashes}"
    base = [statistics.median(s[i] for s in found["C, a plain loop"]) for i in (0, 1)]
    for name, speeds in found.items():
        wall, work = (statistics.median(s[i] for s in speeds) for i in (0, 1))
        print(f"{name:20} {wall:8.0f} steps/s ({base[0] / wall:.2f} x the time of C), "
              f"{work:8.0f} per second of work ({base[1] / work:.2f} x)")


if __name__ == "__main__":
    measure_reads()
    measure_landers(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7)
