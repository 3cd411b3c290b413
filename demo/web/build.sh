#!/usr/bin/env bash
# Builds the demo as a web page that any file server can serve:
#
#     demo/web/build.sh [FOLDER]        writes index.html, demo.js and demo.wasm; build/web by default
#
# C is compiled by clang with wasi-libc, and TypeScript is bundled by esbuild. Missing packages are
# installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
. engine/bindings/setup.sh
out=$(realpath -m "${1:-build/web}")
export PATH=$PWD/engine/bindings/cross:$PATH

want 'clang lld llvm wasi-libc libclang-rt-dev-wasm32' compiles wasi-cc c '#include <stdio.h>'
want meson meson --version
want ninja-build ninja --version
want libcglm-dev compiles wasi-cc c '#include <cglm/struct/vec2.h>'
want esbuild esbuild --version
install_missing

# The kernels are compiled with -O3, the rest with -Os: this is as fast, and half as large.
build=$out/build
[ -f "$build/build.ninja" ] ||
    meson setup "$build" --cross-file engine/bindings/cross/wasi.ini "-Dc_args=-msimd128 -Os" \
        -Doptimization=plain -Db_ndebug=true -Dtests=disabled
ninja -C "$build" demo/web/demo.wasm
esbuild demo/web/page.ts --bundle --minify --target=es2020 --log-level=warning --outfile="$out/demo.js"
cp demo/web/index.html "$build/demo/web/demo.wasm" "$out"
echo "$out: $(cat "$out"/{index.html,demo.js,demo.wasm} | wc -c) bytes," \
    "$(cat "$out"/{index.html,demo.js,demo.wasm} | gzip -9 | wc -c) compressed"
