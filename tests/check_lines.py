#!/usr/bin/env python3
"""Counts the engine's lines of code after clang-format.

Comments, blank lines and lone braces do not count.

    check_lines.py [--limit N] [FOLDER]

Prints the count per folder and in total; with --limit, exits with 1 if the total is above N. FOLDER
is engine/ if not given. Exits with 77 (skipped, to Meson) if there is no clang-format.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A string or character literal is kept, a comment becomes a space (and keeps its line ends).
TOKEN = re.compile(
    r"""(?P<literal>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?\*/|//(?:\\\n|[^\n])*""",
    re.DOTALL)
LONE_BRACES = re.compile(r"[{}]+[;,]?")


def strip_comments(text):
    def replace(match):
        return match["literal"] or " " + "\n" * match[0].count("\n")
    return TOKEN.sub(replace, text)


def is_code(line):
    return bool(line.strip()) and not LONE_BRACES.fullmatch(line.strip())


def count_lines(path, formatter):
    run = subprocess.run([formatter, "--style=file", str(path)], capture_output=True, check=True)
    text = run.stdout.decode("utf-8")
    return sum(is_code(line) for line in strip_comments(text).splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, help="exit with 1 above this total")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "engine")
    arguments = parser.parse_args()
    if not arguments.folder.is_dir():
        parser.error(f"there is no folder {arguments.folder}")

    formatter = shutil.which(os.environ.get("CLANG_FORMAT", "clang-format"))
    if not formatter:
        print("check_lines: no clang-format, skipped", file=sys.stderr)
        return 77

    files, lines = collections.Counter(), collections.Counter()
    for path in sorted(arguments.folder.rglob("*")):
        if path.suffix in (".c", ".h"):
            folder = path.parent.relative_to(arguments.folder.parent).as_posix()
            files[folder] += 1
            lines[folder] += count_lines(path, formatter)
    for folder, count in lines.items():
        print(f"{folder:24} {files[folder]:4} files {count:7} lines")

    total = sum(lines.values())
    limit = f" of {arguments.limit}" if arguments.limit is not None else ""
    print(f"{'total':24} {sum(files.values()):4} files {total:7} lines{limit}")
    return int(arguments.limit is not None and total > arguments.limit)


if __name__ == "__main__":
    sys.exit(main())
