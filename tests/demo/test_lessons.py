#!/usr/bin/env python3
"""The lessons in demo/lessons/ agree with the code: lengths, code, links, names of the engine."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LESSONS = ROOT / "demo" / "lessons"
ENGINE = ROOT / "engine"
PAGES = sorted(LESSONS.glob("*.md"))
MOST_LINES, MOST_LINES_OF_LITE = 99, 400
FILE = re.compile(r"[\w/]+\.[ch]")


def read(path):
    return path.read_text(encoding="utf-8")


def defines(text, name):
    """Whether C source defines the function: its name and arguments, then a brace."""
    return re.search(rf"\b(?:CN_WIDE\()?{name}\)?\([^;{{}}]*\)\s*{{", text) is not None


def squeeze(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def contains(lines, part):
    return any(lines[i:i + len(part)] == part for i in range(len(lines) - len(part) + 1))


def find_file(name):
    """A file that a page names: below engine/core/, in the solver, or from the top."""
    places = (ROOT / name, ENGINE / "core" / name, ENGINE / "core/dynamics/solver" / name,
              LESSONS / name)
    return next((place for place in places if place.is_file()), None)


class Lessons(unittest.TestCase):
    def test_programs_are_short(self):
        for path in [*LESSONS.glob("*.[ch]"), *LESSONS.glob("answers/*.c")]:
            if path.stem != "lite":
                self.assertLessEqual(len(read(path).splitlines()), MOST_LINES, path.name)
        lite = sum(len(read(LESSONS / name).splitlines()) for name in ("lite.c", "lite.h"))
        self.assertLessEqual(lite, MOST_LINES_OF_LITE)

    def test_every_lesson_has_a_page_a_picture_and_a_program(self):
        for number in range(1, 11):
            for kind in ("md", "png", "c"):
                self.assertTrue(list(LESSONS.glob(f"{number}_*.{kind}")), f"{number}, {kind}")
        for number in range(6, 11):
            self.assertEqual(len(list(LESSONS.glob(f"answers/{number}_*.c"))), 1, number)

    def test_lessons_of_impulses_have_two_exercises_with_answers(self):
        for path in PAGES:
            if not re.match(r"([6-9]|10)_", path.name):
                continue
            for heading in ("Try it", "Answers"):
                part = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", read(path), re.M | re.S)
                self.assertIsNotNone(part, f"{path.name}: {heading}")
                self.assertEqual(re.findall(r"^(\d)\. ", part[1], re.M), ["1", "2"], path.name)

    def test_code_on_a_page_is_that_of_a_program(self):
        sources = [squeeze(read(path)) for path in LESSONS.glob("*.[ch]")]
        for path in PAGES:
            for block in re.findall(r"^```c\n(.*?)^```$", read(path), re.M | re.S):
                found = any(contains(lines, squeeze(block)) for lines in sources)
                self.assertTrue(found, f"{path.name}:\n{block}")

    def test_links_lead_to_files(self):
        for path in PAGES:
            for link in re.findall(r"\]\(([^)#:]+)\)", read(path)):
                self.assertTrue((LESSONS / link).exists(), f"{path.name}: {link}")

    def test_pictures_are_made_by_the_script(self):
        made = re.findall(r"^shot (\S+)", read(LESSONS / "pictures.sh"), re.M)
        self.assertEqual(sorted(made), sorted(path.name for path in LESSONS.glob("*.png")))

    def test_files_that_a_page_names_exist(self):
        for path in PAGES:
            for name in re.findall(rf"`({FILE.pattern})`", read(path)):
                self.assertIsNotNone(find_file(name), f"{path.name}: {name}")

    def test_functions_that_a_page_places_are_in_these_files(self):
        """`name()` in `file`, also with several names, or a list of them."""
        places = rf"((?:`\w+\(\)`(?:, | and )?)+) in `({FILE.pattern})`"
        count = 0
        for path in PAGES:
            for names, file in re.findall(places, " ".join(read(path).split())):
                source = find_file(file)
                self.assertIsNotNone(source, f"{path.name}: {file}")
                for name in re.findall(r"`(\w+)\(\)`", names):
                    self.assertTrue(defines(read(source), name), f"{path.name}: {name} in {file}")
                    count += 1
        self.assertGreater(count, 30)

    def test_the_table_has_every_function_of_lite(self):
        text = read(LESSONS / "lite.c")
        functions = set(re.findall(r"^[\w ]+?\**\b(\w+)\([^;]*?\) {", text, re.M))
        helpers = {"cross", "is_static", "lite_pose", "tangent_of", "find_contact", "make_contact",
                   "push_hinge", "gap_change", "begin_step"}
        rows = re.findall(r"^\| (`\w+\(\)`.*?) \|", read(LESSONS / "lite.md"), re.M)
        named = set(re.findall(r"`(\w+)\(\)`", " ".join(rows)))
        self.assertEqual(functions - named, helpers)
        self.assertEqual(named - functions, set())

    def test_the_trail_ends_at_the_contact_rows(self):
        for name in ("7_friction", "8_stack", "9_soft"):
            self.assertIn("contact_rows.h", read(LESSONS / f"{name}.md"))


if __name__ == "__main__":
    unittest.main()
