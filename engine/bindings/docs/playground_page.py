"""The playground of the site: the page, and the file with the package, the scripts of the frame and
the examples. The first sentence of an example is its title: // Title. More about it."""
import json
import pathlib
import re
import shutil

HERE = pathlib.Path(__file__).resolve().parent / "playground"
FIRST = ["crates", "bridge", "character", "water", "blast"]


def names():
    return [example["name"] for example in examples()]


def examples():
    """The examples in order, first those that are no lessons."""
    lessons = sorted((HERE / "examples").glob("[0-9]*.js"), key=lambda p: int(p.stem.split("_")[0]))
    for path in [*(HERE / "examples" / f"{name}.js" for name in FIRST), *lessons]:
        code = path.read_text("utf-8")
        group = "Lessons" if path in lessons else "Examples"
        title = re.match(r"// (.*?)\.\s", code)[1]
        yield {"name": path.stem, "title": title, "group": group, "code": code}


def write(package, output):
    """Writes the scripts of the page, and returns its HTML. `package` is the folder of cairn2d."""
    engine = (package / "cairn2d.global.js").read_text("utf-8")
    runner = (HERE / "worker.js").read_text("utf-8")
    data = {"engine": f"{engine}\n{runner}", "frame": (HERE / "frame.js").read_text("utf-8"),
            "examples": list(examples())}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    (output / "playground-data.js").write_text(f"const PLAYGROUND = {text};\n", encoding="utf-8")
    shutil.copyfile(HERE / "playground.js", output / "playground.js")
    return (HERE / "page.html").read_text("utf-8")
