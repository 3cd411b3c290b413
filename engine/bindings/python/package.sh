#!/usr/bin/env bash
# Makes a folder from which Python can import the package, without installing it.
#
#     package.sh [FOLDER]      default: build/python
#
#     FOLDER/package/cairn2d    for PYTHONPATH=FOLDER/package
#
# CAIRN_BUILD names a build folder of Cairn: the package is built there, by -Dpython=enabled, and
# `meson install` in it then installs the package. Without CAIRN_BUILD, the engine is built in
# FOLDER/engine. Needs meson, ninja and a C compiler.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
out=${1:-$root/build/python}
mkdir -p "$out"
out=$(cd "$out" && pwd)

engine=${CAIRN_BUILD:-$out/engine}
[ -f "$engine/build.ninja" ] || meson setup "$engine" "$root" -Dpython=enabled \
    -Ddefault_library=static -Dtests=disabled -Ddemo=disabled
grep -q '^build python-package:' "$engine/build.ninja" || meson configure "$engine" -Dpython=enabled
ninja -C "$engine" python-package # (makes build.ninja anew if the option has changed)

# meson puts it where the packages of this machine are, within a folder of ours.
rm -rf "$out/package" "$out/installed"
meson install -C "$engine" --no-rebuild --quiet --tags python-runtime --destdir "$out/installed"
mkdir "$out/package"
find "$out/installed" -type d -name cairn2d -exec mv {} "$out/package/" \; -prune
rm -r "$out/installed"
