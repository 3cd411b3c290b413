"""Counts what the page "How Cairn is tested" has figures of, from the sources."""
import json
import pathlib
import re

from blocks import LANGUAGES, find_programs

ROOT = pathlib.Path(__file__).resolve().parents[3]
ENGINE, TESTS = ROOT / "engine", ROOT / "tests"
CLAIM = re.compile(r"^ *(?:cmocka_unit_test\w*|TEST)\(", re.MULTILINE)
FIGURE = re.compile(r'^    \{"\w+",', re.MULTILINE)


def sources(*folders):
    return [p for folder in folders for end in ("*.c", "*.h") for p in folder.rglob(end)]


def read(paths):
    return [path.read_text("utf-8") for path in paths]


def lines(texts):
    """The lines of all texts that are not empty."""
    return sum(1 for text in texts for line in text.splitlines() if line.strip())


def programs(language):
    """The programs of the guides in a language."""
    guides = read((ENGINE / "bindings" / "docs" / "guides").glob("*.md"))
    return sum(1 for text in guides for program in find_programs(text)
               if program.language == language)


def scenarios(path):
    """The lines of a table that has one scene a line."""
    return sum(1 for line in path.read_text("utf-8").splitlines() if line and line[0].islower())


def rows():
    """The rows of the table: what is counted, and how many there are."""
    tests = read(sources(TESTS))
    api = json.loads((ENGINE / "bindings" / "api.json").read_text("utf-8"))
    figures = FIGURE.findall((TESTS / "quality" / "quality.c").read_text("utf-8"))
    corpus = [p for p in (TESTS / "fuzz" / "corpus").rglob("*") if p.is_file()]
    engine = read(sources(ENGINE / "core", ENGINE / "parts"))
    yield "lines of the engine, without empty ones", lines(engine)
    yield "lines of the tests in C", lines(tests)
    yield "claims that are tested in C", sum(len(CLAIM.findall(text)) for text in tests)
    yield "public functions, each called by fuzzers and by the tests of the bindings", \
        len(api["functions"])
    yield "inputs of the fuzzers that every build replays", len(corpus)
    yield "figures of the quality harness, with limits", len(figures)
    # (The first line of the file names the build.)
    yield "counts of instructions", scenarios(TESTS / "speed" / "instructions.txt") - 1
    yield "scenes whose hashes are compared on every target", \
        scenarios(TESTS / "scenes" / "determinism.txt")
    for language, name in zip(LANGUAGES, ("C", "JavaScript", "Python", "Lua")):
        yield f"programs of these pages in {name}, compiled or run", programs(language)


def table():
    """The figures as an HTML table."""
    body = "".join(f'<tr><td>{what}</td><td class="right">{count:,}</td></tr>\n'
                   for what, count in rows())
    return f'<div class="table"><table>\n<tbody>\n{body}</tbody></table></div>'
