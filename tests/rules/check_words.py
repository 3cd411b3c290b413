#!/usr/bin/env python3
"""Checks that replaced names and phrases do not come back. Prints each that did; exits with 1 if
there is any.

    check_words.py [--counts] [ROOT]
    check_words.py --self-test

It reads engine/, demo/, tests/, README.md and the meson files. The tables NAMES and PHRASES list
what it searches for, each with the words to write instead. --counts prints how often each entry was
found.

Names are searched in code, and in text where a word contains an underscore. An entry is one of:
    cn_tell, note_*   a whole identifier; * matches anything
    news              a part of an identifier between underscores, or a whole one, in any case:
                      news, news_list, CN_NEWS_SHARE
    .least            a field
Phrases are searched in comments, strings and text, also across line ends. Entries are regular
expressions of whole words. A blank matches any space; ^ matches the start of a comment.
"""
import bisect
import collections
import fnmatch
import functools
import pathlib
import re
import sys
import tempfile

import c_source
import house

ALL, ENGINE, DYNAMICS = "", "engine/", "engine/core/dynamics/"

# Where an entry holds, what to write instead, and the names that this replaces.
NAMES = (
    # State that a later stage has to look at
    (ALL, "dirty flags; mark_dirty", "news"),
    (ENGINE, "dirty flags; mark_dirty", "cn_tell cn_tell_* told"),
    (ENGINE, "destroyed, ended or lost: say which", "gone"),
    # What happened in a step
    (ENGINE, "events, event buffers; push_event", "note notes noted"),
    (ENGINE, "publish", "cn_hand_in"),
    # How a body moves in a step
    (ALL, "displacement, sweep or path", "cn_way cn_way_* *_of_way"),
    (ENGINE, "displacement, sweep or path", "way ways ways_* is_on_way on_its_way find_way way_to"),
    (DYNAMICS, "CCD threshold, CCD reach, box slack", ".least .swing rooms"),
    (ALL, "in free flight", "flies"),
    (ALL, "was hit", "struck"),
    # The solver and its plan
    (ALL, "solver settings", "manner manners"),
    (ENGINE, "kinematic copy", "carrier carriers"),
    (ENGINE, "plan builder", "draft drafts"),
    (ALL, "overlap recovery, overlapping", "calm gentle gently calmly"),
    (ENGINE, "overlap recovery, overlapping",
     "CN_BODY_DEEP CN_DEEP_* cn_deep cn_is_deep note_deep loads"),
    (ENGINE, "impact friction", "rub"),
    (ENGINE, "quarantine", "give_up given_up any_given_up"),
    # The stages, and what decides whether two shapes touch
    (ALL, "update sensors", "cn_look_around look_around"),
    (ALL, "pre-solve", "cn_ask_user"),
    (ENGINE, "query, test or call", "ask asks asked"),
    (ENGINE, "filter", "verdict cn_judge_pairs judge"),
    # Words with several meanings
    (ENGINE, "static (a body) or locked (a coordinate)", "fixed"),
    (ENGINE, "supported, jointed, or stopped by a one-way platform", "held"),
    (ENGINE, "fraction or count; distribute", "share cn_share cn_share_*"),
    # Names of tests are sentences
    (ALL, "a noun", "*_who_* *_whom_* *_shall_* *what_is_struck_*"),
    (ALL, "a noun",
     "what_flies_* what_falls_* what_hangs_* what_lands_* what_turns_* what_bounces_*"),
)

