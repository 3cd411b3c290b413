#!/usr/bin/env python3
"""Checks that calls in the engine go down its layers. Prints each violation; exits with 1 if
there is any.

    check_calls.py [--list] [--climbs] [ROOT]
    check_calls.py --self-test

These rules hold for all functions and tables of the engine, without the bindings of languages
(house.py lists the layers of the core, and says what parts may use):
  1. A file of the core does not name a function or table that is defined in a later folder or in a
     part. A file of a part does not name one of a part that its README does not name. Putting a
     function into a table of function pointers names it. The tables in engine/parts/ itself are the
     exception: they name all parts. A file may name such a table if it may use the folder of the
     header that declares the table.
  2. A function that is defined in a .c file is declared in a header of the same folder, or in
     engine/cairn.h.
  3. Every folder with sources is a layer of the core, or a part with a README.

    --list     prints every call between folders: the call, and where the function is defined and
               declared
    --climbs   follows cn_world_step() depth first, through each function once. A stay is a run of
               functions in one folder; a climb is a stay that follows one in an earlier folder.
               Prints how many there are of both.

Macros of the engine are expanded, because some define functions or paste names. All branches of an
#if are read. CN_WIDE(name), name_8, name_4_avx2 ... all count as `name`. The walk takes a call
through a field (`kernels->solve(...)`) as a call of every function that a table has in that field.
"""
import pathlib
import re
import sys
import tempfile

import house
from c_source import Source, Token, expand

WIDTH = re.compile(r"_(?:1|4|8|16|4_avx2|4_avx512)$")
NO_TYPES = {"return", "else", "case", "goto", "sizeof", "do"}


class Engine:
    """All sources of the engine, with the definition that each name refers to."""

    def __init__(self, root):
        self.root = root
        self.sources = {p: Source(root, p) for p in house.find_sources(root, "engine")
                        if p.parts[:2] != house.BINDINGS}
        self.reach = {path: self.list_included(path, {}) for path in self.sources}
        self.wide = self.find_wide()
        self.parse()
        self.defined, self.declared, self.fields = {}, {}, {}
        for source in self.sources.values():
            for name, definition in source.definitions.items():
                if not definition.is_private:
                    self.defined[name] = definition
            for name in source.declared:
                self.declared.setdefault(name, []).append(source)
        for source in self.sources.values():
            for definition in source.definitions.values():
                if definition.is_table:
                    self.list_fields(definition)

    def list_included(self, path, seen):
        """The files that a file includes, and those that these include, as keys added to `seen`."""
        for target in self.sources[path].includes:
            if target in self.sources and target not in seen:
                seen[target] = True
                self.list_included(target, seen)
        return seen

    def find_wide(self):
        """The names that exist once per SIMD width."""
        names = set()
        for source in self.sources.values():
            tokens = source.tokens
            names |= {tokens[i + 2].text for i, t in enumerate(tokens) if t.text == "CN_WIDE"}
        return names

    def parse(self):
        function_types = set()
        by_kind = sorted(self.sources.values(), key=lambda s: s.path.suffix, reverse=True)
        macros = {}
        for source in by_kind:
            if source.path.suffix == ".h":
                macros.update(source.macros)
        if "CN_WIDE" in macros:
            macros["CN_WIDE"].body = [Token("name", macros["CN_WIDE"].parameters[0], 0)]
        for source in by_kind:  # headers first, for their function types
            tokens = expand(source.tokens, {**macros, **source.macros})
            source.parse([t._replace(text=self.plain(t.text)) for t in tokens], function_types)

    def plain(self, name):
        """The name without the SIMD width."""
        bare = WIDTH.sub("", name)
        return bare if bare in self.wide else name

    def list_fields(self, table):
        body = table.body
        for i in range(len(body) - 3):
            if body[i].text == "." and body[i + 2].text == "=":
                found = self.find(table.file, body[i + 3].text)
                if found:
                    self.fields.setdefault(body[i + 1].text, []).append(found)

    def find(self, path, name):
        """The definition that a name refers to in a file, or None."""
        for file in (path, *self.reach[path]):
            if name in self.sources[file].definitions:
                return self.sources[file].definitions[name]
        return self.defined.get(name)

    def uses(self, user):
        """Yields (definition, line, whether by a field) for each name in a definition."""
        body = user.body
        texts = [t.text for t in body] + [""]
        local = {body[i].text for i in range(1, len(body)) if body[i].kind == "name" and (
            body[i - 1].kind == "name" and texts[i - 1] not in NO_TYPES
            or texts[i - 1] == "*" and texts[i + 1] != "(")} - {user.name}
        for i, token in enumerate(body):
            if token.kind != "name" or token.text == user.name:
                continue
            if i and texts[i - 1] in (".", "->"):
                for found in self.fields.get(token.text, []) if texts[i + 1] == "(" else []:
                    yield found, token.line, True
            elif token.text.startswith("cn_") or token.text not in local:
                found = self.find(user.file, token.text)
                if found:
                    yield found, token.line, False


def describe(engine, found):
    sources = engine.declared.get(found.name, [])
    headers = ", ".join(s.path.as_posix() for s in sources if s.path != found.file)
    text = f"{found.name}: defined in {found.file.as_posix()}"
    return text + (f", declared in {headers}" if headers else "")


def homes_of(engine, found):
    """The folders to which a definition belongs: for a table of parts those of its headers, else
    its own."""
    headers = [s for s in engine.declared.get(found.name, []) if s.path.suffix == ".h"]
    if found.folder == house.TABLE and headers:
        return [s.folder for s in headers]
    return [found.folder]


