#!/usr/bin/env bash
# Runs the README's program for LÖVE in a virtual display. Needs love and Xvfb.
#
#     love.sh FOLDER      has cairn.lua, and the library beside it
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/bindings/support.sh
mkdir "$work/game"
{ block engine/bindings/lua/README.md lua 2; cat tests/bindings/lua/love.lua; } > "$work/game/main.lua"
cp "$1/cairn.lua" "$work/game"
cp "$1/libcairn.so" "$work" # beside the game
env -u CAIRN_LIBRARY -u LUA_PATH SDL_AUDIODRIVER=dummy timeout 60 xvfb-run -a love "$work/game" \
    2> /dev/null | grep '^the crate is at 5[34]' || fail 'the game for LÖVE fails'
echo 'ok: the program for LÖVE'
