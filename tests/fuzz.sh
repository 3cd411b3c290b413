#!/usr/bin/env bash
# Fuzzes with libFuzzer and the address and undefined-behaviour sanitizers:
#
#     tests/fuzz.sh MINUTES [TARGET]...      default: all targets, one after the other
#
# TARGET is a source in tests/fuzz: calls, rewind, toolkit, outlines, snapshot or recording. Each
# runs for MINUTES. Needs clang. Inputs that reach new code are kept in build-fuzz/found/TARGET. An
# input for which a check fails is written to build-fuzz/TARGET-crash-*, and should become a test.
# To repeat it, run
#
#     build-fuzz/TARGET build-fuzz/TARGET-crash-...
#
# tests/fuzz/corpus has a few small inputs, which `meson test --suite fuzz` replays in every build.
set -euo pipefail
minutes=${1:?usage: tests/fuzz.sh MINUTES [TARGET]...}
shift
[ $# -gt 0 ] || set -- calls rewind toolkit outlines snapshot recording
cd "$(dirname "$0")/.."

flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
[ -d build-fuzz ] ||
    CC=clang meson setup build-fuzz -Ddefault_library=static -Dtests=disabled -Ddemo=disabled \
        -Dbuildtype=debugoptimized -Db_ndebug=false "-Dc_args=-fsanitize=fuzzer-no-link $flags"
ninja -C build-fuzz
python3 tests/fuzz/generate.py engine/bindings/api.json build-fuzz/fuzz_calls.h
cglm=$(pkg-config --cflags cglm 2>/dev/null || true)
for target in "$@"; do
    clang -std=c17 -g -O1 -fsanitize=fuzzer $flags $cglm -Ibuild-fuzz "tests/fuzz/$target.c" \
        build-fuzz/libcairn.a -lm -pthread -o "build-fuzz/$target"
done
for target in "$@"; do
    mkdir -p "build-fuzz/found/$target"
    "build-fuzz/$target" -max_total_time=$((minutes * 60)) -max_len=4096 -print_final_stats=1 \
        "-artifact_prefix=build-fuzz/$target-" "build-fuzz/found/$target" \
        "tests/fuzz/corpus/$target"
done
