#!/usr/bin/env python3
"""Guards the speed of steps and queries. It counts instructions, whose number is the same on any
machine.

    instructions.py CAIRN-BENCH [COUNTS]                            compares
    CAIRN_INSTRUCTIONS_WRITE=1 instructions.py CAIRN-BENCH [COUNTS]     writes the file anew

The default of COUNTS is instructions.txt. Each of its lines has a scene, a number of steps, and the
number of instructions that a function takes for these steps, including all functions it calls, as
callgrind counts them. The function stands at the end of the line unless it is cn_world_step(). In
scenes of queries it is query_run(), which runs a batch of queries after each step. More than 5 %
above the count is a failure. If a change is worth more instructions, write the file anew and say so
in the change.

The counts belong to one compiler, one type of build and one SIMD width, which the file names. The
width is 8 lanes, the widest that valgrind can run; wider kernels have the same source. With any
other build, and without valgrind, the script exits with 77, which means "skipped" to Meson.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

import callgrind

TOLERANCE = 0.05
STEP = "cn_world_step"
LANES = 8  # callgrind knows AVX2, but no AVX-512


def describe_build(bench):
    """Returns a text such as "gcc 12, release, 8 lanes"."""
    command = [bench, "--scene", "small-1", "--steps", "2", "--lanes", str(LANES), "--json"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        callgrind.skip(run.stderr.strip())
    result = json.loads(run.stdout)[0]
    compiler = re.match(r"\w+ \d+", result["compiler"])
    return f"{compiler[0] if compiler else result['compiler']}, {result['build']}, {LANES} lanes"


def read_counts(path):
    """Returns the build of the counts, and (scene, steps, count, function) of each line."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1] not in ("#", "")]
    rows = [(line.split() + [STEP])[:4] for line in lines[1:]]
    return lines[0], [(scene, int(steps), int(count), function) for scene, steps, count, function in rows]


def write_counts(path, build, rows):
    comments = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    lines = comments + [build]
    for scene, steps, count, function in rows:
        lines.append(f"{scene} {steps} {count}" + ("" if function == STEP else f" {function}"))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def count_instructions(bench, scene, steps, function):
    command = [bench, "--scene", scene, "--steps", str(steps), "--lanes", str(LANES)]
    return callgrind.count(command, function)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    bench = sys.argv[1]
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).with_suffix(".txt")
    callgrind.need_valgrind()
    build, (known, rows) = describe_build(bench), read_counts(path)
    is_writing = os.environ.get("CAIRN_INSTRUCTIONS_WRITE") == "1"
    if build != known and not is_writing:
        callgrind.skip(f"the counts are of {known}, and this is {build}")

    counted, slower = [], 0
    for scene, steps, before, function in rows:
        now = count_instructions(bench, scene, steps, function)
        counted.append((scene, steps, now, function))
        change = now / before - 1
        is_slower = change > TOLERANCE and not is_writing
        slower += is_slower
        print(f"{scene:14} {steps:4} steps {before:11} -> {now:11} instructions {100 * change:+7.2f} %"
              + ("  too many" if is_slower else ""))
    if is_writing:
        write_counts(path, build, counted)
        print(f"written to {path}")
    elif slower:
        print(f"{slower} of {len(rows)} scenes take over {100 * TOLERANCE:g} % more instructions than "
              f"{path.name} has.\nIf the change is worth it, write the counts anew:\n"
              f"    CAIRN_INSTRUCTIONS_WRITE=1 {sys.argv[0]} {bench}", file=sys.stderr)
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main())
