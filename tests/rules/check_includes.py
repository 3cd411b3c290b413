#!/usr/bin/env python3
"""Checks the include rule and prints what breaks it; exits with 1 if anything does.

    check_includes.py [ROOT]
    check_includes.py --self-test

The folders of engine/core/ are layers; house.py lists their order. A file includes only from its own
folder, from an earlier one, or engine/cairn.h. A part, in a folder of engine/parts/, includes from
the core and from the parts that its README names as "Needs: ..." or "Meets: ...". Every folder with
sources is a layer of the core or a part with a README. The README has at most 15 lines. It names the
same needed parts as part_needs in meson.build. A file that is built only with two parts belongs to
one of them, whose README names the other. The core does not ask which parts are built in
(CN_HAS_..., CN_WITHOUT_...). cairn.h itself includes only cglm's vec2 and the C headers for maths,
bool, size_t and integers.

demo/ includes from demo/ and engine/cairn.h. Only demo/trace/ looks inside the engine: it includes
from the engine, too. The C files of a language's binding, in a folder of
engine/bindings/, include from that folder and engine/cairn.h. tests/ may include anything.
"""
import pathlib
import sys
import tempfile

import house
from c_source import read_lines

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "engine" / "bindings"))
import sources  # (needs the path)

PUBLIC_INCLUDES = {"cglm/struct/vec2.h", "math.h", "stdbool.h", "stddef.h", "stdint.h"}

INSIDE = ("demo", "trace")


def find_includes(path):
    """Yields (line number, name, whether it stands in quotes). The name is "" if it is computed."""
    for tokens in read_lines(path.read_text(encoding="utf-8")):
        texts = [t.text for t in tokens]
        if texts[0] != "#" or texts[1:2] not in (["include"], ["include_next"], ["import"]):
            continue
        if tokens[2].kind == "string":
            yield tokens[0].line, texts[2][1:-1], True
        else:
            yield tokens[0].line, "".join(texts[3:-1]) if texts[2] == "<" else "", False


def judge(root, source, name, is_quoted, target):
    """Why an include is not allowed, or None. Paths are relative to the root."""
    if not name:
        return "the name of the file must be written out"
    if source == house.PUBLIC:
        is_public = name in PUBLIC_INCLUDES
        return None if is_public else "the public header includes only cglm and C headers"
    if target is None:
        in_engine = source.parts[0] == "engine"
        return "there is no such file in the project" if is_quoted and in_engine else None
    if target == house.PUBLIC or source.parts[0] == "tests":
        return None
    if source.parts[0] == "demo":
        is_demo = target.parts[0] == "demo"
        looks_inside = source.parts[:2] == INSIDE and target.parts[0] == "engine"
        return None if is_demo or looks_inside else "demo includes from demo and engine/cairn.h only"
    if source.parts[:2] == house.BINDINGS:
        is_own = target.parts[:3] == source.parts[:3]
        return None if is_own else "a binding includes its own files and engine/cairn.h only"
    if target.parts[0] != "engine":
        return "the engine includes from the engine only"
    own, other = house.layer(source), house.layer(target)
    if not house.may_use(root, own, other):
        return f"{own or 'engine itself'} must not use {other}"
    return None


def find_conditions(path):
    """Yields (line number, name) where a file asks whether a part is built in."""
    for tokens in read_lines(path.read_text(encoding="utf-8")):
        for token in tokens:
            if token.text.startswith(("CN_HAS_", "CN_WITHOUT_")):
                yield token.line, token.text


def find_violations(root, files):
    """Yields the violations: file, line, reason."""
    for source in files:
        for line, name in find_conditions(root / source) if house.layer(source) in house.CORE else []:
            yield source, line, f"{name}: the core must not ask which parts are built in"
        is_layer = source.parts[0] == "engine" and source.parts[:2] != house.BINDINGS
        if is_layer and not house.is_known(root, house.layer(source)):
            yield source, 1, f"{house.layer(source)} is no layer of the core and no part with a README"
        for line, name, is_quoted in find_includes(root / source):
            reason = judge(root, source, name, is_quoted, house.resolve(root, source, name, is_quoted))
            if reason:
                yield source, line, f"{name}: {reason}"


LONGEST_README = 15  # lines


