#!/usr/bin/env bash
# The public header gives no warning in any of its languages with any compiler on this machine. The
# script compiles the programs hello_c.c and hello_cpp.cpp with warnings as errors. It does so again, with
# the recipes of the guides, with a header that does not find cglm.
#
#     header.sh SOURCE-FOLDER
set -euo pipefail

folder=$1/tests/bindings/c
strict='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only'
cglm=$(pkg-config --cflags cglm 2> /dev/null | sed 's/-I/-isystem /g') || cglm=
tried=0
without=$(mktemp -d)
trap 'rm -rf "$without"' EXIT
mkdir "$without/engine"
sed 's|cglm/struct/vec2.h|no/cglm.h|' "$1/engine/cairn.h" > "$without/engine/cairn.h"
guides=$1/engine/bindings/docs/guides
python3 "$folder/recipes.py" "$guides/recipes.md" "$guides/snapshots.md" "$without/recipes.h"
for name in hello_c.c hello_cpp.cpp; do
    sed 's|"../../../engine/cairn.h"|"engine/cairn.h"|' "$folder/$name" > "$without/$name"
done
{
    printf '#include %s\n' '"engine/cairn.h"' '<stdio.h>' '<stdlib.h>'
    sed 's/^static //' "$without/recipes.h" # (they are not called)
} > "$without/recipes.c"

# try LANGUAGE FILE COMPILER STANDARD...
try() {
    local language=$1 file=$2 compiler=$3 standard
    shift 3
    command -v "$compiler" > /dev/null || return 0
    printf '%s\n' "$include" | "$compiler" -x "$language" -fsyntax-only - 2> /dev/null || return 0
    for standard; do
        echo "$compiler -std=$standard"
        "$compiler" -std="$standard" $strict $cglm "$folder/$file"
        "$compiler" -std="$standard" $strict "$without/$file"
        [ "$language" != c ] || "$compiler" -std="$standard" $strict "$without/recipes.c"
        tried=$((tried + 1))
    done
}

include='#include <stdio.h>'
for compiler in gcc clang; do try c hello_c.c $compiler c11 c17; done
include='#include <cstdio>'
for compiler in g++ clang++; do try c++ hello_cpp.cpp $compiler c++17 c++20; done
[ $tried -gt 0 ] || exit 77 # skipped, to Meson: neither gcc nor clang
