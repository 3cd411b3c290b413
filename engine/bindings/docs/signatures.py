"""How the functions of cairn.h are written in other languages.

api.json has the name of each function in each language. A script beside each binding finds these
names in the built package and prints a line with the types for each function. What the language
replaces, by exceptions for example, has no name: INSTEAD says what to use.
"""
import json
import pathlib
import re
import subprocess
import sys

BINDINGS = pathlib.Path(__file__).resolve().parents[1]
SCRIPTS = {"js": ["node", BINDINGS / "web" / "signatures.mjs"],
           "python": [sys.executable, BINDINGS / "python" / "signatures.py"]}
INSTEAD = {
    "js": {"cn_error": "error.message // of a CairnError",
           "cn_error_code": "error.kind // of a CairnError",
           "cn_error_clear": "// not needed: errors are exceptions",
           "cn_error_set_hook": "// not needed: every call that fails throws"},
    "python": {"cn_error": "error.text  # of a cn.CairnError",
               "cn_error_code": "error.kind  # of a cn.CairnError",
               "cn_error_clear": "# not needed: errors are exceptions"}}


def read_signatures(language, folder):
    """The lines of each function in a language, by function. `folder` has the built binding."""
    done = subprocess.run([*SCRIPTS[language], folder], check=True, stdout=subprocess.PIPE)
    instead = {function: [line] for function, line in INSTEAD[language].items()}
    return {**json.loads(done.stdout), **instead}


def shorten(signature):
    """A signature without types and arguments."""
    match = re.match(r"(?:new )?[\w.]+", signature)
    if not match:
        return signature
    return match[0] + "()" * signature.startswith("(", match.end())