def judge(engine):
    """Yields the violations: file, line, reason."""
    for source in engine.sources.values():
        if not house.is_known(engine.root, source.folder):
            yield source.path, 1, f"{source.folder} is no layer of the core and no part with a README"
        for user in source.definitions.values():
            for found, line, is_field in engine.uses(user):
                may_use = any(house.may_use(engine.root, user.folder, home)
                              for home in homes_of(engine, found))
                if not may_use and not is_field:
                    yield user.file, line, f"{describe(engine, found)}: {user.folder} must not use it"
    for name, definition in sorted(engine.defined.items()):
        headers = engine.declared.get(name, [])
        homes = [s for s in headers if s.folder in (definition.folder, "")]
        if definition.folder == house.TABLE:
            continue
        if definition.file.suffix == ".c" and (not headers or len(homes) < len(headers)):
            reason = f"{describe(engine, definition)}, not in a header of its folder"
            yield definition.file, definition.line, reason


def list_calls(engine):
    for source in engine.sources.values():
        for user in source.definitions.values():
            for found, line, is_field in engine.uses(user):
                if found.folder != user.folder and not is_field:
                    print(f"{user.file}:{line}: {describe(engine, found)}")


def walk(engine, start):
    """The functions and tables in the order in which they are first named."""
    order, seen, stack = [], set(), [start]
    while stack:
        now = stack.pop()
        if (now.file, now.name) in seen:
            continue
        seen.add((now.file, now.name))
        order.append(now)
        stack += reversed([found for found, _, _ in engine.uses(now)])
    return order


def describe_walk(engine):
    order = walk(engine, engine.defined["cn_world_step"])
    folders = [d.folder for i, d in enumerate(order) if i == 0 or order[i - 1].folder != d.folder]
    climbs = sum(not house.may_use(engine.root, a, b) for a, b in zip(folders, folders[1:]))
    ups = {(d.file, d.name, found.name) for d in order for found, _, _ in engine.uses(d)
           if not house.may_use(engine.root, d.folder, found.folder)}
    return (f"cn_world_step: {len(order)} functions and tables, "
            f"{climbs} climbs in {len(folders)} stays; {len(ups)} calls go to a later folder")


def self_test():
    """A small tree breaks each rule once: exactly these places must be reported."""
    files = {
        "core/base/base.h": "#define CN_WIDE(name) name##_4\nint cn_low(void);\nvoid cn_high(void);\n"
                       "extern const cn_kernels CN_WIDE(cn_kernels);\n",
        "core/base/low.c": '#include "base.h"\n// cn_high()\n'
                      "int cn_low(void) {\n    return cn_high(), 1;\n}\n",
        "core/base/other.c": "static void (*const table[])(void) = {cn_wide_4, cn_wide_4_avx2};\n",
        "core/world/high.c": '#include "../base/base.h"\nvoid cn_high(void) { cn_low(); }\n',
        "core/world/wide.h": "static inline void CN_WIDE(cn_wide)(void) {}\n",
        "core/odd/odd.c": "static int cn_high(void) { return 0; }\n",
        "parts/water/README.md": "Needs: tiles.\n",
        "parts/water/water.h": "void cn_wet(void);\n",
        "parts/water/water.c": "void cn_wet(void) { cn_high(), cn_tile(), cn_wind(); }\n",
        "parts/tiles/README.md": "Needs: nothing.\n",
        "parts/tiles/tiles.h": "void cn_tile(void);\n",
        "parts/tiles/tiles.c": "void cn_tile(void) {\n    cn_wet();\n}\n",
        "parts/wind/README.md": "Needs: nothing.\n",
        "parts/wind/wind.h": "void cn_wind(void);\n",
        "parts/wind/wind.c": "void cn_wind(void) { cn_low(); }\n",
        "core/world/rain.c": "static void rain(void) {\n    cn_wet();\n}\n",
        "parts/parts.c": "static void (*const parts[])(void) = {cn_wet, cn_tile, cn_wind};\n"
                         "void (*const cn_winds)(void) = cn_wind;\nint cn_listed = 1;\n",
        "parts/wind/winds.h": "extern void (*const cn_winds)(void);\n",
        "core/world/world.h": "extern int cn_listed;\n",
        "core/world/gust.c": "int cn_gust(void) { return cn_listed; }\n"
                             "extern void (*const cn_winds)(void);\n"
                             "static void blow(void) { cn_winds(); }\n",
        "core/world/gust.h": "int cn_gust(void);\n",
    }
    expected = [("core/world/high.c", 2), ("core/base/low.c", 4), ("core/odd/odd.c", 1),
                ("core/base/other.c", 1), ("parts/water/water.c", 1), ("parts/tiles/tiles.c", 2),
                ("core/world/rain.c", 2), ("core/world/gust.c", 3)]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        house.write_tree(root, {f"engine/{name}": text for name, text in files.items()})
        found = [(path.as_posix(), line) for path, line, _ in judge(Engine(root))]
    return house.compare(found, [(f"engine/{path}", line) for path, line in expected])


def main():
    if "--self-test" in sys.argv:
        return self_test()
    engine = Engine(house.find_root(sys.argv[1:]))
    if "--list" in sys.argv:
        list_calls(engine)
    if "--climbs" in sys.argv:
        print(describe_walk(engine))
    scope = f"{len(engine.sources)} files, {len(engine.defined)} functions and tables"
    return house.report(judge(engine), scope)


if __name__ == "__main__":
    sys.exit(main())
