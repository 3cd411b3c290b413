#!/usr/bin/env bash
# Makes the pictures of the lessons: demo/lessons/pictures.sh path/to/cairn-demo
# engine/bindings/docs/build.py reads the lines that begin with "shot": a click on such a picture
# runs its scene.
set -euo pipefail
demo=$(realpath "$1")
cd "$(dirname "$0")"
shot() { # FILE SCENE STEPS PARAMETER...
    local file=$1 scene=$2 steps=$3 set=()
    shift 3
    for value; do set+=(--set "$value"); done
    "$demo" "$scene" "${set[@]}" --headless --steps "$steps" --size 900x560 --screenshot "$file"
}
shot 1_apart.png sat-lab 1 explain=1 b-x=3.2
shot 1_overlap.png sat-lab 1 explain=1
shot 1_axes.png sat-lab 1 explain=2
shot 2_capsules.png sat-lab 1 hull-a=1 hull-b=1 b-x=2.6 b-y=2 b-angle=1.2
shot 2_circle.png sat-lab 1 hull-a=0 hull-b=0 b-x=2.4
shot 3_support.png sat-lab 1 explain=3 hull-b=8 b-x=2.9
shot 3_edges.png sat-lab 1 explain=4 hull-b=8 b-x=2.2
shot 3_clipping.png sat-lab 1 explain=5 hull-b=8 b-x=2.2
shot 4_boxes.png sat-lab 1 a-angle=0 hull-b=3 b-x=0.9 b-y=1.6 b-angle=0 explain=6
shot 5_mtv.png sat-lab 1 explain=6 hull-b=5 b-x=0.9
shot 6_bounce.png lite 54 lesson=6
shot 7_friction.png lite 60 lesson=7
shot 8_stack.png lite 120 lesson=8
shot 9_soft.png lite 120 lesson=9
shot 10_joint.png lite 50 lesson=10
shot lite.png lite 70
