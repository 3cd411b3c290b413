#!/usr/bin/env bash
# Checks that the results have the same bits on all platforms. Builds tests/scenes/determinism.c for
# many targets, runs it directly or in an emulator, and prints a table. Installs missing compilers
# and emulators.
#
#     tests/determinism.sh [--all] [TARGET]...      all targets without arguments
#     tests/determinism.sh --list                   lists the targets
#
# On each target
#   - twelve scenes have the hashes of determinism.txt, with all numbers of lanes and threads;
#   - all other scenes have the same hashes as on the first target (targets in qemu skip this, because
#     it takes too long; --all includes them);
#   - snapshots of the twelve scenes have the same bytes as on the first target;
#   - worlds that were loaded from the snapshots of every target have the same hashes 60 steps later.
#
# The last line is "N passed, N failed". The builds and all results are in build/matrix/TARGET.
# `build/matrix/TARGET/tests/determinism tests/scenes/determinism.txt --write` writes a new
# determinism.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
. engine/bindings/setup.sh

targets=(gcc gcc-O2 gcc-O0 clang clang-O2 clang-O0 i686 aarch64 armhf riscv64 ppc64le s390x
    mingw64 wasm wasm-simd)
all_lanes=(1 4 8 16) all_threads=(1 2 3 8)
root=$PWD
table=$root/tests/scenes/determinism.txt
export PATH=$root/engine/bindings/cross:$PATH:/usr/lib/wine # Debian's wine64 is not in PATH
export WINEDEBUG=-all WINEPREFIX=$root/build/matrix/wine

# ---- targets

want_gcc_for() { # TRIPLET LIBC-PACKAGE QEMU
    want "gcc-$1 $2" compiles "$1-gcc" c '#include <stdio.h>'
    [ -z "$3" ] || want qemu-user-static "$3" --version
}

# The packages that a target needs.
want_target() {
    case $1 in
    gcc*) want gcc gcc --version ;;
    clang*) want clang clang --version ;;
    i686) want_gcc_for i686-linux-gnu libc6-dev-i386-cross '' ;;
    aarch64) want_gcc_for aarch64-linux-gnu libc6-dev-arm64-cross qemu-aarch64-static ;;
    armhf) want_gcc_for arm-linux-gnueabihf libc6-dev-armhf-cross qemu-arm-static ;;
    riscv64) want_gcc_for riscv64-linux-gnu libc6-dev-riscv64-cross qemu-riscv64-static ;;
    ppc64le) want_gcc_for powerpc64le-linux-gnu libc6-dev-ppc64el-cross qemu-ppc64le-static ;;
    s390x) want_gcc_for s390x-linux-gnu libc6-dev-s390x-cross qemu-s390x-static ;;
    mingw64)
        want gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc --version
        want wine64 command -v wine64
        ;;
    wasm*)
        want 'clang lld llvm wasi-libc libclang-rt-dev-wasm32' links_wasm
        want nodejs node --version
        ;;
    *)
        echo "determinism.sh: unknown target: $1 (see --list)" >&2
        exit 2
        ;;
    esac
}

links_wasm() { command -v llvm-ar && compiles wasi-cc c '#include <stdio.h>'; }

# The options of meson for a target.
options_of() {
    local cross="--cross-file engine/bindings/cross"
    case $1 in
    *-O0) echo "--buildtype=debug" ;;
    *-O2) echo "-Doptimization=2" ;;
    gcc | clang) ;;
    wasm) echo "$cross/wasi.ini -Dc_args=-I$include" ;;
    wasm-simd) echo "$cross/wasi.ini -Dc_args=['-I$include','-msimd128']" ;;
    *) echo "$cross/$1.ini -Dc_args=-I$include" ;;
    esac
}

# run_on TARGET ARGUMENT...: runs the program of a target
run_on() {
    local program=build/matrix/$1/tests/determinism
    case $1 in
    aarch64 | riscv64 | s390x | ppc64le) set -- "qemu-$1-static" "$program" "${@:2}" ;;
    armhf) set -- qemu-arm-static "$program" "${@:2}" ;;
    mingw64) set -- wine64 "$program.exe" "${@:2}" ;;
    wasm*) set -- wasi-run "$root/$program" "${@:2}" ;;
    *) set -- "$program" "${@:2}" ;;
    esac
    "$@" < /dev/null | tr -d '\r'
}

# ---- work

# Compilers for other machines do not look into the folder of this machine's headers.
make_include_folder() {
    local header
    include=$root/build/matrix/include
    header=$(echo '#include <cglm/struct/vec2.h>' | cc -E $(pkg-config --cflags cglm 2> /dev/null) - |
        sed -n 's/^# 1 "\(.*\)\/struct\/vec2.h".*/\1/p' | head -1)
    mkdir -p "$include"
    ln -sfn "$header" "$include/cglm"
}

build_target() {
    local target=$1 folder=build/matrix/$1 compiler=cc
    case $target in gcc* | clang*) compiler=${target%-*} ;; esac
    [ -f "$folder/build.ninja" ] ||
        CC=$compiler meson setup "$folder" -Dwerror=true -Ddemo=disabled -Ddefault_library=static \
            $(options_of "$target") > "$folder.log" 2>&1 || return
    ninja -C "$folder" "$(program_of "$target")" >> "$folder.log" 2>&1
}

