"""Shared by the checks of the house rules: the folders of the engine, its sources, and reports."""
import functools
import pathlib
import re
import sys

# The layers of the core, in order: folders below engine/. A file uses only its own layer and earlier
# ones. may_use() says what parts may use.
CORE = (
    "core/base",
    "core/collision",
    "core/dynamics/model",
    "core/dynamics/pairs",
    "core/dynamics/plan",
    "core/dynamics/solver",
    "core/dynamics/step",
    "core/world",
)
TABLE = "parts"  # engine/parts/ itself, with the tables of the parts that are built in
BINDINGS = ("engine", "bindings")  # not of the engine: what bindings of languages have in C
SOURCES = (".c", ".h", ".cpp", ".hpp", ".inc")
PUBLIC = pathlib.PurePath("engine/cairn.h")


def layer(path):
    """The folder below engine/ that a file of the engine is in, "" for engine/ itself."""
    return "/".join(path.parts[1:-1])


def is_part(folder):
    return folder.startswith("parts/") and folder.count("/") == 1


@functools.cache
def named_parts(root, folder):
    """The parts that the README of a part names in its lines "Needs: ..." and "Meets: ...". All
    parts if it names "all"."""
    readme = root / "engine" / folder / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    names = " ".join(re.findall(r"^(?:Needs|Meets): (.*)$", text, re.MULTILINE))
    return frozenset(re.findall(r"[a-z]+", names))


def list_parts(root):
    """The parts: folders of engine/parts/ with a README."""
    return sorted(path.parent.name for path in (root / "engine/parts").glob("*/README.md"))


def needed_parts(root, part):
    """The parts that the README of a part names in its line "Needs: ..."."""
    text = (root / "engine/parts" / part / "README.md").read_text(encoding="utf-8")
    line = re.search(r"^Needs: (.*)$", text, re.MULTILINE)
    return [name for name in re.findall(r"[a-z]+", line[1] if line else "") if name != "nothing"]


def is_known(root, folder):
    """True for engine/ itself, the layers of the core, and parts that have a README."""
    return folder in ("", TABLE, *CORE) or (
        is_part(folder) and (root / "engine" / folder / "README.md").is_file())


def may_use(root, own, other):
    """Whether a file in the folder `own` may use what a file in the folder `other` has. A part may
    use the core and the parts that its README names. The tables of parts may use all."""
    if other in ("", own) or own == TABLE:
        return True
    if own in CORE:
        return other in CORE and CORE.index(other) < CORE.index(own)
    named = named_parts(root, own)
    return is_part(own) and (
        other in CORE or other == TABLE or is_part(other) and ("all" in named or other[6:] in named))


def find_root(arguments):
    """The root of the project: the first argument that is not an option, or the parent folder."""
    names = [a for a in arguments if not a.startswith("-")]
    default = pathlib.Path(__file__).resolve().parents[2]
    root = pathlib.Path(names[0]).resolve() if names else default
    if not (root / "engine").is_dir():
        print(f"there is no folder {root / 'engine'}", file=sys.stderr)
        sys.exit(2)
    return root


def find_sources(root, *folders):
    """Yields the source files below these folders of the root, sorted, relative to the root."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES:
                yield path.relative_to(root)


def resolve(root, path, name, is_quoted=True):
    """The file that an #include refers to, relative to the root. None if it lies outside."""
    folders = [root, root / "engine", root / "demo", root / "tests"]
    if is_quoted:
        folders.insert(0, (root / path).parent)
    for folder in folders:
        target = (folder / name).resolve()
        if target.is_file() and root in target.parents:
            return target.relative_to(root)
    return None


def report(violations, scope):
    """Prints each violation (file, line, reason) once, and the count. Returns the exit code."""
    ordered = sorted(set(violations))
    lines = [f"{path.as_posix()}:{line}: {reason}" for path, line, reason in ordered]
    print("\n".join(lines + [f"{scope}, {len(lines)} violations"]))
    return int(bool(lines))


# ---- for the self-tests

def write_tree(root, files):
    """Writes the files, texts by path."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def compare(found, expected):
    """Prints the difference of two collections. Returns the exit code."""
    found, expected = set(found), set(expected)
    print(f"{len(expected)} expected; missing: {sorted(expected - found)}, "
          f"surplus: {sorted(found - expected)}")
    return int(found != expected)
