#!/usr/bin/env python3
"""Checks how costs grow: with twice as many objects, a call or step may cost twice as much.

    growth.py COST              checks all cases
    growth.py COST CASE...      checks these

COST is the program of the folder cost. It runs each case with n objects and with 2 n, and callgrind
counts the instructions. If a cost is proportional to n^e, then e is log2(second count / first count).
A case fails if e is above 1.2, which allows n log n. Some cases have other limits:

    FREE_CASES    0.2: sleepers and things far away cost nothing, and shapes that a query does not
                  meet do not make it slower
    EXCEPTIONS    each has its limit and the reason
    KNOWN         the same, for costs that still grow too fast

Without valgrind the script exits with 77, which means "skipped" to Meson.
"""
import math
import sys

import callgrind

LIMIT = 1.2  # n log n is 1.14 from 500 to 1000
FREE = 0.2
NOTHING = 4  # instructions per object: less growth counts as none, for example of sets of bits

# Cases whose cost must not depend on n.
FREE_CASES = """
    advance-sleepers dig-one-of-chunks dig-one-of-grid cast-in-chunks explode-few move-in-chunks
    nearest-in-chunks one-created-of-sleepers one-created-of-statics one-destroyed-of-sleepers
    one-destroyed-of-statics one-falls-asleep-of-sleepers one-moved-of-statics
    one-moves-past-sleepers one-wakes-of-sleepers overlap-in-chunks ray-at-first-of-all
    ray-beside-sensors ray-in-chunks record-sleepers step-disabled
    step-far-chunks step-fields-over-sleepers step-idle-fields step-idle-sensors
    step-kinematics-at-rest step-lonely-sleepers step-one-on-grid step-sensor-heap
    step-sensors-over-sleepers step-sensors-over-statics step-sleepers step-sleepers-in-field
    step-sleepers-in-sensor step-sleepers-on-chunks step-statics step-statics-in-sensor
""".split()

# Limits of their own, each with its reason.
EXCEPTIONS = {
    "step-heap": (2.7, "every circle touches every other one, in ever more colours"),
    "decompose": (2.0, "an outline has at most 512 points"),
}

# Costs that still grow too fast: limits, which may only fall, and the causes.
_LOOKED_AT = "a step visits each of them"
KNOWN = {
    "step-kinematics-at-rest": (0.9, _LOOKED_AT),
    "step-idle-sensors": (0.9, _LOOKED_AT),
    "step-idle-fields": (1.0, _LOOKED_AT),
    "step-sensor-heap": (0.6, _LOOKED_AT),
    "step-sleepers-on-chunks": (0.4, "a step visits each of the grids"),
}


def limit_of(case):
    for limits in (EXCEPTIONS, KNOWN):
        if case in limits:
            return limits[case][0]
    return FREE if case in FREE_CASES else LIMIT


def exponent(few, many, n):
    """Returns e of n^e; 0 if the cost grows by less than NOTHING."""
    return 0 if many - few <= NOTHING * n else math.log2(many / few)


def check(case, n, few, many):
    """Prints the line of a case. Returns whether it is within its limit."""
    e, limit = exponent(few, many, n), limit_of(case)
    verdict = "" if e <= limit else f"  above {limit:g}"
    print(f"{case:36} {n:5} {few:11} {2 * n:5} {many:11} {few / n:11.1f} each  n^{e:.2f}{verdict}")
    return e <= limit


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    callgrind.need_valgrind()
    rows, counts = callgrind.count_calls([sys.argv[1], "growth", *sys.argv[2:]], "cost_count")
    unknown = (set(EXCEPTIONS) | set(KNOWN) | set(FREE_CASES)) - {case for case, _ in rows}
    if unknown and len(sys.argv) == 2:
        sys.exit(f"growth: there are no such cases: {', '.join(sorted(unknown))}")
    bad = sum(not check(rows[i][0], int(rows[i][1]), counts[i], counts[i + 1])
              for i in range(0, len(rows), 2))
    print(f"{bad} of {len(rows) // 2} costs grow too fast")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
