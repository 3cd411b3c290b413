#!/usr/bin/env python3
"""Adds up what gcov counted, prints lines and branches of engine/ per file and in total, and
compares the lines that no test reached with a list. Run by coverage.sh.

    coverage.py BUILD-FOLDER LIST [--new]

A source that is compiled several times, such as a kernel for each number of lanes, counts once: a
line or branch is covered if any of its copies was. Branches that only throw are left out.

Each line of the list names lines of a file that cannot be reached, by their text:

    engine/FILE.c: TEXT OF THE LINE -- REASON

The script fails if an uncovered line is not listed, and if a listed one is covered or is no longer
there. --new prints the lines that are missing in the list, in this form."""
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

LEAST_BRANCHES = 95.0


def read_counts(build, root):
    """Counts of lines and of branches by file: {file: {line: [hits, {branch: hits}]}}"""
    files = collections.defaultdict(dict)
    data = [p for p in pathlib.Path(build).resolve().rglob("*.gcda")
            if "engine_" in p.name and "manifold_lanes" not in str(p)]
    if not data:
        sys.exit("no .gcda files: was the suite run?")
    with tempfile.TemporaryDirectory() as folder:
        for p in data:
            command = ["gcov", "--json-format", "--branch-probabilities", "--stdout", str(p)]
            text = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout
            if text[:2] == b"\x1f\x8b":
                text = gzip.decompress(text)
            for record in text.splitlines():
                if record.strip():
                    add_record(files, json.loads(record), pathlib.Path(build), root)
    return files


def add_record(files, record, build, root):
    for file in record["files"]:
        folder = pathlib.Path(record.get("current_working_directory", build))
        path = (folder / file["file"]).resolve()
        if root / "engine" not in path.parents:
            continue
        lines = files[path.relative_to(root).as_posix()]
        for line in file["lines"]:
            entry = lines.setdefault(line["line_number"], [0, {}])
            entry[0] += line["count"]
            for i, branch in enumerate(b for b in line["branches"] if not b["throw"]):
                entry[1][i] = entry[1].get(i, 0) + branch["count"]


def read_list(path):
    """The reasons by file and text of the line."""
    listed = {}
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            place, _, reason = line.rpartition(" -- ")
            file, _, text = place.partition(": ")
            if not reason or not text:
                sys.exit(f"{path}: no reason: {line}")
            listed[file, text.strip()] = reason
    return listed


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def print_file(name, lines):
    hit = sum(1 for hits, _ in lines.values() if hits)
    branches = [h for _, b in lines.values() for h in b.values()]
    taken = sum(1 for h in branches if h)
    print(f"{name:44} lines {hit:5}/{len(lines):5} {percent(hit, len(lines)):6.2f} %   "
          f"branches {taken:5}/{len(branches):5} {percent(taken, len(branches)):6.2f} %")
    return hit, len(lines), taken, len(branches)


def main():
    build, list_path = sys.argv[1:3]
    root = pathlib.Path(__file__).resolve().parents[2]
    files, listed = read_counts(build, root), read_list(list_path)
    totals = [0, 0, 0, 0]
    uncovered, covered = set(), set()
    for name in sorted(files):
        counts = print_file(name, files[name])
        totals = [a + b for a, b in zip(totals, counts)]
        texts = (root / name).read_text(encoding="utf-8").splitlines()
        for number, (hits, _) in files[name].items():
            (covered if hits else uncovered).add((name, texts[number - 1].strip(), number))
    hit, lines, taken, branches = totals
    print(f"{'engine':44} lines {hit:5}/{lines:5} {percent(hit, lines):6.2f} %   "
          f"branches {taken:5}/{branches:5} {percent(taken, branches):6.2f} %")
    missing = sorted((n, number, t) for n, t, number in uncovered if (n, t) not in listed)
    left = {(n, t) for n, t, _ in uncovered}
    stale = sorted(key for key in listed if key not in left)
    for name, number, text in missing:
        is_new = "--new" in sys.argv
        print(f"{name}: {text} -- " if is_new else f"{name}:{number}: not covered: {text}")
    for name, text in stale:
        print(f"{name}: listed, but covered or no longer there: {text}")
    print(f"{len(uncovered)} lines are not covered, {len(missing)} of them not listed; "
          f"{len(stale)} listed in vain")
    is_good = not missing and not stale and percent(taken, branches) >= LEAST_BRANCHES
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
