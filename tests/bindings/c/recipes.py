#!/usr/bin/env python3
"""Writes the functions of some of the README's sections to a file, for test_recipes.c.

    recipes.py README.md OUTPUT
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "engine" / "bindings" / "docs"))

from blocks import find_blocks

SECTIONS = ("## Water, wind and planets", "## Queries", "## Saving and rewinding")


def main():
    readme, output = map(pathlib.Path, sys.argv[1:])
    text = readme.read_text(encoding="utf-8")
    functions = []
    for title in SECTIONS:
        section = text.split(f"\n{title}\n")[1].split("\n## ")[0]
        found = [block for block in find_blocks(section, "c")
                 if block.startswith(("static ", "typedef "))]
        if not found:
            sys.exit(f"recipes: there are no functions in \"{title}\" of {readme}")
        functions += found
    output.write_text("\n".join(functions), encoding="utf-8")


if __name__ == "__main__":
    main()
