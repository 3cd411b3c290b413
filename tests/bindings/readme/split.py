#!/usr/bin/env python3
"""Copies the pieces of README.md that a reader would copy, each to a file of its own.

    split.py README.md FOLDER

A fenced block becomes SECTION.LANGUAGE. If a section has several blocks in a language, those after
the first have a number before the dot. A row of the table with the columns "packages" and "commands"
becomes ROW.packages and ROW.commands, with the code of its last cell, a line for each piece. The
names are those of the anchors of headings.
"""
import pathlib
import re
import sys

FENCE = re.compile(r"^ *```(?P<language>\w*)\n(?P<code>.*?)^ *```$|^## (?P<title>[^\n]+)$",
                   re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (?P<name>[^|]+) \| (?P<packages>[^|]+) \| (?P<commands>[^|]+) \|$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def slug(title):
    """The name of a section or row: the anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", LINK.sub(r"\1", title).lower()).replace(" ", "-")


def find_blocks(text):
    """The fenced blocks, by the name of their file."""
    blocks, section = {}, ""
    for match in FENCE.finditer(text):
        if match["title"]:
            section = slug(match["title"])
            continue
        name = f"{section}.{match['language'] or 'plain'}"
        number = 2
        while name in blocks:
            name, number = f"{section}-{number}.{match['language']}", number + 1
        blocks[name] = match["code"]
    return blocks


def find_rows(text):
    """The packages and commands of the table's rows, by the name of their file."""
    table = text.partition("| packages | commands |\n")[2].partition("\n\n")[0]
    rows = {}
    if len(ROW.findall(table)) != table.count("\n"):  # the line below the heads is not counted, nor is the last \n
        sys.exit("split: a row of the table of commands is not as expected")
    for match in ROW.finditer(table):
        name = slug(match["name"])
        rows[f"{name}.packages"] = match["packages"] + "\n"
        rows[f"{name}.commands"] = "".join(
            f"{code}\n" for code in re.findall(r"`([^`]+)`", match["commands"]))
    return rows


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    folder = pathlib.Path(sys.argv[2])
    blocks, rows = find_blocks(text), find_rows(text)
    if not blocks or not rows:
        sys.exit("split: README.md has no blocks, or no table of commands")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in {**blocks, **rows}.items():
        (folder / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
