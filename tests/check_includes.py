#!/usr/bin/env python3
"""Checks the include rule and prints what breaks it; exits with 1 if anything does.

    check_includes.py [ROOT]

In engine/ the folders are layers in alphabetical order: a file includes only from its own folder,
from one that sorts before it, or engine/cairn.h. cairn.h itself includes cglm's vec2 and the C headers
that give it bool, size_t and the integers, nothing else. demo/ includes from demo/ and engine/cairn.h.
tests/ may include anything.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(
    r'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<quoted>[^"]+)"|<(?P<angled>[^>]+)>)', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SOURCES = (".c", ".h", ".cpp", ".hpp", ".inc")
PUBLIC_INCLUDES = {"cglm/struct/vec2.h", "stdbool.h", "stddef.h", "stdint.h"}


def blank(match):
    return "\n" * match[0].count("\n")


def find_includes(path):
    """Yields (line number, name, whether it stands in quotes)."""
    text = COMMENT.sub(blank, path.read_text(encoding="utf-8"))
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield line, match["quoted"] or match["angled"], match["quoted"] is not None


def resolve(root, path, name, is_quoted):
    """The file of the project that is meant, relative to the root, or None if it is none of ours."""
    folders = [root, root / "engine", root / "demo", root / "tests"]
    if is_quoted:
        folders.insert(0, path.parent)
    for folder in folders:
        target = (folder / name).resolve()
        if target.is_file() and root in target.parents:
            return target.relative_to(root)
    return None


def layer(path):
    """The folder below engine/ that a file of the engine is in, "" for engine/ itself."""
    return path.parts[1] if len(path.parts) > 2 else ""


def judge(source, name, is_quoted, target):
    """Why an include is not allowed, or None. Paths are relative to the root."""
    public = pathlib.PurePath("engine/cairn.h")
    if source == public:
        return None if name in PUBLIC_INCLUDES else "the public header includes only cglm and C headers"
    if target is None:
        in_engine = source.parts[0] == "engine"
        return "there is no such file in the project" if is_quoted and in_engine else None
    if target == public or source.parts[0] == "tests":
        return None
    if source.parts[0] == "demo":
        is_demo = target.parts[0] == "demo"
        return None if is_demo else "demo includes from demo and engine/cairn.h only"
    if target.parts[0] != "engine":
        return "the engine includes from the engine only"
    if layer(target) > layer(source):
        return f"{layer(target)} sorts after {layer(source) or 'engine itself'}"
    return None


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else default
    if not (root / "engine").is_dir():
        print(f"check_includes: there is no folder {root / 'engine'}", file=sys.stderr)
        return 2

    violations = files = 0
    for folder in ("engine", "demo", "tests"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            files += 1
            source = path.relative_to(root)
            for line, name, is_quoted in find_includes(path):
                reason = judge(source, name, is_quoted, resolve(root, path, name, is_quoted))
                if reason:
                    violations += 1
                    print(f"{source.as_posix()}:{line}: {name}: {reason}")
    print(f"{files} files, {violations} violations")
    return int(violations > 0)


if __name__ == "__main__":
    sys.exit(main())
