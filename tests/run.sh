#!/usr/bin/env bash
# Builds everything and runs the tests. Installs missing tools and libraries.
#
#     tests/run.sh [OPTION]...      options of `meson test`, or names of tests
#
# The build is in build/tests. It includes the demo if there is SDL2.
set -euo pipefail
cd "$(dirname "$0")/.."
. engine/bindings/setup.sh

want_build_tools
want 'g++' compiles c++ c++ '#include <cmath>'
want libcmocka-dev pkg-config --exists cmocka
install_missing

build=build/tests
[ -f $build/build.ninja ] || meson setup $build -Dtests=enabled
ninja -C $build
exec meson test -C $build --no-rebuild --print-errorlogs "$@"
