#!/usr/bin/env python3
"""Checks that one unusual object does not make everything else slow.

    beside.py COST             checks all crowds
    beside.py COST CROWD...    checks these

COST is the program of the folder cost. It steps each crowd of bodies alone, then with one object
more, most of them 5 km away. Callgrind counts the instructions of a step. The object's own cost is
what it adds to a world with nothing else. The factor of an object beside a crowd is

    crowd with object / (crowd alone + object's own cost)

A pair fails if it takes more than 1.3 times that sum plus 3,000 instructions a step. PER_BODY lists
objects that cost more by design: an allowance for each body that moves, and none for bodies at
rest. PAIRS has the limits of single pairs. The own cost of an object that does nothing is at most
IDLE_COST, or its entry in STAGE_COSTS.

Without valgrind the script exits with 77, which means "skipped" to Meson.
"""
import sys

import callgrind

STEPS = 4         # counted together
LIMIT = 1.3
ALLOWANCE = 3000  # instructions a step
IDLE_COST = 500   # instructions a step
# The own cost of the stages that only worlds with sensors or fields run.
STAGE_COSTS = {"idle-sensor": 800, "sensor-over": 800, "idle-field": 1000, "field-over": 1000}
EMPTY, ALONE = "nothing", "-"

# These objects do nothing.
IDLE = """
    idle-sensor idle-field tile-grid chain kinematic-at-rest one-way-platform bouncy-wall conveyor
    huge-static-box sleeping-pile disabled-body idle-joint sensor-over field-over rollback drawn-poses
""".split()

# The crowds in which nothing moves.
AT_REST = "sleeping-boxes sleeping-in-sensor static-boxes kinematic-at-rest".split()
FEW = 2  # an object beside them has at most this many bodies that move

# Instructions a step that are allowed for each body that moves, and why.
PER_BODY = {
    "sensor-over": (2500, "the gap between a body that moves and a sensor is measured"),
    "field-over": (4000, "the part of a body that is inside is measured"),
    "recording": (6000, "the recording has a hash of each body, joint and contact that changed"),
    "drawn-poses": (50, "the poses before the step are kept"),
    "move-events": (100, "the poses before and after the step are compared"),
}

# Factors of single pairs, and why.
PAIRS = {
    ("fast-boxes", "sensor-over"): (6, "the paths of fast bodies are swept through the sensor"),
    ("fast-boxes", "field-over"): (7, "the paths of fast bodies are swept through the sensor"),
    # These still cost too much: the limits may only fall.
    ("sleeping-in-sensor", "compound-of-100"): (1.6, "the sensor looks at each shape that moves"),
    ("kinematic-at-rest", "recording"): (1.8, "each kinematic body is looked at"),
    ("kinematic-at-rest", "drawn-poses"): (2.2, "the pose of each kinematic body is kept"),
    ("kinematic-at-rest", "move-events"): (1.9, "each kinematic body is looked at"),
}


def own_cost(costs, item):
    return costs[EMPTY, item] - costs[EMPTY, ALONE]


def most(costs, moving, crowd, item):
    """Returns the most instructions that a step of the crowd with the object may take."""
    usual = costs[crowd, ALONE] + own_cost(costs, item)
    if (crowd, item) in PAIRS:
        return usual * PAIRS[crowd, item][0]
    return LIMIT * usual + ALLOWANCE + moving[crowd, item] * PER_BODY.get(item, (0,))[0]


def check_pair(costs, moving, crowd, item):
    """Prints the line of an object beside a crowd. Returns whether it is within its limit."""
    base, own, both = costs[crowd, ALONE], own_cost(costs, item), costs[crowd, item]
    limit = most(costs, moving, crowd, item)
    print(f"{crowd:20} {item:20} {base:10.0f} + {own:6.0f} -> {both:10.0f}   "
          f"x {both / (base + own):6.2f}" + (f"  above {limit:.0f}" if both > limit else ""))
    return both <= limit


def check_alone(costs, item):
    """Prints the line of an object in an empty world. Returns whether it is within its limit."""
    own = own_cost(costs, item)
    limit = STAGE_COSTS.get(item, IDLE_COST)
    bad = item in IDLE and own > limit
    print(f"{EMPTY:20} {item:20} {costs[EMPTY, ALONE]:10.0f} + {own:6.0f}"
          + (f"  above {limit}" if bad else ""))
    return not bad


def measure(program, crowds):
    """Returns the instructions of a step, and the bodies that move, by (crowd, object)."""
    names = [EMPTY, *crowds] if crowds else []
    rows, counts = callgrind.count_calls([program, "beside", *names], "cost_count")
    for crowd, item, moving in rows:
        if crowd in AT_REST and int(moving) > FEW:
            sys.exit(f"beside: {moving} bodies move in {crowd} with {item}")
    return ({(crowd, item): total / STEPS for (crowd, item, _), total in zip(rows, counts)},
            {(crowd, item): int(moving) for crowd, item, moving in rows})


def check_names(costs):
    names = {name for pair in costs for name in pair} | {crowd for crowd, _ in PAIRS}
    unknown = ({*IDLE, *PER_BODY} | {item for _, item in PAIRS}) - names
    if unknown:
        sys.exit(f"beside: there are no such objects: {', '.join(sorted(unknown))}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    callgrind.need_valgrind()
    costs, moving = measure(sys.argv[1], sys.argv[2:])
    check_names(costs)
    pairs = [(crowd, item) for crowd, item in costs if item != ALONE]
    bad = sum(not (check_alone(costs, item) if crowd == EMPTY else
                   check_pair(costs, moving, crowd, item)) for crowd, item in pairs)
    print(f"{bad} of {len(pairs)} objects cost too much")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
