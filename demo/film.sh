#!/usr/bin/env bash
# Makes the film in the README, one minute of twelve scenes: demo/film.sh path/to/cairn-demo
# Needs ffmpeg.
set -euo pipefail
demo=$(realpath "$1") out=$(realpath "$(dirname "$0")")/film.gif
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for scene in drive soft-body dominoes cloth marble-run ragdolls pool top-down-cars slice planets \
    billiards bullets; do
    "$demo" $scene --headless --steps 300 --size 448x280 --record $scene.mp4 >/dev/null
    echo "file $scene.mp4" >>list
done
ffmpeg -v error -y -f concat -i list -vf "fps=10,scale=400:-1:flags=lanczos,split[a][b];
[a]palettegen=max_colors=48[p];[b][p]paletteuse=dither=none:diff_mode=rectangle" "$out"
ls -l "$out"
