"""Where the tests of the site find things: see run.sh."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCS = ROOT / "engine" / "bindings" / "docs"
API = ROOT / "engine" / "bindings" / "api.json"
BUILD = pathlib.Path(os.environ.get("CAIRN_BUILD", ROOT / "build" / "site")).resolve()
sys.path.insert(0, str(DOCS))


def given(name):
    """The path in an environment variable, or None."""
    return pathlib.Path(os.environ[name]).resolve() if os.environ.get(name) else None


LIBRARY = given("CAIRN_LIBRARY") or BUILD / "library" / "libcairn.a"
WEB, PYTHON, LUA = given("CAIRN_WEB"), given("CAIRN_PYTHON"), given("CAIRN_LUA")
DEMO, WEB_DEMO = given("CAIRN_DEMO"), given("CAIRN_WEB_DEMO")
