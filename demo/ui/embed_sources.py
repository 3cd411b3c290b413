#!/usr/bin/env python3
"""Writes the sources of the scenes into a C file, for the demo to show: embed_sources.py OUT FILE..."""
import re
import sys


def literal(text):
    lines = []
    for line in text.split("\n"):
        escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "    ")
        lines.append(f'    "{escaped}\\n"')
    return "\n".join(lines)


def main():
    out, files = sys.argv[1], sys.argv[2:]
    rows, texts = [], []
    for index, path in enumerate(files):
        with open(path, encoding="ascii") as file:
            text = file.read().rstrip("\n")
        names = re.findall(r'^    \.name = "([^"]+)",$', text, re.M)
        if names:
            texts.append(f"static const char text_{index}[] =\n{literal(text)};\n")
        rows += [f'    {{"{name}", text_{index}}},' for name in names]
    with open(out, "w", encoding="ascii") as file:
        file.write("/* Made by embed_sources.py. */\n#include \"ui/source_view.h\"\n\n")
        # A string of a whole file is longer than C promises to allow; all compilers allow it.
        file.write('#pragma GCC diagnostic ignored "-Woverlength-strings"\n\n')
        file.write("\n".join(texts))
        file.write("\nconst scene_source scene_sources[] = {\n" + "\n".join(rows))
        file.write("\n    {0, 0},\n};\n")


main()