def judge_parts(root):
    """Yields what is wrong with the READMEs of parts, or between them and meson.build."""
    _, files, needs, _ = sources.read(root)
    parts, build = house.list_parts(root), pathlib.PurePath("meson.build")
    for name in {name for key in files for name in key.split()} ^ set(parts):
        yield build, 1, f"{name} is in part_sources, or has a folder with a README, but not both"
    for part in parts:
        readme = pathlib.PurePath("engine/parts", part, "README.md")
        lines = (root / readme).read_text(encoding="utf-8").count("\n")
        if lines > LONGEST_README:
            yield readme, lines, f"has more than {LONGEST_README} lines"
        if sorted(house.needed_parts(root, part)) != sorted(needs.get(part, [])):
            yield readme, 1, f"does not need what meson.build says: {needs.get(part, [])}"
    for key, names in files.items():
        for file in names:
            own = sources.part_of(file)
            named = house.named_parts(root, f"parts/{own}")
            if own not in key.split() or not ("all" in named or named | {own} >= set(key.split())):
                yield pathlib.PurePath(file), 1, f"its part must be one of {key}, and name the others"


# For the self-test: the parts in its tree.
MESON = """files('engine/core/base/base.c')
part_sources = {
  'fire': files('engine/parts/fire/fire.c'),
  'fire wood': files('engine/parts/fire/burn.c'),
  'fire wet': files('engine/parts/fire/saved.c'),
  'wood': files('engine/parts/wood/wood.c'),
  'wet': files('engine/parts/wet/wet.c'),
  'air': files(),
}
part_needs = {
  'wood': [],
}
tree_kernels = files()
kernel_widths = []
"""


def self_test():
    """A small tree has a bad example of each kind: exactly these must be reported."""
    includes = {
        "engine/cairn.h": ["<stdbool.h>", "<stdio.h>"],
        "engine/core/base/base.h": ['"../../cairn.h"', '"nowhere.h"', '"../collision/tree.h"'],
        "engine/core/collision/tree.h": ['"core/base/base.h"'],
        "engine/core/dynamics/model/model.h": ['"../../collision/tree.h"',
                                               '"../../../parts/fire/fire.h"'],
        "engine/core/dynamics/step/step.h": ['"../model/model.h"', '"demo.h"'],
        "engine/parts/fire/fire.h": ['"../../core/collision/tree.h"', '"../wood/wood.h"',
                                     '"../wet/wet.h"'],
        "engine/parts/wood/wood.h": [],
        "engine/parts/wet/wet.h": [],
        "engine/odd/odd.h": ["<math.h>"],
        "engine/bindings/lisp/lisp.c": ['"../../cairn.h"', '"lisp.h"', '"../../base/base.h"'],
        "engine/bindings/lisp/lisp.h": ['"../../cairn.h"'],
        "demo/demo.h": ['"cairn.h"', '"core/base/base.h"'],
        "demo/trace/trace.h": ['"../../engine/core/base/base.h"', '"../../tests/test.c"'],
        "tests/test.c": ['"core/base/base.h"', '"demo.h"'],
    }
    expected = [("engine/cairn.h", 2), ("engine/core/base/base.h", 2), ("engine/core/base/base.h", 3),
                ("engine/core/dynamics/model/model.h", 2), ("engine/core/dynamics/step/step.h", 2),
                ("engine/parts/fire/fire.h", 3), ("engine/odd/odd.h", 1),
                ("engine/bindings/lisp/lisp.c", 3), ("demo/demo.h", 2),
                ("demo/trace/trace.h", 2),
                # Of MESON: fire needs wood, air has no folder, fire does not name wet.
                ("engine/parts/fire/README.md", 1), ("engine/parts/wood/README.md", 16),
                ("meson.build", 1), ("engine/parts/fire/saved.c", 1),
                ("engine/core/world/part.c", 1)]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        house.write_tree(root, {file: "".join(f"#include {name}\n" for name in names)
                                for file, names in includes.items()})
        house.write_tree(root, {"engine/core/world/part.c": "#if CN_HAS_FIRE\n#endif\n"})
        house.write_tree(root, {"engine/parts/fire/README.md": "Needs: wood.\n",
                                "engine/parts/wood/README.md": "Needs: nothing.\n" + 15 * "\n",
                                "engine/parts/wet/README.md": "Needs: nothing.\n"})
        files = house.find_sources(root, "engine", "demo", "tests")
        (root / "meson.build").write_text(MESON, encoding="utf-8")
        found = [(path.as_posix(), line) for path, line, _ in
                 [*find_violations(root, files), *judge_parts(root)]]
    return house.compare(found, expected)


def main():
    if "--self-test" in sys.argv:
        return self_test()
    root = house.find_root(sys.argv[1:])
    files = list(house.find_sources(root, "engine", "demo", "tests"))
    return house.report([*find_violations(root, files), *judge_parts(root)], f"{len(files)} files")


if __name__ == "__main__":
    sys.exit(main())
