#!/usr/bin/env python3
"""Checks that the links and pictures of Markdown files lead to files and headings that exist.

    links.py ROOT

It reads the tracked files, except those that tests/bindings/site reads as pages: the guides and
lessons. Prints the links that lead nowhere; exits with 1 if there is any.
"""
import pathlib
import re
import subprocess
import sys
import urllib.parse

from split import slug

PAGES = ("engine/bindings/docs/guides/", "demo/lessons/")
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)


def find_anchors(path):
    return {slug(title) for title in HEADING.findall(FENCED.sub("", path.read_text("utf-8")))}


def leads_nowhere(path, link):
    address, _, anchor = urllib.parse.unquote(link).partition("#")
    target = path.parent / address if address else path
    return not target.exists() or bool(anchor) and anchor not in find_anchors(target)


def main():
    root = pathlib.Path(sys.argv[1])
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=root, text=True, check=True,
                            capture_output=True).stdout.split()
    files = [name for name in listed if not name.startswith(PAGES)]
    count = bad = 0
    for name in files:
        for link in LINK.findall(CODE.sub("", (root / name).read_text("utf-8"))):
            if re.match(r"\w+:", link):
                continue
            count += 1
            if leads_nowhere(root / name, link):
                print(f"{name}: the link {link} leads nowhere")
                bad += 1
    print(f"{count} links in {len(files)} files")
    sys.exit(bad > 0 or count == 0)


if __name__ == "__main__":
    main()
