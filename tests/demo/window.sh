#!/usr/bin/env bash
# Uses the demo in a virtual display as a person would, with mouse and keys:
#
#     tests/demo/window.sh DEMO REPLAY MINIMAL
#
# What the tools do is read from a recording of the calls. Exits with 77 without Xvfb or xdotool.
set -euo pipefail
demo=$(realpath "$1") replay=$(realpath "$2") minimal=$(realpath "$3")
for needed in Xvfb xdotool; do
    command -v $needed >/dev/null || { echo "no $needed" && exit 77; }
done
work=$(mktemp -d)
cd "$work"
export DISPLAY=:$((90 + RANDOM % 900)) SDL_RENDER_DRIVER=software
# Without -noreset the server resets when a client leaves, and refuses new clients meanwhile.
Xvfb "$DISPLAY" -noreset -screen 0 1400x900x24 >/dev/null 2>&1 &
xvfb=$!
trap 'kill $xvfb $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq 50); do xdotool getdisplaygeometry >/dev/null 2>&1 && break || sleep 0.1; done

fail() { echo "FAIL: $*"; exit 1; }
keys() { for key; do xdotool key "$key" && sleep 0.1; done; }
click() { xdotool mousemove "$1" "$2" sleep 0.05 click 1 && sleep 0.15; }
drag() { # FROM_X FROM_Y TO_X TO_Y ...
    xdotool mousemove "$1" "$2" mousedown 1 && sleep 0.1
    shift 2
    while [ $# -ge 2 ]; do xdotool mousemove "$1" "$2" && sleep 0.06 && shift 2; done
    xdotool mouseup 1 && sleep 0.15
}
start() { # OPTION...
    "$demo" "$@" >demo.log 2>&1 &
    program=$! window=
    for _ in $(seq 80); do
        window=$(xdotool search --name '^Cairn: ' 2>/dev/null | tail -1) && [ -n "$window" ] && break
        sleep 0.1
    done
    [ -n "$window" ] || { cat demo.log && fail "no window opened"; }
    xdotool windowmove "$window" 0 0 windowfocus "$window"
    sleep 0.5
}
title() { xdotool getwindowname "$window"; }
expect_title() { # TEXT
    for _ in $(seq 30); do [ "$(title)" = "Cairn: $1" ] && return 0 || sleep 0.1; done
    fail "the window shows '$(title)', not '$1'"
}
quit() {
    keys Escape Escape
    for _ in $(seq 50); do kill -0 "$program" 2>/dev/null || break; sleep 0.1; done
    wait "$program" || fail "the demo ended with an error: $(cat demo.log)"
}
calls() { "$replay" -v "$1" 2>/dev/null || true; }
expect_call() { # FILE CALL
    calls "$1" | grep -q "$2" || fail "$2 was not called; the calls: $(calls "$1" | grep -v cn_world_step | head -40)"
    echo "ok: $2"
}

# ---- tools, in the stacks: each leaves its calls in the recording

start stack --calls tools.cairn
keys 2 && click 620 150                                     # add a box
keys o && drag 930 240 960 200 1000 240 990 300 940 290      # draw a body, beside the stacks
keys x && drag 520 330 700 350                              # cut
keys y && drag 700 300 780 300                              # tie
keys u && click 700 400                                     # pin
keys v && click 780 400                                     # freeze
keys f && drag 312 600 260 560                              # throw
keys k && click 500 450                                     # bomb
keys 9                                                      # the heavy ball
keys Delete && click 892 240                                # erase
keys g && drag 400 600 420 500 500 400                      # grab
xdotool keydown BackSpace && sleep 0.3 && xdotool keyup BackSpace # rewind
sleep 0.3
quit
for call in cn_body_create cn_shape_create cn_joint_create cn_body_set_type cn_body_apply_impulse_at \
    cn_world_explode cn_body_destroy cn_body_apply_force_at cn_world_restore; do
    expect_call tools.cairn $call
done

# ---- tiles

start tiles --calls tiles.cairn
keys q && drag 400 600 500 600 600 600
quit
expect_call tiles.cairn cn_grid_set_solid

# ---- scenes: the list, the pictures, the search; the panel

start stack
click 60 222 && expect_title Pyramid                        # the list at the left
keys Next && expect_title "Rain of shapes"
keys F2 && sleep 0.3 && xdotool type "gears" && keys Return && expect_title "Gears and a rack"
keys F2 && sleep 1 && click 120 140 && expect_title "Vertical stack"
keys F1 && keys a && keys F3 && keys F3                     # the keys, the source
drag 1170 182 1200 182                                      # a slider: another number of boxes
keys r space s space F8 F7 F8 F7                            # sound, dust and sparks
xdotool windowsize "$window" 500 400 && sleep 0.4
xdotool windowsize "$window" 1280 720 && sleep 0.4
quit
echo "ok: scenes, search, panels, sizes, quit"

# ---- the solver lab: Enter and the end of the lab are one step of the world each

count_steps() { calls lab.cairn | grep -c cn_world_step || true; }
start pyramid --calls lab.cairn
keys p && sleep 0.3
before=$(count_steps)
keys F4 Right Right Down Right Down Right w Left Return Right F4
sleep 0.3
after=$(count_steps)
quit
[ "$((after - before))" = 2 ] || fail "the solver lab took $((after - before)) steps, not 2"
echo "ok: solver lab"

# ---- minimal.c: a drag changes the picture

if command -v scrot >/dev/null; then
    "$minimal" &
    program=$!
    sleep 1.5
    window=$(xdotool search --pid $program | tail -1)
    xdotool windowmove "$window" 0 0
    sleep 1.5
    scrot -a 0,0,800,600 before.png
    scrot -a 0,0,800,600 still.png
    xdotool mousemove 400 480 mousedown 1 sleep 0.1 mousemove 460 380 sleep 0.1 mousemove 520 300
    sleep 0.7
    scrot -a 0,0,800,600 dragged.png
    kill $program
    cmp -s before.png still.png || fail "the boxes do not come to rest"
    cmp -s before.png dragged.png && fail "a drag changes nothing"
    echo "ok: minimal"
fi

# ---- full screen, for which SDL needs a window manager

if command -v openbox >/dev/null; then
    openbox >/dev/null 2>&1 &
    sleep 0.5
    start stack
    keys F11 && sleep 1
    width=$(xdotool getwindowgeometry --shell "$window" | sed -n 's/WIDTH=//p')
    [ "$width" = 1400 ] || fail "full screen is $width pixels wide"
    keys F11 && sleep 1
    width=$(xdotool getwindowgeometry --shell "$window" | sed -n 's/WIDTH=//p')
    [ "$width" = 1280 ] || fail "the window is $width pixels wide after full screen"
    quit
    echo "ok: full screen"
fi
