#!/usr/bin/env python3
"""Makes the pictures of the joints guide: pictures.py cairn-demo libcairn.a

The programs of the guide record their calls, and the demo shows these recordings. So each picture
shows the code beside it."""
import pathlib
import subprocess
import sys
import tempfile

from blocks import find_programs
from compile import compile_c

HERE = pathlib.Path(__file__).resolve().parent


def main():
    demo, library = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    text = (HERE / "guides" / "joints.md").read_text("utf-8")
    (HERE / "pictures").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program in find_programs(text):
            if program.language == "c" and "picture(" in program.source():
                binary = compile_c(program.source(), folder / "program", library)
                subprocess.run([binary], check=True, env={"CAIRN_PICTURES": name},
                               stdout=subprocess.DEVNULL)
        for recording in sorted(folder.glob("joint-*")):
            file = recording.rename(folder / f"{recording.stem}.cairn")
            picture = HERE / "pictures" / f"{recording.stem}.png"
            subprocess.run([demo, file.name, "--headless", "--light", "--size", "640x360",
                            "--overlay", "joints", "--steps", recording.suffix[1:],
                            "--screenshot", picture], check=True, cwd=folder)


if __name__ == "__main__":
    main()
