#!/usr/bin/env bash
# The public header gives no warning in any of its languages with any compiler on this machine. The
# script compiles the programs hello_c.c and hello_cpp.cpp with warnings as errors.
#
#     header.sh SOURCE-FOLDER
set -euo pipefail

folder=$1/tests/bindings/c
strict='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only'
cglm=$(pkg-config --cflags cglm 2> /dev/null | sed 's/-I/-isystem /g') || cglm=
tried=0

# try LANGUAGE FILE COMPILER STANDARD...
try() {
    local language=$1 file=$2 compiler=$3 standard
    shift 3
    command -v "$compiler" > /dev/null || return 0
    printf '%s\n' "$include" | "$compiler" -x "$language" -fsyntax-only - 2> /dev/null || return 0
    for standard; do
        echo "$compiler -std=$standard"
        "$compiler" -std="$standard" $strict $cglm "$folder/$file"
        tried=$((tried + 1))
    done
}

include='#include <stdio.h>'
for compiler in gcc clang; do try c hello_c.c $compiler c11 c17; done
include='#include <cstdio>'
for compiler in g++ clang++; do try c++ hello_cpp.cpp $compiler c++17 c++20; done
[ $tried -gt 0 ] || exit 77 # skipped, to Meson: neither gcc nor clang
