#!/usr/bin/env bash
# Builds the web binding and tests it in node:
#
#     tests/bindings/web/run.sh [BUILD-FOLDER]      default: build/web
#
# With Debian's chromium the first page of README.md is tested, too; its picture goes to the folder
# CAIRN_PICTURES. With a native library (LIBRARY=build/tests/libcairn.a, or the first one that is found) a recording
# made by C is replayed, too. Missing packages of Debian are installed. Those of npm go into the
# build folder. OBJECTS is a folder in which tests/rules/check_sizes.py --wasm has compiled the module:
# then it is only linked.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
mkdir -p "${1:-$root/build/web}"
build=$(cd "${1:-$root/build/web}" && pwd)
cd "$root"
. engine/bindings/setup.sh
want_build_tools
want nodejs node --version
want npm npm --version
PATH=$root/engine/bindings/cross:$PATH want 'clang lld llvm wasi-libc libclang-rt-dev-wasm32' \
    compiles wasi-cc c '#include <stdio.h>'
install_missing

# objects PARTS: the option for what is compiled
objects() { [ -z "${OBJECTS:-}" ] || echo "--objects $(realpath "$OBJECTS/$1/objects")"; }
node "$root/engine/bindings/web/build.mjs" "$build" $(objects all)
# For the README's program:
node "$root/engine/bindings/web/build.mjs" "$build/lean" --tools "$build/tools" --parts none $(objects none) \
    --keep cn_world_create,cn_world_destroy,cn_world_step,cn_body_create,cn_shape_create,cn_box,cn_body_position >/dev/null

export CAIRN_API=$root/engine/bindings/api.json CAIRN_PACKAGE=$build/package
export CAIRN_TOOLS=$build/tools CAIRN_LEAN=$build/lean/package
library=${LIBRARY:-$(find "$root/build" -name libcairn.a 2>/dev/null | head -n 1)}
if [ -n "$library" ]; then
    cc -std=c17 -O1 -I "$root/engine" "$root/tests/bindings/reach/record.c" "$library" -lm -lpthread \
        -o "$build/record"
    export CAIRN_RECORDING=$build/game.cairn
    CAIRN_RECORDING_HASH=$("$build/record" "$CAIRN_RECORDING" | tail -n 1)
    export CAIRN_RECORDING_HASH
fi

cd "$root/tests/bindings/web"
node scenes.mjs "$CAIRN_PACKAGE" | diff "$root/tests/bindings/reach/hashes.txt" -
echo 'the four scenes have the hashes of C'
node --expose-gc --test ./*.test.mjs
