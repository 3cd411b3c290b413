#!/usr/bin/env python3
"""Moves programs that were written for Cairn 0.1 to the names and calls of 0.2, in place.

    rename.py [--look] FILE...      .c .h .cpp .hpp .cc, .js .mjs .ts .html, .py, .lua, .md
    rename.py --self-test

It changes names, arguments that are passed by value now (&hull -> hull), flags whose sense has
changed (set_enabled(true) -> set_disabled(false)), and fields of structs. In comments and texts it
changes names only. Blocks of code in .md files are changed like files.

Then it prints the lines that a person has to look at: calls that mean something else now if a field is
zero (filters, materials, media: zero is the default, as in definitions), callbacks that need a flag of
the shapes, rare calls that have another form, and in JavaScript, Python and Lua names that may belong
to Cairn, but also to something else. --look prints them and changes nothing. Give all files of a
program at once.

The work is done in rename_c.py and rename_scripts.py. rename_types.py finds what names mean.
"""
import argparse
import pathlib
import re
import sys

import rename_c
import rename_scripts
from rename_cases import C_CASES, SCRIPT_CASES
from rename_types import C, JS, LUA, PYTHON

LANGUAGES = {C: 'c h cc cpp c++ cxx hpp hh inl', JS: 'js mjs cjs ts mts tsx jsx javascript typescript',
             PYTHON: 'py python', LUA: 'lua', 'html': 'html htm', 'md': 'md'}
LANGUAGES = {word: language for language, words in LANGUAGES.items() for word in words.split()}

# The types of members of structs, from all files in C and C++ that are changed together.
members = {}


def change(text, language):
    """Returns the new text and [(line, why, code)]."""
    if language == C:
        return rename_c.change(text, members)
    if language == 'html':
        return rename_scripts.change_html(text)
    return change_markdown(text) if language == 'md' else rename_scripts.change(text, language)


def change_markdown(text):
    """Changes the text and its blocks of code. The blocks in a script language are one program."""
    parts, notes, blocks = re.split(r'(?ms)^(```\w[\w+]*\n.*?^```)', text), [], {}
    for k, part in enumerate(parts):
        if not part.startswith('```'):
            parts[k] = rename_c.rename_words(part)
            continue
        language = LANGUAGES.get(part[3:part.find('\n')].lower())
        if language in (JS, PYTHON, LUA):
            blocks.setdefault(language, []).append(k)
        elif language in (C, 'html'):
            parts[k], found = change(part, language)
            notes += [(k, line - 1, why, code) for line, why, code in found]
    for language, places in blocks.items():
        heads, bodies = zip(*(parts[k][:-3].split('\n', 1) for k in places))
        bodies, found = rename_scripts.change_blocks(bodies, language)
        for k, head, body in zip(places, heads, bodies):
            parts[k] = head + '\n' + body + '```'
        notes += [(places[n], line, why, code) for n, line, why, code in found]
    return ''.join(parts), [(''.join(parts[:k]).count('\n') + 1 + line, why, code) for k, line, why, code in notes]


def self_test():
    cases = [(C, old, new) for old, new in C_CASES] + SCRIPT_CASES
    wrong = 0
    for language, old, wanted in cases:
        new = change(old, language)[0]
        if new != wanted:
            wrong += 1
            print(f'{old}\n  becomes     {new}\n  instead of  {wanted}')
    print(f'{len(cases) - wrong} of {len(cases)} cases are right')
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('files', nargs='*', type=pathlib.Path)
    parser.add_argument('--look', action='store_true')
    parser.add_argument('--self-test', action='store_true')
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    languages = {path: LANGUAGES.get(path.suffix[1:].lower()) for path in options.files}
    if None in languages.values():
        parser.error('unknown kind of file: ' + ', '.join(str(p) for p, kind in languages.items() if not kind))
    texts = {path: path.read_text(encoding='utf-8') for path in options.files}
    for path in options.files:
        if languages[path] == C:
            rename_c.Changes(texts[path], members)  # finds the members
    for path in options.files:
        new, notes = change(texts[path], languages[path])
        if new != texts[path] and not options.look:
            path.write_text(new, encoding='utf-8')
        for line, why, code in sorted(notes):
            print(f'{path}:{line}: {why}: {code}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
