#!/usr/bin/env python3
"""Writes the functions of the README's section "Queries" to a file, for test_recipes.c.

    recipes.py README.md OUTPUT
"""
import pathlib
import re
import sys

SECTION = "## Queries"


def main():
    readme, output = map(pathlib.Path, sys.argv[1:])
    section = readme.read_text(encoding="utf-8").split(f"\n{SECTION}\n")[1].split("\n## ")[0]
    functions = [block for block in re.findall(r"```c\n(.*?)```", section, re.DOTALL)
                 if block.startswith("static ")]
    if not functions:
        sys.exit(f"recipes: there are no functions in \"{SECTION}\" of {readme}")
    output.write_text("\n".join(functions), encoding="utf-8")


if __name__ == "__main__":
    main()
