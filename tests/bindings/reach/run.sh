#!/usr/bin/env bash
# Records all scenes of the demo and the benchmark in C, and replays them in JavaScript, Python and LuaJIT: the hashes must
# be equal.
#
#     tests/bindings/reach/run.sh
#
# Builds what it needs in build/reach and build/web. Missing packages are installed.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh
want_build_tools
want luajit luajit -v
want nodejs node --version
want npm npm --version
PATH=$PWD/engine/bindings/cross:$PATH want 'clang lld llvm wasi-libc libclang-rt-dev-wasm32' \
    compiles wasi-cc c '#include <stdio.h>'
install_missing

build=build/reach
[ -f "$build/build.ninja" ] || meson setup "$build" -Dtests=enabled > /dev/null
meson compile -C "$build" record_scenes cairn:shared_library > /dev/null
node engine/bindings/web/build.mjs build/web > /dev/null
CAIRN_BUILD=$PWD/$build engine/bindings/python/package.sh "$PWD/build/python" > /dev/null

rm -rf "$build/recordings"
mkdir "$build/recordings"
"$build/tests/record_scenes" "$build/recordings" > "$build/hashes.txt"
mapfile -t files < <(sed "s|\(.*\) .*|$build/recordings/\1.cairn|" "$build/hashes.txt")

# compare LANGUAGE COMMAND...
compare() {
    local language=$1
    shift
    "$@" "${files[@]}" | diff "$build/hashes.txt" -
    echo "ok: ${#files[@]} recordings have the hashes of C in $language"
}
compare JavaScript node tests/bindings/reach/replay_scenes.mjs build/web/package
PYTHONPATH=build/python/package compare Python python3 tests/bindings/reach/replay_scenes.py
CAIRN_LIBRARY=$PWD/$build/libcairn.so LUA_PATH="$PWD/engine/bindings/lua/?.lua" \
    compare LuaJIT luajit tests/bindings/reach/replay_scenes.lua
