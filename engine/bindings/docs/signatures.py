"""How the functions of cairn.h are written in other languages.

api.json has the name of each function in each language. A script beside each binding finds these
names in the built binding and prints a line for each function, with types if the language has them.
What the language replaces, by exceptions for example, has no name: INSTEAD says what to use.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

BINDINGS = pathlib.Path(__file__).resolve().parents[1]
INSTEAD = {
    "js": {"cn_error": "error.message // of a CairnError",
           "cn_error_code": "error.kind // of a CairnError",
           "cn_error_clear": "// not needed: errors are exceptions",
           "cn_error_set_hook": "// not needed: every call that fails throws"},
    "python": {"cn_error": "error.text  # of a cn.CairnError",
               "cn_error_code": "error.kind  # of a cn.CairnError",
               "cn_error_clear": "# not needed: errors are exceptions"},
    "lua": {"cn_error": "-- the text of the error that a call raises",
            "cn_error_clear": "-- not needed: a call that fails raises an error"}}


def command_of(language, place, names):
    """The script that prints the lines. `place` has the built binding; in Lua it is the library."""
    if language == "js":
        return ["node", BINDINGS / "web" / "signatures.mjs", place]
    if language == "python":
        return [sys.executable, BINDINGS / "python" / "signatures.py", place]
    pairs = [f"{function}={name}" for function, name in names.items()]
    return ["luajit", BINDINGS / "lua" / "signatures.lua", *pairs]


def read_signatures(language, place, api):
    """The lines of each function in a language, by function."""
    names = {f: api.entries[f][1]["names"][language] for f in api.functions}
    named = {f: name for f, name in names.items() if name}
    environment = {**os.environ, "CAIRN_LIBRARY": str(place.resolve()),
                   "LUA_PATH": str(BINDINGS / "lua" / "?.lua")}
    done = subprocess.run(command_of(language, place, named), check=True, stdout=subprocess.PIPE,
                          env=environment)
    instead = {function: [line] for function, line in INSTEAD[language].items()}
    return {**json.loads(done.stdout), **instead}


def shorten(signature):
    """A signature without types and arguments."""
    match = re.match(r"(?:new )?[\w.:]*\w", signature)
    if not match:
        return signature
    return match[0] + "()" * signature.startswith("(", match.end())
