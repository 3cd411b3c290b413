"""Compiles the programs of the guides."""
import os
import pathlib
import shlex
import subprocess

ENGINE = pathlib.Path(__file__).resolve().parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-function",
            "-Wno-unused-but-set-variable"]  # a guide may declare names that it does not use


def compile_c(source, binary, library):
    """Writes the source beside the binary, compiles it and links it with a static library."""
    file = binary.with_suffix(".c")
    file.write_text(source, encoding="utf-8")
    found = subprocess.run(["pkg-config", "--cflags", "cglm"], capture_output=True, text=True)
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*compiler, "-std=c17", "-O1", *WARNINGS, f"-I{ENGINE}",
                    *shlex.split(found.stdout), file, library, "-lm", "-pthread", "-o", binary],
                   check=True)
    return binary
