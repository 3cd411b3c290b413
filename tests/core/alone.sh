#!/usr/bin/env bash
# Builds the engine with some of its parts, warnings as errors, and runs the tests that need no
# other parts. The longest of them do less than in a build with all parts. With parts, only the tests
# of single modules run: the core alone runs the others.
#
#     tests/core/alone.sh [PARTS]       default: none, which is the core alone
#
# PARTS is a value of -Dparts: names of folders in engine/parts/ with commas, or all, or none.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Kernels that are optimised less and do not inline all compile in a third of the time. Two SIMD
# widths are enough here.
export CFLAGS="${CFLAGS-} -O1 -DTESTS_ARE_SHORT '-DCN_INLINE=static inline'"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
meson setup "$build" -Dparts="${1:-none}" -Dlanes=1 -Ddemo=disabled -Dtests=enabled \
    -Dwerror=true
ninja -C "$build"
meson test -C "$build" --no-rebuild --print-errorlogs ${1:+--suite unit}
