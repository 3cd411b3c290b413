"""The code of the guides compiles, runs and prints what the guides say, and their text uses only
names of the API that exist."""
import json
import os
import re
import subprocess
import sys
import unittest

from site_paths import API, BUILD, DOCS, LIBRARY, LUA, PYTHON, ROOT, WEB

from blocks import find_programs
from compile import compile_c
from reference import Api

FOLDER = BUILD / "guides"
GUIDES = sorted((DOCS / "guides").glob("*.md"))


class Guides(unittest.TestCase):
    def programs(self, language, least=30):
        """The programs of all guides in a language, with a place for each."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        found = [(path, number, program) for path in GUIDES
                 for number, program in enumerate(find_programs(path.read_text("utf-8")))
                 if program.language == language]
        self.assertGreaterEqual(len(found), least, "the programs of the guides are not found")
        for path, number, program in found:
            with self.subTest(guide=path.stem, section=program.title):
                yield program, FOLDER / f"{path.stem}_{number}"

    def run_program(self, program, command, **environment):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        if program.output is not None:
            self.assertEqual(done.stdout, program.output)

    def test_names_exist(self):
        api = Api(json.loads(API.read_text("utf-8")))
        count = 0
        for path in GUIDES:
            for name in re.findall(r"\b(?:cn|CN)_\w+", path.read_text("utf-8")):
                with self.subTest(guide=path.stem, name=name):
                    self.assertIsNotNone(api.address(name))
                count += 1
        self.assertGreater(count, 500)

    def test_c(self):
        for program, place in self.programs("c"):
            self.run_program(program, [compile_c(program.source(), place, LIBRARY)])

    @unittest.skipUnless(WEB, "CAIRN_WEB is not set: the JavaScript package is not built")
    def test_javascript(self):
        packages = FOLDER / "node_modules"
        packages.mkdir(parents=True, exist_ok=True)
        link = packages / "cairn2d"
        link.unlink(missing_ok=True)
        link.symlink_to(WEB / "package")
        for program, place in self.programs("js"):
            file = place.with_suffix(".mjs")
            file.write_text(program.source(), encoding="utf-8")
            self.run_program(program, ["node", file])

    @unittest.skipUnless(PYTHON, "CAIRN_PYTHON is not set: the Python package is not built")
    def test_python(self):
        for program, place in self.programs("python"):
            file = place.with_suffix(".py")
            file.write_text(program.source(), encoding="utf-8")
            self.run_program(program, [sys.executable, file], PYTHONPATH=str(PYTHON))

    @unittest.skipUnless(LUA, "CAIRN_LUA is not set: there is no library for LuaJIT")
    def test_lua(self):
        for program, place in self.programs("lua", least=4):
            file = place.with_suffix(".lua")
            file.write_text(program.source(), encoding="utf-8")
            self.run_program(program, ["luajit", file], CAIRN_LIBRARY=str(LUA),
                             LUA_PATH=str(ROOT / "engine" / "bindings" / "lua" / "?.lua"))


if __name__ == "__main__":
    unittest.main()
