#!/usr/bin/env bash
# Measures Cairn beside Box2D 2.4 and Chipmunk 7, and writes the figures and the plot into the guide
# about benchmarks (engine/bindings/docs). Installs missing tools and libraries. Takes some minutes.
# Nothing else should run at the same time. README.md has a few of the figures: update them by hand.
#
#     tests/figures.sh
#
# The measurements stay in build/figures/. The small worlds stop after 10 s, because Chipmunk's
# stacks lean over after 20 s, and then the engines no longer do the same work. The joint grid is
# not among the scenes because it flies apart in Chipmunk. The larger piles are not, because Box2D's
# continuous collision takes minutes for them.
set -euo pipefail
cd "$(dirname "$0")/.."
. engine/bindings/setup.sh

want_build_tools
want 'g++' compiles c++ c++ '#include <cmath>'
want python3 python3 --version
want libbox2d-dev pkg-config --exists box2d
want libchipmunk-dev compiles cc c '#include <chipmunk/chipmunk.h>'
install_missing

build=build/figures
[ -f $build/build.ninja ] || meson setup $build -Dpeers=enabled -Dtests=disabled -Ddemo=disabled
ninja -C $build tests/cairn-bench

# measure FILE OPTION...
measure() {
    local file=$build/$1
    shift
    $build/tests/cairn-bench --json "$@" > "$file"
}

measure small.json --peers --steps 600 --repeat 5 --scene small-1 --scene small-5 --scene small-10 \
    --scene small-50 --scene small-100 --scene small-500 --scene small-1000
measure scenes.json --peers --steps 200 --scene large-pyramid --scene tumbler --scene compounds \
    --scene rain --scene smash
measure queries.json --peers --repeat 5 --scene rays --scene rays_any --scene rays_all --scene rays_many \
    --scene overlaps_bounds --scene overlaps --scene casts_circles --scene casts --scene casts_turning \
    --scene nearest --scene tile_rays
measure rooms.json --rooms 2000 --threads 2 --repeat 5
exec python3 tests/speed/figures.py "$build"/{small,scenes,queries,rooms}.json
