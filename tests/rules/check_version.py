#!/usr/bin/env python3
"""Checks that all files name one version of Cairn. Prints what differs; exits with 1 if anything does.

    check_version.py [--print] [ROOT]      --print: prints the version, too
    check_version.py --released [ROOT]     also checks that CHANGELOG.md has the date of the release
    check_version.py --self-test

The version is that of the macros in cairn.h. The other places are in PLACES. Where a document tells
users which series of versions to ask for, for example find_package(cairn 0.2), it is MAJOR.MINOR.
"""
import pathlib
import re
import sys

import house

# The file, the text around the version, and whether a file or version may be missing: the packages
# for JavaScript and Python take theirs from the header or from meson.build if they name none.
PLACES = (
    ("engine/cairn.h", r"^/\* Cairn: .*? Version ([\d.]+)\. ", True),
    ("meson.build", r"^  version: '([\d.]+)',$", True),
    ("CMakeLists.txt", r"^project\(cairn VERSION ([\d.]+) ", True),
    ("CHANGELOG.md", r"\A(?:(?!^## ).*\n)*## ([\d.]+), ", True),
    ("CITATION.cff", r"^version: ([\d.]+)$", True),
    ("engine/bindings/cairn.wrap", r"^revision = v([\d.]+)$", True),
    ("engine/bindings/web/package.json", r'^  "version": "(.*)",?$', False),
    ("pyproject.toml", r'^version = "(.*)"$', False),
    ("engine/bindings/python/pyproject.toml", r'^version = "(.*)"$', False),
)
SERIES = (r"find_package\(cairn ([\d.]+)", r"^## From [\d.]+ to ([\d.]+)$")
DOCUMENTS = ("README.md", "engine/bindings/README.md", "engine/bindings/docs/guides/*.md")


def read_header(text):
    """The version of the macros in cairn.h, or None."""
    numbers = [re.search(rf"^#define CN_VERSION_{part} (\d+)$", text, re.MULTILINE)
               for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(n[1] for n in numbers) if all(numbers) else None


def judge(text, pattern, is_needed, version):
    """What is wrong with the version in a text, or None."""
    found = re.findall(pattern, text, re.MULTILINE)
    if not found:
        return "names no version" if is_needed else None
    wrong = [other for other in found if other != version]
    return f"has version {', '.join(wrong)} instead of {version}" if wrong else None


def is_dated(changes):
    """True if the first version in CHANGELOG.md has a date."""
    return bool(re.search(r"\A(?:(?!^## ).*\n)*## [\d.]+, \d{4}-\d\d-\d\d$", changes, re.MULTILINE))


def list_mistakes(root, version):
    for name, pattern, is_needed in PLACES:
        path = root / name
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        mistake = judge(text, pattern, is_needed, version)
        if mistake:
            yield f"{name} {mistake}"
    series = version.rpartition(".")[0]
    for pattern in DOCUMENTS:
        for path in sorted(root.glob(pattern)):
            for words in SERIES:
                mistake = judge(path.read_text(encoding="utf-8"), words, False, series)
                if mistake:
                    yield f"{path.relative_to(root)} {mistake}"


def check(root, options):
    version = read_header((root / "engine/cairn.h").read_text(encoding="utf-8"))
    mistakes = list(list_mistakes(root, version)) if version else ["cairn.h has no version"]
    if "--released" in options and not is_dated((root / "CHANGELOG.md").read_text(encoding="utf-8")):
        mistakes.append(f"CHANGELOG.md has no date: write '## {version}, YYYY-MM-DD'")
    print(*mistakes, sep="\n", end="\n" if mistakes else "", file=sys.stderr)
    print(version if "--print" in options else f"{len(PLACES)} files, {len(mistakes)} mistakes")
    return int(bool(mistakes))


# Lines of the files of PLACES, in their order, and what must be noticed in them.
GOOD = ("/* Cairn: an engine. Version 1.2.3. SPDX", "  version: '1.2.3',",
        "project(cairn VERSION 1.2.3 LANGUAGES C)", "# Changes\n\n## 1.2.3, 2030-01-02\n\n## 1.1.0, old",
        "version: 1.2.3", "revision = v1.2.3", '  "version": "1.2.3",', 'version = "1.2.3"',
        'version = "1.2.3"')


def self_test():
    wrong = []
    for (name, pattern, is_needed), text in zip(PLACES, GOOD):
        if judge(text, pattern, is_needed, "1.2.3"):
            wrong.append(f"the good example of {name}")
        if not judge(text.replace("1.2.3", "1.2.4"), pattern, is_needed, "1.2.3"):
            wrong.append(f"another version in {name}")
        if bool(judge("nothing", pattern, is_needed, "1.2.3")) != is_needed:
            wrong.append(f"no version in {name}")
    if not is_dated(GOOD[3]) or is_dated(GOOD[3].replace("2030-01-02", "not released yet")):
        wrong.append("the date")
    if len(GOOD) != len(PLACES) or not judge("find_package(cairn 1.1)", SERIES[0], False, "1.2"):
        wrong.append("the series")
    lines = "#define CN_VERSION_MAJOR 1\n#define CN_VERSION_MINOR 2\n#define CN_VERSION_PATCH 3\n"
    if read_header(lines) != "1.2.3" or read_header(lines.replace("PATCH", "LAST")):
        wrong.append("the header")
    print(f"{len(GOOD)} examples, wrong: {wrong}")
    return int(bool(wrong))


if __name__ == "__main__":
    ARGUMENTS = sys.argv[1:]
    sys.exit(self_test() if "--self-test" in ARGUMENTS else check(house.find_root(ARGUMENTS), ARGUMENTS))
