#!/usr/bin/env python3
"""Moves the programs in old/ with rename.py, and compares them with those in new/. The lines that it
prints for a person to look at are in notes.txt.

    test_rename.py [--write]        writes new/ and notes.txt: read what has changed
"""
import difflib
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RENAME = HERE.parents[2] / "engine" / "bindings" / "rename.py"


def move(folder):
    """Changes the programs in a folder. Returns what is printed."""
    names = sorted(p.name for p in folder.iterdir())
    done = subprocess.run([sys.executable, RENAME, *names], cwd=folder, text=True, capture_output=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "programs"
        shutil.copytree(HERE / "old", folder)
        made = {"notes.txt": move(folder)}
        made |= {f"new/{p.name}": p.read_text(encoding="utf-8") for p in sorted(folder.iterdir())}
    wrong = 0
    for path, text in made.items():
        if "--write" in sys.argv:
            (HERE / path).write_text(text, encoding="utf-8")
        wanted = (HERE / path).read_text(encoding="utf-8")
        if wanted != text:
            wrong += 1
            sys.stdout.writelines(difflib.unified_diff(
                wanted.splitlines(True), text.splitlines(True), path, "made by rename.py"))
    print(f"{len(made) - wrong} of {len(made)} files are as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
