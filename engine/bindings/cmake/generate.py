#!/usr/bin/env python3
"""Writes CMakeLists.txt from the sources and options of meson.build.

    generate.py [--check]     --check only compares: exits with 1 if the file is out of date

meson.build stays the build file of the project. CMakeLists.txt is for users of CMake who add the
engine to their own project by add_subdirectory() or FetchContent. It builds the library, without
the demo and the tests.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import sources  # noqa: E402

ROOT = sources.ROOT
TARGET = ROOT / "CMakeLists.txt"


def wrap(name, files):
    return f"set({name}\n" + "".join(f"  {file}\n" for file in files) + ")\n"


def lists():
    """The sources of the core, of each part, and of the kernels."""
    core, parts, needs, kernels = sources.read()
    text = wrap("CAIRN_SOURCES", core)
    for key, files in parts.items():
        text += wrap("CAIRN_SOURCES_" + key.replace(" ", "_AND_").upper(), files)
    trees = [file for file in kernels if "/tree_" in file]
    text += wrap("CAIRN_KERNELS", [file for file in kernels if file not in trees])
    text += wrap("CAIRN_TREE_KERNELS", [file for file in trees if not sources.part_of(file)])
    text += wrap("CAIRN_QUERY_KERNELS", [file for file in trees if sources.part_of(file)])
    text += f"set(CAIRN_ALL_PARTS {' '.join(key for key in parts if ' ' not in key)})\n"
    text += f"set(CAIRN_PAIRS_OF_PARTS {' '.join(k.replace(' ', '+') for k in parts if ' ' in k)})\n"
    for part, needed in needs.items():
        text += f"set(CAIRN_NEEDS_{part.upper()} {' '.join(needed)})\n"
    return text


def version():
    return re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))[1]


def render():
    template = (HERE / "CMakeLists.txt.in").read_text(encoding="utf-8")
    return template.replace("@version@", version()).replace("@lists@\n", lists())


def main():
    text = render()
    if "--check" in sys.argv[1:]:
        if not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text:
            sys.exit("CMakeLists.txt is out of date: run engine/bindings/cmake/generate.py")
    else:
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
