#!/usr/bin/env bash
# Builds the demo and opens it. Installs missing packages.
#
#     demo/run.sh [SCENE] [OPTION]...      the same as for cairn-demo, see --help
#
# Without a display, writes a picture instead. Builds in build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
. engine/bindings/setup.sh

want_build_tools
want_demo_libraries
[[ ! "$*" =~ --record[=\ ][^\ ]*\.(gif|mp4) ]] || want ffmpeg ffmpeg -version
install_missing

build=build/demo
[ -f $build/build.ninja ] || meson setup $build -Ddemo=enabled -Dtests=disabled >&2
ninja -C $build demo/cairn-demo >&2 # standard output is left to the demo

demo=$build/demo/cairn-demo
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [[ "$*" =~ --(list|help) ]]; then
    exec $demo "$@"
fi
picture=$build/demo.png
rm -f $picture
$demo --headless --screenshot $picture "$@"
[ ! -f $picture ] || echo "There is no display: the picture is in $PWD/$picture"
