"""Shared by the checks of the house rules: the layers of the engine, its sources, and reports."""
import pathlib
import sys

# The layers, in order: folders below engine/. A file uses only its own folder and earlier ones.
LAYERS = (
    "base",
    "collision",
    "dynamics/model",
    "dynamics/pairs",
    "dynamics/plan",
    "dynamics/solver",
    "dynamics/step",
    "world",
    "snapshot",
    "recording",
)
BINDINGS = ("engine", "bindings")  # not of the engine: what bindings of languages have in C
SOURCES = (".c", ".h", ".cpp", ".hpp", ".inc")
PUBLIC = pathlib.PurePath("engine/cairn.h")


def layer(path):
    """The folder below engine/ that a file of the engine is in, "" for engine/ itself."""
    return "/".join(path.parts[1:-1])


def rank(folder):
    """The place of a folder among the layers: -1 for engine/, the last for an unknown folder."""
    if folder == "":
        return -1
    return LAYERS.index(folder) if folder in LAYERS else len(LAYERS)


def find_root(arguments):
    """The root of the project: the first argument that is not an option, or the parent folder."""
    names = [a for a in arguments if not a.startswith("-")]
    default = pathlib.Path(__file__).resolve().parent.parent
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
