#!/usr/bin/env python3
"""Writes the engine as one file: cairn.c and cairn.h, which need no other library.

    amalgamate.py [--parts=PARTS] [FOLDER]      default: all parts, the current folder

PARTS is a value of meson's -Dparts: names of folders of engine/parts/ with commas, all, or none.

    cc -O2 -c cairn.c           (the program needs -lm -pthread, except on Windows)

The sources are those of meson.build. Two things are different in one file:

  Names   Static names of a source must not collide with those of others. A name that several
          sources define gets the name of its source as a suffix. Macros are undefined at the end
          of their source.
  Lanes   Headers and sources that depend on the number of lanes are written for 1 and for 4 lanes,
          and the names that they define get this number as a suffix. The kernels are written for 4
          lanes only: those for AVX need compiler options of their own. A world with .lanes = 1 uses
          4 lanes. The results are the same.

Without cglm, cairn.h and base/maths.h define what the engine uses of it.
"""
import pathlib
import re
import sys

import sources

HERE = pathlib.Path(__file__).resolve().parent
ENGINE = HERE.parent
LANES = (1, 4)
KERNEL_LANES = 4

START = """/* Cairn {version} in one file. Made by engine/bindings/amalgamate.py from the sources in engine/:
 * do not edit. Compile it with optimisation:
 *
 *     cc -O2 -c cairn.c
 *
 * gcc or clang is needed; in Visual Studio, its clang-cl. Programs need -lm and -pthread, except on
 * Windows.
 */
#if defined(__cplusplus)
#error "cairn.c is C: compile it with a C compiler (cairn.h may be included in C++)"
#endif
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE) && !defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L // clock_gettime
#endif

// The same bits on every machine: see meson.build.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize", "no-math-errno")
// GCC fuses multiplications and additions of vectors all the same, for example with -march=native.
#if defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__)
#pragma GCC target("no-fma,no-fma4,no-avx512f")
#endif
#endif
#if defined(__FAST_MATH__)
#error "cairn.c must not be compiled with -ffast-math: the results would differ from other builds"
#endif

#if defined(_WIN32)
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>
#undef near // these are macros there
#undef far
#endif
#pragma GCC diagnostic ignored "-Wunused-function" // the functions for lanes are not all used
#if !defined(__clang__) // false alarms of GCC, because it inlines from one source into another
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wformat-truncation"
#endif

#include "cairn.h"

#include <assert.h>
#include <math.h>
"""

