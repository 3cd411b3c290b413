#!/usr/bin/env bash
# Builds the documentation site and tests it: the code of the guides and of the manual, links, HTML,
# and that the reference is complete. Missing packages are installed.
#
#     tests/bindings/site/run.sh [BUILD-FOLDER]      default: build/site
#
# These variables name other builds and programs. Without one of the first six, its tests are
# skipped:
#
#     CAIRN_WEB      the build folder of the JavaScript package (engine/bindings/web), for node
#     CAIRN_PYTHON   the folder of the Python package cairn2d (engine/bindings/python)
#     CAIRN_LUA      the shared library, for LuaJIT
#     CAIRN_DEMO     the program cairn-demo, which makes the pictures of scenes
#     CAIRN_WEB_DEMO the folder of the demo for browsers
#     CAIRN_BROWSER  chromium: the site is tested in it, by puppeteer-core, which npm installs
#     CAIRN_LIBRARY  a static library, instead of one that is built here
#
# The site is then in BUILD-FOLDER/site.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh
[ -n "${CAIRN_LIBRARY-}" ] || want_build_tools
want python3-markdown-it /usr/bin/python3 -c 'import markdown_it'
[ -z "${CAIRN_PYTHON-}" ] || want python3-numpy /usr/bin/python3 -c 'import numpy'
[ -z "${CAIRN_LUA-}" ] || want luajit luajit -v
install_missing

build=$(realpath -m "${1:-build/site}")
mkdir -p "$build"
if [ -z "${CAIRN_LIBRARY-}" ]; then
    [ -f "$build/library/build.ninja" ] ||
        meson setup "$build/library" -Dtests=disabled -Ddemo=disabled -Ddefault_library=static
    ninja -C "$build/library"
    export CAIRN_LIBRARY=$build/library/libcairn.a
fi
CAIRN_BUILD=$build /usr/bin/python3 -m unittest discover -s tests/bindings/site -v
if [ -n "${CAIRN_BROWSER-}" ]; then
    [ -d "$build/tools/node_modules/puppeteer-core" ] ||
        npm install --prefix "$build/tools" --no-audit --no-fund --silent puppeteer-core
    node tests/bindings/site/browser.mjs "$build/site" "$CAIRN_BROWSER" "$build/tools"
fi
