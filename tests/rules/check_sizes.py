#!/usr/bin/env python3
"""Checks the sizes of the core and of the parts: the table in engine/README.md, the line "Size: ..."
in the README of each part, and the rounded number in README.md. Exits with 1 if a size is wrong.

    check_sizes.py [--library FILE --build NAME] [--wasm FOLDER] [--write] [ROOT]
    check_sizes.py --self-test

  lines     of code in .c and .h: those that have more than comments. Must be exact.
  library   bytes of code and data, in kB (1000 bytes), of the objects in the static library FILE, at
            all SIMD widths. A size belongs to one compiler and type of build. The table names it,
            and other builds (NAME) are not compared. 4 % and 0.5 kB of difference are allowed.
  wasm      kB of cairn.wasm as build.mjs --module makes it, without wasm-opt: of the core alone, of
            all parts, and what each part adds to the core with the parts that it needs. They
            are built in FOLDER. Without clang, wasi-libc and node, and with another clang than the
            table names, they are not compared. Without --write only those of the core and of all
            parts are. The same difference is allowed.

--write replaces the sizes that are wrong. It replaces sizes in bytes only with the options for them.
With a new NAME it replaces all sizes of the library, and with another clang all of WebAssembly. The
parts are the folders of engine/parts/ with a README.
"""
import argparse
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import house
from c_source import read_lines

SKIPPED = 77
TOLERANCE, LEAST = 0.04, 0.5  # fraction, kB
CORE, SUM = "core", "together"
COLUMNS = ("lines", "library", "wasm")
HEAD = ("<!-- sizes -->\n| | lines of code | library: {library} | wasm: {wasm} |\n"
        "|---|--:|--:|--:|\n")
START = re.compile(re.escape(HEAD).replace(r"\{library\}", "(?P<library>.*)").replace(
    r"\{wasm\}", "(?P<wasm>.*)"))
END = "<!-- end of sizes -->\n"
ABOUT = re.compile(r"The core has about [\d,]+ lines of code")
SIZE = re.compile(r"^Size: .*\n", re.MULTILINE)


def part_of(path, parts):
    """The row of a file below engine/: its part, or the core, also for the table of parts."""
    return path.parts[2] if path.parts[1] == "parts" and path.parts[2] in parts else CORE


# ---- measuring: sizes by row

def add_up(sizes):
    return {**sizes, SUM: sum(sizes.values())}


def count_lines(root, parts):
    sizes = dict.fromkeys([CORE, *parts], 0)
    for path in house.find_sources(root, "engine"):
        if path.parts[1] in ("core", "parts"):
            text = (root / path).read_text(encoding="utf-8")
            sizes[part_of(path, parts)] += len({t.line for line in read_lines(text) for t in line})
    return add_up(sizes)


def measure_library(file, parts):
    """Reads the sizes of the objects. Their names begin with the folders of their sources."""
    sizes = dict.fromkeys([CORE, *parts], 0)
    text = subprocess.run(["size", file], capture_output=True, text=True, check=True).stdout
    for code, data, name in re.findall(r"^\s*(\d+)\s+(\d+)\s+\d+\s+\d+\s+\w+\s+(\S+)", text,
                                       re.MULTILINE):
        found = re.match(r"engine_parts_([a-z]+)_", name)
        sizes[found[1] if found and found[1] in parts else CORE] += (int(code) + int(data)) / 1000
    missing = [part for part in parts if sizes[part] == 0]
    if missing:
        sys.exit(f"check_sizes.py: {file} has no objects of {', '.join(missing)}")
    return add_up(sizes)


def name_clang():
    """The clang for WebAssembly, such as "clang 14"; None if something is missing."""
    needed = all(map(shutil.which, ["clang", "wasm-ld", "llvm-ar", "meson", "node"]))
    source = "#include <stdlib.h>\nint main(void) { return 0; }\n"
    if not needed or subprocess.run(
            ["clang", "--target=wasm32-wasi", "-x", "c", "-", "-o", os.devnull], input=source,
            text=True, capture_output=True, check=False).returncode:
        return None
    version = subprocess.run(["clang", "--version"], capture_output=True, text=True, check=True)
    return "clang " + re.search(r"version (\d+)", version.stdout)[1]


@functools.cache
def build_wasm(root, folder, *names):
    """The size of cairn.wasm with these parts, in kB."""
    wanted = ",".join(names) or "none"
    run = subprocess.run(
        ["node", root / "engine/bindings/web/build.mjs", folder / wanted.replace(",", "_"),
         "--parts", wanted, "--module"], capture_output=True, text=True, check=False)
    size = re.search(r"^cairn\.wasm: (\d+) bytes", run.stdout, re.MULTILINE)
    if run.returncode or not size:
        sys.exit(f"check_sizes.py: build.mjs fails: {run.stderr}")
    return int(size[1]) / 1000


def measure_wasm(root, folder, parts, is_complete):
    sizes = {CORE: build_wasm(root, folder), SUM: build_wasm(root, folder, "all")}
    for part in parts if is_complete else []:
        needs = house.needed_parts(root, part)
        sizes[part] = (build_wasm(root, folder, *sorted([*needs, part])) -
                       build_wasm(root, folder, *sorted(needs)))
    return sizes


# ---- the table

def read_table(text):
    """The builds that the table names, and its sizes: by column, then by row."""
    start = START.search(text)
    sizes = {column: {} for column in COLUMNS}
    for line in text[start.end():text.index(END)].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for column, cell in zip(COLUMNS, cells[1:]):
            if cell[:1].isdigit():
                sizes[column][re.sub(r"\[|\].*", "", cells[0])] = float(re.sub("[^0-9.]", "", cell))
    return start.groupdict(), sizes


