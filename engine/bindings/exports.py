#!/usr/bin/env python3
"""Writes the list of functions that a DLL exports: exports.py API OUTPUT"""
import json
import pathlib
import sys


def main():
    api = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    names = [f["name"] for f in api["functions"]]
    pathlib.Path(sys.argv[2]).write_text("\n".join(["EXPORTS", *names, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
