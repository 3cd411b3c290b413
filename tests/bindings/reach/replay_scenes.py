"""Replays recordings, and prints what record_scenes printed for them: a line "NAME HASH" for each.

    replay_scenes.py FILE...      in this order
"""
import pathlib
import sys

import cairn2d as cn

for path in map(pathlib.Path, sys.argv[1:]):
    with cn.Replay(path.read_bytes()) as replay:
        for _ in replay:
            pass
        print(path.stem, "differs" if replay.desync else f"{replay.world.hash():016x}")