# What to write instead, and the phrases that this replaces.
PHRASES = (
    ("except", "but for|save for|besides"),
    ("was hit", "(?:is|are|was|were|be|been|gets?|just) struck"),
    ("the noun, then the verb",
     "what (?:flies|falls|lands|hangs|turns|rolls|slides|sleeps|rests|stands)"
     "|what (?:is|was|were) (?:hit|struck|deep|fixed|static|slow|fast|held|gone|stopped|driven"
     "|jammed|pressed)"),
    ("the noun: a thing is not a person",
     "(?<!user )(?<!users )(?<!people )(?<!anyone )(?<!programmers )(?<!students )who"
     "|whom|he|his"),
    ("nothing, no body", "(?:wakes?|woke|hold|by|to) nobody|nobody (?:to|shall|is|has)|nobody's"),
    ("is, has to, must", "shall"),
    ("more expensive", "dear(?:er|est)"),
    ("so that ... not", "lest"),
    ("or; and ... not", "neither[^.;]* nor|(nor)"),
    ("a sentence of its own", "also not"),
    ("whose; of the", "(?<!one )(?<!none )(?<!some )(?<!each )(?<!most )(?<!all )of which"),
    ("on average", "in the mean(?!time)"),
    ("gradually", "by and by"),
    ("until now, yet", "as yet"),
    ("as far as", "so far as"),
    ("that number, that time", "(?:for|of) so (?:many|long)|so many more|such a one"),
    ("no longer", "(?:touch|is|was|are|does so|its body) no more(?! than)"),
    ("distinguished", "(?:is|are|be) told apart|, told apart"),
    ("created and destroyed", "comes? and goe?s?"),
    ("capacity for, memory for",
     "(?:has|have|with|makes?|wants) room for|room for (?:`|so many|rare|the prox)"),
    ("tested, queried", "(?:is|are|was|were|be) asked(?! for)"),
    ("carries", "tak(?:es?|en|ing) (?:it |them |nothing |one )?along(?! the)"),
    ("quarantined", "(?:is|are|was|were|be) given up"),
    ("published", "hand(?:s|ed) in"),
    ("dirty, dirty flags", "(?:has|have|with|no|records|as) news|news of"),
    ("update sensors", "looks? around"),
    ("pre-solve", "asks? (?:the )?user"),
    ("If", r"(?<=[.;:] )(?:Should \w+|(?:Is|Are|Were|Had) (?:it|they|there)) [^.?;]*[.;]"),
    ("a noun phrase or a sentence of its own",
     "(?-i:^ (?:Of|But for|Nor|That (?:of|begins|is)|Those|Also|From then on))"),
)
EXEMPT = {"tests/rules/check_words.py", "demo/ui/font.c"}  # (the latter quotes a licence)
GAP = re.compile(r'(?:[\s*"\\]|//+|/(?=\*)|(?<=\*)/)+')
BREAK, START = "\x00", "\x01"  # stand in flat text for code, and for the start of a comment


class Words:
    """The tables, ready for searching. A rule is a tuple: entry, where it holds, words instead."""

    def __init__(self, names, phrases):
        self.parts, self.wholes, self.fields = {}, [], {}
        for where, instead, words in names:
            for word in words.split():
                if word[0] == ".":
                    self.fields[word[1:]] = (word, where, instead)
                elif re.fullmatch("[a-z]+", word):
                    self.parts[word] = (word, where, instead)
                else:
                    self.wholes.append((word, where, instead))
        self.phrases = [((pattern, ALL, instead), compile_phrase(pattern))
                        for instead, pattern in phrases]

    @functools.cache  # most names occur many times
    def judge_name(self, name, is_field):
        """The rules that a name breaks; not all of them hold everywhere."""
        broken = [self.fields[name]] if is_field and name in self.fields else []
        parts = sorted(set(re.sub("one_?way", "", name.lower()).split("_")))
        broken += [self.parts[part] for part in parts if part in self.parts]
        return broken + [rule for rule in self.wholes if fnmatch.fnmatchcase(name, rule[0])]

    def search(self, path, text):
        """Yields (rule, line, what was found) of a file."""
        lexemes = [c_source.Token("comment", text, 1)]
        if path.suffix in house.SOURCES:
            lexemes = list(c_source.read_lexemes(text))
        before = ""
        for token in lexemes:
            if token.kind == "name":
                for rule in self.judge_name(token.text, before in (".", "->")):
                    yield rule, token.line, token.text
            before = token.text
        flat, lines = flatten(lexemes)
        for match in re.finditer(r"\w*[a-zA-Z]_\w+", flat):
            for rule in self.judge_name(match[0], False):
                yield rule, line_at(lines, match.start()), match[0]
        for rule, pattern in self.phrases:
            for match in pattern.finditer(flat):
                if not pattern.groups or match[1]:
                    found = match[1] if pattern.groups else match[0]
                    yield rule, line_at(lines, match.end() - len(found)), found.strip(START + " ")