KEYWORDS = {"static", "inline", "const", "struct", "enum", "union", "void", "int", "float", "double",
            "bool", "char", "unsigned", "signed", "long", "short"}

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*) |
    (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*') |
    (?P<name>[A-Za-z_]\w*) |
    (?P<number>\d[\w.]*) |
    (?P<space>\s+) |
    (?P<sign>->|\#\#|.)""", re.VERBOSE | re.DOTALL)


def tokens(text):
    return [(m.lastgroup, m[0]) for m in TOKEN.finditer(text)]


def code_of(text):
    """The tokens of a source without comments, spaces and preprocessor lines."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"//[^\n]*", " ", text)
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", " ", text, flags=re.MULTILINE)
    return [t for t in tokens(text) if t[0] != "space"]


def split_declarations(text):
    """The declarations at file scope, with their bodies. Each is a list of (kind, token, depth),
    where depth counts the braces around the token."""
    found, now, depth = [], [], 0
    code = code_of(text)
    for i, (kind, token) in enumerate(code):
        if token == "{":
            depth += 1
        now.append((kind, token, depth))
        if token == "}":
            depth -= 1
            follows = code[i + 1][1] if i + 1 < len(code) else ""
            # A function ends here, but a struct goes on up to its semicolon.
            is_function = depth == 0 and any(
                t == ")" and d == 0 and now[j + 1][1] == "{"
                for j, (_, t, d) in enumerate(now[:-1]))
            if is_function and follows != ";":
                found.append(now)
                now = []
        if token == ";" and depth == 0:
            found.append(now)
            now = []
    return found


def names_of(text):
    """The names that a source defines at file scope and that others cannot use, and its macros."""
    macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, flags=re.MULTILINE)
    names = set()
    for declaration in split_declarations(text):
        words = [t for k, t, d in declaration if k == "name" and d == 0]
        if not words:
            continue
        top = [(k, t) for k, t, d in declaration if d == 0]
        inner = [(k, t) for k, t, d in declaration if d > 0]
        if "enum" in words:  # its constants
            expects = True
            for k, t in inner:
                if expects and k == "name":
                    names.add(t)
                expects = t in ("{", ",")
        for tag in re.findall(r"(?:struct|enum|union) (\w+) \{",
                              " ".join(t for _, t, _ in declaration)):
            names.add(tag)
        if words[0] == "typedef":
            flat = " ".join(t for _, t in top)
            function = re.search(r"(\w+) \(", re.sub(r"__attribute__ \( \(.*?\) \) ?(?:\) )?", "", flat))
            names.add(function[1] if function and not re.search(r"\} \w+ ;", flat)
                      and "attribute" not in flat else
                      re.findall(r"\w+", re.sub(r"__attribute__.*", "", flat))[-1])
        elif words[0] in ("static", "CN_INLINE", "_Thread_local"):
            # The name stands before the first of ( [ = ;
            flat = re.sub(r"(?:__attribute__|_Alignas) \((?: \( \w+ \)| \w+) \)", "",
                          " ".join(t for _, t in top))
            names.add(re.search(r"(\w+) [(=;[]", flat)[1])
    return names - KEYWORDS, list(dict.fromkeys(macros))


def members_of(text):
    """The members of structs and unions that a source defines."""
    members = set()
    for declaration in split_declarations(text):
        words = {t for k, t, d in declaration if d == 0}
        if words & {"struct", "union"} and not any(t in ("(", "=") for _, t, d in declaration if d == 0):
            inner = [(k, t) for k, t, d in declaration if d > 0]
            members |= {t for (k, t), (_, after) in zip(inner, inner[1:])
                        if k == "name" and after in (";", ",", "[", ":")}
    return members


def rename(text, suffixes):
    """Appends suffixes to names, but not to members of structs. A name is a member if it follows a
    dot or an arrow, or if a struct declares it and it is not called."""
    members = members_of(text)
    prefixes = {}
    if suffixes:
        for prefix in re.findall(r"\b([a-z]\w*_)##", text):
            prefixes[prefix] = next(iter(suffixes.values()))
    result, before = [], ""
    parts = tokens(text)
    for i, (kind, token) in enumerate(parts):
        if kind == "name" and before not in (".", "->"):
            is_call = i + 1 < len(parts) and parts[i + 1][1] == "("
            if token in suffixes and (is_call or token not in members):
                token += suffixes[token]
            else:
                for prefix, suffix in prefixes.items():
                    if token == prefix or token.startswith(prefix + "CN_"):
                        token = prefix[:-1] + suffix + token[len(prefix) - 1:]
        result.append(token)
        if kind not in ("space", "comment"):
            before = token
    return "".join(result)


class Amalgam:
    """Collects the parts of cairn.c."""

    def __init__(self, root, wanted):
        self.root = root
        self.texts = {}
        self.included = set()
        self.parts = []
        _, self.missing, plain, kernels = sources.select(wanted)
        self.kernels = [root / n for n in kernels]
        self.sources = [root / n for n in plain]
        self.is_wide_known = {}
        stems = [s.stem for s in self.sources + self.kernels]
        self.stems = {s: s.stem if stems.count(s.stem) == 1 else f"{s.parent.name}_{s.stem}"
                      for s in self.sources + self.kernels}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = path.read_text(encoding="utf-8")
        return self.texts[path]

    def includes(self, path):
        return [(path.parent / n).resolve()
                for n in re.findall(r'^#include "([^"]+)"', self.text(path), re.MULTILINE)]

    def is_wide(self, path):
        """True for base/wide.h, and for files that include it, directly or through another
        header."""
        if path not in self.is_wide_known:
            self.is_wide_known[path] = path.name == "wide.h" or any(
                self.is_wide(p) for p in self.includes(path))
        return self.is_wide_known[path]

    def add_headers(self, path):
        """Adds the headers of a source that are the same for all lanes."""
        for header in self.includes(path):
            if header in self.included or header.name == "cairn.h":
                continue
            self.add_headers(header)
            if not self.is_wide(header):
                self.included.add(header)
                self.add(header, self.text(header))

    def wide_headers(self, path):
        """The headers of a source that depend on the lanes, in the order of their inclusion."""
        found = []
        for header in self.includes(path):
            if self.is_wide(header):
                found += [h for h in self.wide_headers(header) + [header] if h not in found]
        return found

    def add(self, path, text, lanes=None):
        text = re.sub(r'^#include "[^"]+"\n', "", text, flags=re.MULTILINE)
        text = re.sub(r"^#define _POSIX_C_SOURCE.*\n", "", text, flags=re.MULTILINE)
        if lanes:
            text = re.sub(r"^#define CN_LANES \d+\n", "", text, flags=re.MULTILINE)
        name = path.relative_to(self.root).as_posix()
        line = f"// ---- {name}" + (f", {lanes} lanes" if lanes else "")
        self.parts.append(f"{line}\n\n{text.strip()}\n")

    def undefine(self, macros):
        if macros:
            self.parts.append("".join(f"#undef {m}\n" for m in macros))

    def write(self):
        """The parts: plain headers, plain sources, and the sources with lanes."""
        for source in self.sources + self.kernels:
            self.add_headers(source)
        plain = [s for s in self.sources if not self.is_wide(s)]
        other = [s for s in self.sources if s not in plain and
                not re.search(f"^#define CN_LANES [{LANES[0]}{LANES[1]}]$", self.text(s), re.MULTILINE)]
        if other:
            sys.exit(f"amalgamate.py: CN_LANES of {other[0]} is not 1 or 4")
        names, macros = {}, {}
        for source in self.sources + self.kernels:
            names[source], macros[source] = names_of(self.text(source))
        defined = {}
        for source in plain:
            for name in names[source]:
                defined.setdefault(name, []).append(source)
        for source in plain:
            suffixes = {n: f"_{self.stems[source]}" for n in names[source] if len(defined[n]) > 1}
            self.add(source, rename(self.text(source), suffixes))
            self.undefine(macros[source])
        for lanes in LANES:
            self.add_lanes(lanes, macros)
        return self.parts

    def plain_tags(self):
        """The structs that plain headers mention by `struct NAME *`. They keep their names."""
        return {t for h in self.included
                for t in re.findall(r"\bstruct (\w+) \*", self.text(h))}

    def add_lanes(self, lanes, macros):
        """Adds the sources with this number of lanes, each after its headers that are not there
        yet."""
        wide = [s for s in self.sources if self.is_wide(s) and
                f"#define CN_LANES {lanes}\n" in self.text(s)]
        wide += self.kernels if lanes == KERNEL_LANES else []
        self.parts.append(f"// ==== {lanes} lanes\n\n#define CN_LANES {lanes}\n")
        tags, suffixes, header_macros = self.plain_tags(), {}, []
        for source in wide:
            for path in self.wide_headers(source) + [source]:
                if path in suffixes:
                    continue
                suffixes[path] = {n: f"_{path.stem}{lanes}" for n in names_of(self.text(path))[0] - tags}
                visible = {}
                for header in self.wide_headers(path) + [path]:
                    visible.update(suffixes[header])
                self.add(path, rename(self.text(path), visible), lanes)
                if path != source:
                    header_macros += names_of(self.text(path))[1]
            self.undefine([m for m in macros[source] if m != "CN_LANES"])
        self.undefine(header_macros + ["CN_LANES"])

    def narrow_kernels(self):
        """Macros that give the kernels for four lanes the names of those for one lane."""
        names = sorted({n for text in self.texts.values()
                        for n in re.findall(r"\b(cn_\w+)_1\b", text)})
        return "// There are no kernels for one lane.\n" + "".join(
            f"#define {n}_1 {n}_{KERNEL_LANES}\n" for n in names)


def main():
    root = ENGINE.parent
    options = [arg for arg in sys.argv[1:] if arg.startswith("-")]
    folders = [arg for arg in sys.argv[1:] if not arg.startswith("-")]
    if len(folders) > 1 or any(not option.startswith("--parts=") for option in options):
        sys.exit(__doc__)
    wanted = options[-1].partition("=")[2] if options else "all"
    folder = pathlib.Path(folders[0] if folders else ".")
    text = (root / "engine/cairn.h").read_text(encoding="utf-8")
    version = ".".join(re.findall(r"#define CN_VERSION_\w+ (\d+)", text))
    try:
        amalgam = Amalgam(root, wanted)
    except ValueError as error:
        sys.exit(f"amalgamate.py: {error}")
    parts = amalgam.write()
    missing = "".join(f"#define CN_WITHOUT_{name.upper()}\n" for name in amalgam.missing)
    parts = [START.replace("{version}", version), *([missing] if missing else []), amalgam.narrow_kernels()] + parts
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cairn.c").write_text("\n".join(parts), encoding="utf-8")
    (folder / "cairn.h").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