program_of() { [ "$1" = mingw64 ] && echo tests/determinism.exe || echo tests/determinism; }

is_emulated() { [[ $1 = @(aarch64|armhf|riscv64|ppc64le|s390x) ]]; }

# The twelve scenes and all scenes. The results are files in the folder of the target.
run_target() {
    local folder=$root/build/matrix/$1 threads=1,2,3,8
    rm -rf "$folder/saved" "$folder/hashes.txt" && mkdir -p "$folder/saved"
    ! is_emulated "$1" || threads=1 # and others on four lanes only
    {
        run_on "$1" "$table" --save "$folder/saved" --threads $threads || true
        [ $threads != 1 ] || run_on "$1" "$table" --lanes 4 --threads 2,3,8 || true
    } > "$folder/runs.txt" 2>> "$folder.log"
    ! is_emulated "$1" || $runs_all || return 0
    run_on "$1" --hashes > "$folder/hashes.txt" 2>> "$folder.log" || true
}

# Snapshots that this target reads: one folder for each group of targets that wrote the same bytes.
different_snapshots() {
    local target other kept=()
    for target in "${built[@]}"; do
        for other in "${kept[@]}"; do
            ! diff -rq "build/matrix/$target/saved" "build/matrix/$other/saved" > /dev/null || continue 2
        done
        kept+=("$target")
    done
    echo "${kept[@]}"
}

load_target() {
    local folder=$root/build/matrix/$1 other
    for other in $writers; do
        run_on "$1" "$table" --load "$root/build/matrix/$other/saved" 2>> "$folder.log" || true
    done > "$folder/loads.txt"
}

# ---- the table

# judge STATUS TEXT: counts a result, and sets `cell` to the text if the status is 0.
passed=0 failed=0
judge() {
    if [ "$1" = 0 ]; then cell=${2:-} passed=$((passed + 1)); else cell=DIFFERENT failed=$((failed + 1)); fi
}

# Sets `cell` to the result of the runs with these lanes and threads (regular expressions). If the
# target does not have them, the result is "not available". If the program crashed, there is none.
judge_runs() {
    local results
    results=$(sed -nE "s/^$2 lanes, $3 threads: //p" "build/matrix/$1/runs.txt" | sort -u)
    case $results in
    'not available') cell=- ;;
    equal | $'equal\nnot available') judge 0 equal ;;
    *) judge 1 ;;
    esac
}

print_row() {
    local target=$1 folder=build/matrix/$1 first=build/matrix/${built[0]} cells=() n status
    for n in "${all_lanes[@]}"; do
        judge_runs "$target" "$n" 1
        cells+=("$cell")
    done
    for n in "${all_threads[@]:1}"; do
        judge_runs "$target" '[0-9]+' "$n"
        cells+=("$cell")
    done
    cell=-
    if [ -f "$folder/hashes.txt" ]; then
        cmp -s "$folder/hashes.txt" "$first/hashes.txt" && status=0 || status=1
        judge $status "$(wc -l < "$folder/hashes.txt") equal"
    fi
    cells+=("$cell")
    diff -rq "$folder/saved" "$first/saved" > /dev/null && status=0 || status=1
    judge $status equal
    cells+=("$cell")
    n=$(grep -c ': equal$' "$folder/loads.txt" || true)
    [ "$n" = "$(wc -w <<< "$writers")" ] && status=0 || status=1
    judge $status equal
    print_cells "$target" "${cells[@]}" "$cell"
}

print_cells() {
    local IFS=,
    printf '| %-9s | %6s | %6s | %6s | %6s | %6s | %6s | %6s | %10s | %9s | %6s |\n' "$@"
}

print_table() {
    local target
    print_cells '' '1 lane' '4' '8' '16' '2 thr.' '3' '8' 'all scenes' 'snapshots' 'loaded'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    for target in "${built[@]}"; do print_row "$target"; done
}

# ---- main

if [ "${1:-}" = --list ]; then
    echo "${targets[@]}"
    exit
fi
runs_all=false
if [ "${1:-}" = --all ]; then
    runs_all=true
    shift
fi
[ $# = 0 ] || targets=("$@")
want_build_tools
for target in "${targets[@]}"; do want_target "$target"; done
install_missing

mkdir -p build/matrix
make_include_folder
built=()
for target in "${targets[@]}"; do
    echo "== $target (after $SECONDS s)"
    if build_target "$target"; then
        built+=("$target")
        run_target "$target"
    else
        echo "$target cannot be built:" >&2
        tail -20 "build/matrix/$target.log" >&2
        failed=$((failed + 1))
    fi
done
[ ${#built[@]} -gt 0 ] || exit 1
writers=$(different_snapshots)
for target in "${built[@]}"; do load_target "$target"; done
[ ! -d "$WINEPREFIX" ] || ! command -v wineserver64 > /dev/null || wineserver64 -k || true
echo
print_table
echo
[ $failed = 0 ] || echo "What differs is in build/matrix/TARGET: runs.txt, hashes.txt, saved, loads.txt."
echo "snapshots of: $writers (after $SECONDS s)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