def compile_phrase(pattern):
    """A regular expression of whole words. If it has a group, only a match of the group counts."""
    pattern = pattern.replace("^ ", START + " ")
    return re.compile(rf"(?<![\w`])(?:{pattern})(?!\w)", re.IGNORECASE)


def flatten(lexemes):
    """The words of comments and strings as one line; a list of (place in it, line in the file)."""
    flat, lines, length = [], [], 0
    last = None
    for token in lexemes:
        words = [(BREAK, token.line)] if last in ("comment", "string") else []
        if token.kind in ("comment", "string"):
            words = [(START, token.line)] if token.kind == "comment" and last != "comment" else []
            words += [(word, token.line + i) for i, line in enumerate(token.text.split("\n"))
                      for word in GAP.split(line) if word]
        if token.kind not in ("blank", "newline"):
            last = token.kind
            for word, line in words:
                flat.append(word)
                lines.append((length, line))
                length += len(word) + 1
    return " ".join(flat), lines


def line_at(lines, place):
    return lines[bisect.bisect_right(lines, (place, sys.maxsize)) - 1][1]


def find_files(root):
    """The sources, and the files that are read as plain text."""
    files = set(house.find_sources(root, "engine", "demo", "tests"))
    for pattern in ("*.md", "meson*", "demo/**/meson.build", "tests/meson.build", "demo/*.sh",
                    "tests/*.sh", "tests/bindings/c/*", "tests/demo/*", "tests/rules/*.py",
                    "tests/speed/*.py", "engine/bindings/*.py"):
        files |= {path.relative_to(root) for path in root.glob(pattern) if path.is_file()}
    return sorted(path for path in files if path.as_posix() not in EXEMPT)


def find_violations(root, words):
    """Yields file, line, rule and the words found."""
    for path in find_files(root):
        for rule, line, found in words.search(path, (root / path).read_text(encoding="utf-8")):
            if path.as_posix().startswith(rule[1]):
                yield path, line, rule, found


def self_test():
    names = ((ALL, "x", "news cn_tell note_*"), (ENGINE, "x", "fixed .least"))
    phrases = (("x", "but for"), ("x", "neither[^.;]* nor|(nor)"), ("x", "^ Of"))
    files = {
        "engine/bad.c": "int news_list, fixed; // cn_tell()\n"
                        "int a = m.least + m->least; // all but\n// for one\n",
        "engine/worse.c": '/* Of\n * those. Nor\n * these. */\n'
                          'puts("all but "\n     "for");\nnote_x(CN_NEWS_SHARE);\n',
        "engine/good.c": "int knews, least, notes; // news, but\n"
                         "int b; // for neither this nor that. Of it.\n",
        "demo/good.c": "int fixed = m.least + one_way; // fixed, tell\n",
        "README.md": "It is not for all but one.\nIt is all but\nfor one.\n",
    }
    expected = [("engine/bad.c", 1), ("engine/bad.c", 2), ("README.md", 2)]
    expected += [("engine/worse.c", line) for line in (1, 2, 4, 6)]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        house.write_tree(root, files)
        violations = find_violations(root, Words(names, phrases))
        found = [(path.as_posix(), line) for path, line, *_ in violations]
    return house.compare(found, expected)


def main():
    if "--self-test" in sys.argv:
        return self_test()
    root = house.find_root(sys.argv[1:])
    violations = list(find_violations(root, Words(NAMES, PHRASES)))
    if "--counts" in sys.argv:
        counts = collections.Counter(rule for _, _, rule, _ in violations)
        for (words, where, instead), count in counts.most_common():
            print(f"{count:5} {words} {'(' + where + ') ' if where else ''}-> {instead}")
        return int(bool(violations))
    lines = [(path, line, f"{found}: {rule[2]}") for path, line, rule, found in violations]
    return house.report(lines, f"{len(find_files(root))} files")


if __name__ == "__main__":
    sys.exit(main())
