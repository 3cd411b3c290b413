#!/usr/bin/env bash
# Tests cairn.lua with LuaJIT: the file is up to date, every public function is called, and the four
# scenes of tests/bindings/reach have the same hashes as in C. The first program of the README runs.
# The program for LÖVE runs if love and Xvfb are installed.
#
#     run.sh [LIBRARY]      libcairn.so; default: builds it in build/lua
#
# Installs luajit if it is missing.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh
want luajit luajit -v
[ $# -gt 0 ] || want_build_tools
install_missing

library=${1:-build/lua/libcairn.so}
if [ $# -eq 0 ]; then
    [ -d build/lua ] || meson setup build/lua -Dtests=disabled -Ddemo=disabled > /dev/null
    ninja -C build/lua > /dev/null
fi
export CAIRN_LIBRARY=$(realpath "$library") LUA_PATH="$PWD/engine/bindings/lua/?.lua"
. tests/bindings/support.sh
bindings=engine/bindings
python3 $bindings/lua/generate.py $bindings/api.json "$work/cairn.lua"
diff -u $bindings/lua/cairn.lua "$work/cairn.lua" > "$work/diff" ||
    { head -20 "$work/diff"; echo 'cairn.lua is out of date: run generate.py' >&2; exit 1; }
echo 'ok: cairn.lua is up to date'

# The test of all functions must fail if a function is not called.
names=$(python3 -c '
import json
functions = json.load(open("engine/bindings/api.json"))["functions"]
print(*(f["name"] + "=" + (f["names"]["lua"] or "") for f in functions))')
luajit tests/bindings/lua/all.lua $names
if luajit tests/bindings/lua/all.lua $names cn_no_function= > "$work/log"; then
    echo 'a function that was not called was not noticed' >&2
    exit 1
fi
luajit -joff tests/bindings/lua/all.lua $names # interpreted, the same

luajit tests/bindings/lua/versions.lua

for options in -jon -joff; do
    luajit $options tests/bindings/lua/scenes.lua | diff tests/bindings/reach/hashes.txt -
    echo "ok: the four scenes have the hashes of C ($options)"
done

block $bindings/lua/README.md lua > "$work/first.lua"
luajit "$work/first.lua" | tail -n 1 | grep -Pq '^2\.\d+\t(0\.9[89]|1\.0)\d*$' || # a radian in a second
    { echo 'the first program prints something else' >&2; exit 1; }
echo 'ok: the first program of the README'
if command -v love > /dev/null && command -v xvfb-run > /dev/null; then
    mkdir "$work/love"
    cp $bindings/lua/cairn.lua "$work/love"
    cp "$CAIRN_LIBRARY" "$work/love/libcairn.so"
    tests/bindings/lua/love.sh "$work/love"
fi
