"""The examples in the comments of cairn.h compile. manual.h declares the names that belong to the
reader's program."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from site_paths import API, ROOT

HERE = pathlib.Path(__file__).resolve().parent


def find_examples(api):
    """The indented parts of comments that are C code, with the names of their places."""
    for section in api["sections"]:
        for comment in section["comments"]:
            yield from examples_in(section["name"], comment)
    for kind in ("structs", "enums", "functions", "callbacks"):
        for entry in api[kind]:
            yield from examples_in(entry["name"], entry.get("comment") or "")


def examples_in(place, comment):
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", comment + "\n", re.MULTILINE):
        code = re.sub(r"^    ", "", block, flags=re.MULTILINE)
        if re.search(r"[;}]\s*(//.*)?$", code, re.MULTILINE):
            yield place, code


class Manual(unittest.TestCase):
    # gcc only: examples define functions beside statements, and gcc allows functions in functions.
    @unittest.skipUnless(shutil.which("gcc"), "gcc is not installed")
    def test_examples_compile(self):
        count = 0
        for place, code in find_examples(json.loads(API.read_text("utf-8"))):
            if place == "C++":
                continue  # tests/bindings/c/hello_cpp.cpp has these calls
            whole = "int main(" in code
            code = re.sub(r"^\.\.\.$", ";", code, flags=re.MULTILINE)
            if not whole:
                code = f'#include "manual.h"\nvoid example(void) {{\n{code}}}\n'
            with self.subTest(place=place), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "example.c"
                file.write_text(code, encoding="utf-8")
                done = subprocess.run(
                    ["gcc", "-std=gnu17", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused",
                     "-Wno-unused-parameter", "-Wno-shadow", "-Werror", f"-I{HERE}",
                     f"-I{ROOT / 'engine'}", file], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, f"{code}\n{done.stderr}")
                count += 1
        self.assertGreater(count, 20, "the examples are not found")


if __name__ == "__main__":
    unittest.main()
