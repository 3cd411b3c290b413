#!/usr/bin/env python3
"""Checks how well workers can share the steps of the ten large scenes. `cairn-bench --cores`
predicts it from one thread. These two figures of it hardly depend on the machine:

    barriers   per step: how often all workers wait for the last one. Exact for a SIMD width
    serial     the share of a step on 8 cores in which only one worker works, in %

    cores.py CAIRN-BENCH [BARS]                     compares
    CAIRN_CORES_WRITE=1 cores.py CAIRN-BENCH [BARS]     writes the bars anew

The default of BARS is cores.txt. Each of its lines has a scene, a number of steps, and the two
figures. Write the file anew after a change that lowers them. Work of one worker that is shared costs
barriers of 0.8 us: a bar of barriers may rise only with such a change, and only if the serial share
falls by more than they take. The serial share is a ratio of times, which other programs disturb: it
fails only if it exceeds twice its bar by more than 5 %. A stage that is no longer shared does.
"""
import json
import os
import pathlib
import subprocess
import sys

import callgrind

CORES, LANES, RUNS = 8, 8, 3
FACTOR, EXCESS = 2, 5  # of the bar of the serial share; %
COMMON = ["--cores", str(CORES), "--lanes", str(LANES), "--repeat", str(RUNS), "--json"]


def measure(bench, scene, steps):
    """Returns the barriers per step and the serial share in %."""
    run = subprocess.run([bench, *COMMON, "--scene", scene, "--steps", str(steps)],
                         capture_output=True, text=True, check=False)
    if "this machine" in run.stderr:
        callgrind.skip(run.stderr.strip())
    if run.returncode:
        sys.exit(run.stderr)
    result = json.loads(run.stdout)[0]
    return result["barriers"], 100 * result["serial_us"] / result["step_us"]


def main():
    bench = sys.argv[1]
    path = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).with_name("cores.txt"))
    lines, failures = path.read_text(encoding="utf-8").splitlines(), 0
    for k, line in enumerate(lines):
        if line.startswith("#"):
            continue
        scene, steps, bar, share_bar = line.split()
        barriers, share = measure(bench, scene, int(steps))
        bad = barriers > float(bar) + 0.05 or share > FACTOR * float(share_bar) + EXCESS
        failures += bad
        print(f"{scene:15} {barriers:7.1f} barriers (bar {bar}), {share:5.1f} % serial (bar {share_bar})"
              f"{'  ABOVE ITS BAR' if bad else ''}")
        lines[k] = f"{scene} {steps} {barriers:.1f} {share:.1f}"
    if "CAIRN_CORES_WRITE" in os.environ:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"written to {path}")
        return 0
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
