"""A recording that a program in C has written is replayed in Python. The environment variable
RECORD names the program made from tests/bindings/reach/record.c."""
import os
import subprocess
import tempfile
import unittest

import cairn2d as cn


class Recordings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "recording")
        text = subprocess.run([os.environ["RECORD"], path], check=True, capture_output=True,
                              text=True).stdout
        self.hashes = text.split()
        with open(path, "rb") as file:
            self.data = file.read()

    def test_each_step_has_the_hash_of_c(self):
        replay = cn.Replay(self.data, threads=2)
        self.assertEqual(len(self.hashes), 240)
        found = []
        for step in range(1, replay.at.steps + 1):
            replay.seek(step)
            found.append(f"{replay.world.hash():016x}")
        self.assertEqual(found, self.hashes)
        self.assertIsNone(replay.desync)
        self.assertEqual(replay.text, "")
        replay.destroy()

    def test_a_replay_goes_back_and_its_rest_is_a_recording(self):
        with cn.Replay(self.data) as replay:
            replay.seek(240)
            replay.seek(100)
            self.assertEqual(f"{replay.world.hash():016x}", self.hashes[99])
            with cn.Replay(replay.rest()) as rest:
                for _ in rest:
                    pass
                self.assertEqual(f"{rest.world.hash():016x}", self.hashes[-1])

    def test_a_recording_without_some_calls_differs(self):
        with cn.Replay(self.data) as replay:
            kept = [True] * replay.at.calls
            while "cn_world_explode" not in replay.text:
                replay.next()
            kept[replay.at.call] = False
        with cn.Replay(cn.recording_cut(self.data, kept)) as replay:
            replay.seek(240)
            self.assertNotEqual(f"{replay.world.hash():016x}", self.hashes[-1])


if __name__ == "__main__":
    unittest.main()
