"""Counts the instructions of functions in callgrind. Their number is the same on any machine.

For instructions.py, growth.py and beside.py. Valgrind has no AVX-512, so worlds have at most 8 SIMD
lanes in it. Wider kernels have the same source.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Meson has malloc() fill its blocks, and callgrind would count that.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}


def skip(reason):
    """Exits with 77, which means "skipped" to Meson."""
    print(f"{pathlib.Path(sys.argv[0]).stem}: skipped: {reason}", file=sys.stderr)
    sys.exit(77)


def need_valgrind():
    if not shutil.which("valgrind"):
        skip("there is no valgrind")


def run(command, function, *options):
    """Counts the instructions of a function and of all functions that it calls. Returns the output of
    the command, and the sum of each part of the run. Without options there is one part."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "callgrind.out"
        whole = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}",
                 f"--toggle-collect={function}", *options, *command]
        process = subprocess.run(whole, capture_output=True, text=True, env=ENVIRONMENT)
        if process.returncode != 0:
            sys.exit(f"{' '.join(whole)} failed:\n{process.stderr}")
        sums = re.findall(r"^totals: (\d+)", out.read_text(encoding="utf-8"), re.MULTILINE)
    return process.stdout, [int(total) for total in sums]


def count(command, function):
    """Returns the instructions of all calls of the function."""
    total = run(command, function)[1]
    if not total or total[0] == 0:
        sys.exit(f"callgrind saw no call of {function}() in {' '.join(command)}")
    return total[0]


def count_calls(command, function):
    """Returns the words of each line that the command prints, and the instructions of each call of
    the function. The command prints a line after each call."""
    output, sums = run(command, function, "--combine-dumps=yes", f"--dump-after={function}")
    lines = [line.split() for line in output.splitlines()]
    sums = sums[:-1]  # the last part is the end of the program
    if not lines or len(lines) != len(sums):
        sys.exit(f"{' '.join(command)} printed {len(lines)} lines in {len(sums)} calls of {function}()")
    return lines, sums
