#!/usr/bin/env python3
"""Compares two measurements of cairn-bench. Prints how many times as fast each scene is now, the
bounds of this ratio, and whether both did the same work.

    compare.py BEFORE [AFTER]     default of AFTER: the standard input

Both are output of `cairn-bench --json`:

    cairn-bench --repeat 5 --json > before.json                   run this before a change
    cairn-bench --repeat 5 --json | compare.py before.json        and this after the change

Exits with 2 if a file cannot be read. Rooms (`cairn-bench --rooms --json`) can be compared, too.
"""
import json
import math
import sys

# The numbers and names that must agree, with their names in the output.
WORK = {"hash": "hash", "steps": "steps", "queries": "queries", "results": "results", "rooms": "rooms",
        "bodies": "bodies", "awake": "awake", "joints": "joints", "touching": "touching",
        "awake_sum": "awake sum"}
CONDITIONS = {"cpu": "processor", "compiler": "compiler", "build": "build", "substeps": "substeps",
              "threads": "threads", "lanes": "lanes"}


# ---------------------------------------------------------------------------------------- reading

def check_results(results):
    """Returns what is wrong with the results of a file; None if they can be compared."""
    if not isinstance(results, list) or not results:
        return "contains no scenes"
    for i, result in enumerate(results, 1):
        ms = result.get("ms") if isinstance(result, dict) else None
        mean = ms.get("mean") if isinstance(ms, dict) else None
        if not isinstance(mean, (int, float)) or not mean > 0 or not result.get("scene"):
            return f'item {i} has no "scene" or no "ms": {{"mean"}}'
    return None


def read(path):
    """Returns the list of results in a file. Ends the program if the file has none."""
    name = path or "the standard input"
    try:
        if path:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        else:
            text = sys.stdin.read()
        results = json.loads(text)
    except (OSError, UnicodeError) as error:
        fail(f"cannot read {name}: {getattr(error, 'strerror', None) or error}")
    except (ValueError, RecursionError) as error: # lists of lists of lists
        place = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else error
        fail(f"{name} is not the output of --json: {place}")
    problem = check_results(results)
    if problem:
        fail(f"{name}: {problem}")
    return results


def fail(problem):
    print(f"compare.py: {problem}", file=sys.stderr)
    sys.exit(2)


# -------------------------------------------------------------------------------------- comparing

def key_of(result):
    return result["scene"], result.get("engine", "cairn")


def differences(names, before, after):
    """The values that both have and that are different, as text."""
    return ", ".join(f"{title} {before[name]} -> {after[name]}" for name, title in names.items()
                     if name in before and name in after and before[name] != after[name])


def is_single_run(result):
    return result.get("repeat", 1) < 2


def spread_of(before, after):
    """The bounds of the ratio: the slowest run of one side against the best run of the other."""
    if is_single_run(before) or is_single_run(after):
        return "(one run)"
    low = before["ms"]["mean"] / after["ms"].get("slowest", after["ms"]["mean"])
    high = before["ms"].get("slowest", before["ms"]["mean"]) / after["ms"]["mean"]
    return f"({low:.2f}..{high:.2f})"


def print_pair(before, after):
    old, new = before["ms"]["mean"], after["ms"]["mean"]
    scene, engine = key_of(after)
    print(f"{scene:<16} {engine:<16} {old:10.6f} {new:10.6f} {old / new:7.2f} {spread_of(before, after)}")
    work = differences(WORK, before, after)
    if work:
        print(f"    different work: {work}")


def print_mean(pairs):
    """Prints the geometric mean of the ratios of Cairn. Leaves out scenes with other steps."""
    logs = [math.log(before["ms"]["mean"] / after["ms"]["mean"]) for before, after in pairs
            if key_of(after)[1] == "cairn" and before.get("steps") == after.get("steps")]
    if logs:
        print(f"cairn is {math.exp(sum(logs) / len(logs)):.2f} times as fast as before (geometric mean of "
              f"{len(logs)} scene{'s' if len(logs) > 1 else ''})")


def print_single_runs(pairs):
    """Prints a remark if a side has a single run, because then the ratio may be noise."""
    before = any(is_single_run(pair[0]) for pair in pairs)
    now = any(is_single_run(pair[1]) for pair in pairs)
    if before or now:
        side = "on each side" if before and now else "before" if before else "now"
        print(f"only one run {side}: the spread of the runs is not known, so a ratio may be noise.\n"
              "Measure both sides with --repeat 5 or more.")


def compare(old, new):
    known = {key_of(result): result for result in reversed(old)}  # the first of equal keys
    pairs = [(known[key_of(result)], result) for result in new if key_of(result) in known]
    for scene, engine in map(key_of, new):
        if (scene, engine) not in known:
            print(f"{scene} of {engine} is not in the file to compare with")
    print(f"{'scene':<16} {'engine':<16} {'ms before':>10} {'ms now':>10} {'ratio':>7} "
          "(range, from the spread of the runs)")
    for before, after in pairs:
        print_pair(before, after)
    print_mean(pairs)
    print_single_runs(pairs)
    conditions = differences(CONDITIONS, old[0], new[0])
    if conditions:
        print(f"different conditions: {conditions}")


def main():
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    old = read(sys.argv[1])
    compare(old, read(sys.argv[2] if len(sys.argv) > 2 else None))


if __name__ == "__main__":
    main()
