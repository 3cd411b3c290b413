"""The programs in the README of the binding run. Needs numpy."""
import contextlib
import io
import pathlib
import re
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[3]
README = ROOT / "engine" / "bindings" / "python" / "README.md"


class Readme(unittest.TestCase):
    def test_each_program_runs(self):
        programs = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
        self.assertGreater(len(programs), 3)
        for program in programs:
            printed = io.StringIO()
            with self.subTest(program=program), contextlib.redirect_stdout(printed), \
                    warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                exec(compile(program, "README.md", "exec"), {})


if __name__ == "__main__":
    unittest.main()
