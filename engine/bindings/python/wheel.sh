#!/usr/bin/env bash
# Builds the Python package: a folder that can be imported, and a wheel.
#
#     wheel.sh [FOLDER]      default: build/python
#
#     FOLDER/package/cairn2d    for PYTHONPATH=FOLDER/package
#     FOLDER/cairn2d-VERSION-py3-none-PLATFORM.whl
#
# It needs meson, ninja, a C compiler and cglm, and downloads nothing. CAIRN_BUILD names a build
# folder of Cairn that is up to date; without it, the engine is built in FOLDER/engine.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=${1:-$root/build/python}
mkdir -p "$out"
out=$(cd "$out" && pwd)

engine=${CAIRN_BUILD:-$out/engine}
if [ -z "${CAIRN_BUILD:-}" ]; then
    [ -f "$engine/build.ninja" ] || meson setup "$engine" "$root" -Ddefault_library=static \
        -Dtests=disabled -Ddemo=disabled
    ninja -C "$engine"
fi

rm -rf "$out/package"
mkdir -p "$out/package"
cp -r "$here/cairn2d" "$out/package/cairn2d"
rm -rf "$out/package/cairn2d/__pycache__"
python3 "$here/generate.py" "$out/package/cairn2d"
mv "$out/package/cairn2d/many.c" "$out/many.c"

# The shared library has the whole engine, and the C part of the binding.
cglm=$(pkg-config --cflags cglm 2> /dev/null || true)
whole=(-Wl,--whole-archive "$engine/libcairn.a" -Wl,--no-whole-archive)
library=$out/package/cairn2d/libcairn2d.so
if [ "$(uname)" = Darwin ]; then
    whole=(-Wl,-force_load,"$engine/libcairn.a")
    library=${library%.so}.dylib
fi
${CC:-cc} -O2 -fPIC -shared -Wall -Wextra -Wconversion -I"$here" $cglm "$here/native.c" \
    "$out/many.c" "${whole[@]}" -lm -pthread -o "$library"
strip -x "$library"

rm -f "$out"/cairn2d-*.whl
python3 "$here/wheel.py" "$out/package" "$out"
