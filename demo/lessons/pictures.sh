#!/usr/bin/env bash
# Makes the pictures of the lessons: demo/lessons/pictures.sh path/to/cairn-demo
set -euo pipefail
demo=$(realpath "$1")
cd "$(dirname "$0")"
shot() { # FILE PARAMETER...
    local file=$1 set=()
    shift
    for value; do set+=(--set "$value"); done
    "$demo" sat-lab "${set[@]}" --headless --steps 1 --size 900x560 --screenshot "$file"
}
shot 1_apart.png explain=1 b-x=3.2
shot 1_overlap.png explain=1
shot 1_axes.png explain=2
shot 2_capsules.png hull-a=1 hull-b=1 b-x=2.6 b-y=2 b-angle=1.2
shot 2_circle.png hull-a=0 hull-b=0 b-x=2.4
shot 3_support.png explain=3 hull-b=8 b-x=2.9
shot 3_edges.png explain=4 hull-b=8 b-x=2.2
shot 3_clipping.png explain=5 hull-b=8 b-x=2.2
shot 4_boxes.png a-angle=0 hull-b=3 b-x=0.9 b-y=1.6 b-angle=0 explain=6
shot 5_mtv.png explain=6 hull-b=5 b-x=0.9