def show(column, size):
    if size is None:
        return "-"
    return f"{size:,.0f}" if column == "lines" else f"{size:,.{0 if size >= 100 else 1}f} kB"


def make_table(builds, sizes, parts):
    rows = "".join(
        f"| {name if name in (CORE, SUM) else f'[{name}](parts/{name}/README.md)'} | "
        + " | ".join(show(column, sizes[column].get(name)) for column in COLUMNS) + " |\n"
        for name in [CORE, *parts, SUM])
    return HEAD.format(**builds) + rows + END


def describe_part(sizes, part):
    texts = {"lines": "{} lines of code", "library": "{} in the library", "wasm": "{} of WebAssembly"}
    known = [text.format(show(column, sizes[column][part])) for column, text in texts.items()
             if part in sizes[column]]
    return f"Size: {', '.join(known)}.\n"


def is_near(column, size, other):
    if column == "lines":
        return size == other
    return abs(size - other) <= max(TOLERANCE * max(size, other), LEAST)


def update(known, measured):
    """The sizes of the table after those that differ are replaced, and a list of the differences:
    column, row, known size, size. Sizes that were not measured stay."""
    sizes, wrong = {column: dict(known[column]) for column in COLUMNS}, []
    for column, found in measured.items():
        for name, size in found.items():
            before = known[column].get(name)
            if before is None or not is_near(column, before, size):
                wrong.append((column, name, before, size))
                sizes[column][name] = size
    return sizes, wrong


def update_texts(root, builds, sizes, parts):
    """Yields the READMEs that are not as they should be, with their new texts."""
    map_file = root / "engine/README.md"
    files = [(map_file, START.pattern + r"(?:.*\n)*?" + re.escape(END), make_table(builds, sizes, parts))]
    files += [(root / "engine/parts" / part / "README.md", SIZE.pattern, describe_part(sizes, part))
              for part in parts]
    files.append((root / "README.md", ABOUT.pattern, "The core has about "
                  f"{500 * round(sizes['lines'][CORE] / 500):,} lines of code"))
    for path, pattern, made in files:
        text = path.read_text(encoding="utf-8")
        found = re.search(pattern, text, re.MULTILINE)
        new = text[:found.start()] + made + text[found.end():] if found else text.rstrip("\n") + "\n" + made
        if new != text:
            yield path, new


def check(root, options):
    parts = house.list_parts(root)
    builds, known = read_table((root / "engine/README.md").read_text(encoding="utf-8"))
    measured, names = {"lines": count_lines(root, parts)}, {"library": options.build}
    is_skipped = False
    if options.wasm:
        names["wasm"] = name_clang()
        is_skipped = not names["wasm"] or names["wasm"] != builds["wasm"] and not options.write
    for column in ("library", "wasm"):
        if not getattr(options, column) or not names[column]:
            continue
        if names[column] != builds[column] and not options.write:
            print(f"the sizes in {column} are of {builds[column]}, and this is {names[column]}")
            continue
        if names[column] != builds[column]:
            known[column] = {}
        builds[column] = names[column]
        measured[column] = (measure_library(options.library, parts) if column == "library" else
                            measure_wasm(root, options.wasm.resolve(), parts, options.write))
    sizes, wrong = update(known, measured)
    for column in COLUMNS:  # of parts that are gone
        sizes[column] = {name: size for name, size in sizes[column].items()
                         if name in (CORE, SUM, *parts)}
    for column, name, before, size in wrong:
        print(f"{name}: {column} {show(column, before)} -> {show(column, size)}")
    texts = list(update_texts(root, builds, sizes, parts))
    for path, text in texts:
        if options.write:
            path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(root)} is {'written' if options.write else 'out of date'}")
    if texts and not options.write:
        print(f"write it anew: {' '.join(sys.argv)} --write")
        return 1
    print(f"{len(parts)} parts, {', '.join(measured)}: {'written' if texts else 'as in the table'}")
    return SKIPPED if is_skipped else 0


# ---- the self-test

def self_test():
    files = {
        "README.md": "The core has about 0 lines of code.\n",
        "engine/README.md": "Before.\n" + HEAD.format(library="gcc 1", wasm="clang 1") + END + "After.\n",
        "engine/core/base/base.h": "/* A comment\n * and more. */\n\nint a; // one\nint b;\n",
        "engine/parts/parts.c": "int c;\n",
        "engine/parts/fire/README.md": "# Fire\n\nNeeds: nothing.\n",
        "engine/parts/fire/fire.c": "int d;\n\n#define E \\\n    1\n",
        "engine/bindings/web/web.c": "int f;\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        house.write_tree(root, files)
        options = argparse.Namespace(library=None, build=None, wasm=None, write=False)
        results = [check(root, options)]
        for options.write in (True, False):
            results.append(check(root, options))
        text = (root / "engine/README.md").read_text(encoding="utf-8")
        results.append(text.startswith("Before.") and text.endswith("After.\n"))
        found = [(name, int(size)) for name, size in read_table(text)[1]["lines"].items()]
        part = (root / "engine/parts/fire/README.md").read_text(encoding="utf-8")
        found.append(("Size", "Size: 3 lines of code.\n" in part))
    near = [("library", 100, 103.9), ("library", 1, 1.4), ("library", 100, 105), ("lines", 99, 100)]
    found += list(enumerate(results + [is_near(*case) for case in near]))
    return house.compare(found, [(CORE, 3), ("fire", 3), (SUM, 6), ("Size", True)] + list(
        enumerate([1, 0, 0, True, True, True, False, False])))


def main():
    if "--self-test" in sys.argv:
        return self_test()
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--build")
    parser.add_argument("--wasm", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("root", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2])
    options = parser.parse_args()
    return check(options.root.resolve(), options)


if __name__ == "__main__":
    sys.exit(main())
