"""The sources of the engine as meson.build lists them: those of the core and of each part."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILE = re.compile(r"'(engine/[\w/]+\.c)'")


def read(root=ROOT):
    """Returns the core's sources, those of the parts (by the names of the parts that a source needs,
    with spaces between), what each part needs, and the sources that are compiled once per SIMD
    width."""
    text = (root / "meson.build").read_text(encoding="utf-8")
    core, rest = text.split("part_sources = {", 1)
    parts, rest = rest.split("part_needs = {", 1)
    needs, rest = rest.split("}", 1)
    kernels = rest[rest.index("tree_kernels"):rest.index("kernel_widths")]
    return (FILE.findall(core),
            {key: FILE.findall(body)
             for key, body in re.findall(r"'([a-z ]+)': files\((.*?)\)", parts, re.DOTALL)},
            {name: re.findall(r"'([a-z]+)'", names)
             for name, names in re.findall(r"'([a-z]+)': \[(.*?)\]", needs)},
            FILE.findall(kernels))


def part_of(file):
    """The part that a source belongs to, or None for the core and for the table of parts."""
    folders = pathlib.PurePosixPath(file).parts
    return folders[2] if folders[1] == "parts" and len(folders) > 3 else None


def select(wanted):
    """The sources of a build with these parts: "all", "none", or names with commas. The parts that
    they need are built, too. Returns the names of the parts that are built and of those that are
    not, the sources, and the sources that are compiled once per SIMD width."""
    core, parts, needs, kernels = read()
    every = [key for key in parts if " " not in key]
    names = {"all": every, "none": []}.get(wanted, wanted.split(","))
    built = []
    for name in names + [need for name in names for need in needs.get(name, [])]:
        if name not in every:
            raise ValueError(f"there is no part {name}: the parts are {', '.join(every)}")
        built += [] if name in built else [name]
    sources = core + [file for key, files in parts.items()
                      if all(name in built for name in key.split()) for file in files]
    return (built, [name for name in every if name not in built], sources,
            [file for file in kernels if part_of(file) in (None, *built)])
