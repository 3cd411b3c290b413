#!/usr/bin/env bash
# Builds the engine with some of its parts, warnings as errors, and runs the tests that it can pass.
#
#     tests/core/alone.sh [PARTS]       default: none, so the core alone
#
# PARTS is a value of -Dparts: names of folders of engine/parts/ with commas, all, or none.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
meson setup "$build" -Dparts="${1:-none}" -Ddemo=disabled -Dtests=enabled -Dwerror=true
ninja -C "$build"
meson test -C "$build" --no-rebuild --print-errorlogs
