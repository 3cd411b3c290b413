#!/usr/bin/env python3
"""Writes the functions of some sections of the guides to a file, for test_recipes.c.

    recipes.py recipes.md snapshots.md OUTPUT
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "engine" / "bindings" / "docs"))

from blocks import find_blocks

SECTIONS = {
    "recipes.md": ("Water, wind and planets", "Queries", "A character", "Saved games in files"),
    "snapshots.md": ("A rewind key", "Rollback in a network game"),
}


def find_functions(path, title):
    section = path.read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    found = [block for block in find_blocks(section, "c") if block.startswith(("static ", "typedef "))]
    if not found:
        sys.exit(f"recipes: there are no functions in \"{title}\" of {path}")
    return found


def main():
    *guides, output = map(pathlib.Path, sys.argv[1:])
    functions = [function for guide in guides for title in SECTIONS[guide.name]
                 for function in find_functions(guide, title)]
    output.write_text("\n".join(functions), encoding="utf-8")


if __name__ == "__main__":
    main()
