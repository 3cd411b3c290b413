#!/usr/bin/env bash
# Tests the demo of the web in a browser, with events of mouse, fingers and keys:
#
#     tests/bindings/web_demo/run.sh [FOLDER]        builds it there first; build/web by default
#
# Missing packages are installed: Debian's chromium and tsc, and puppeteer-core from npm, which goes
# into the folder. The screenshots are in FOLDER/build/pictures.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh
out=$(realpath -m "${1:-build/web}")
want nodejs node --version
want npm npm --version
want chromium chromium --version
want node-typescript tsc --version
install_missing

demo/web/build.sh "$out"
tsc -p demo/web
[ -d "$out/build/node_modules/puppeteer-core" ] ||
    npm install --prefix "$out/build" --no-save --no-audit --no-fund --silent puppeteer-core@24
node tests/bindings/web_demo/test.mjs "$out" tests/scenes/determinism.txt
