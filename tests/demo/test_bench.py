#!/usr/bin/env python3
"""Tests of the command line of cairn-bench, and of demo/bench/compare.py.

    test_bench.py CAIRN-BENCH
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = ""
COMPARE = pathlib.Path(__file__).resolve().parents[2] / "demo/bench/compare.py"
SHORT = ["--scene", "small-10", "--scene", "tumbler", "--steps", "70"]


def run(*arguments):
    return subprocess.run([BENCH, *arguments], capture_output=True, text=True, timeout=60)


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "old.json"

    def compare(self, before, after):
        """Runs compare.py with the second text at its standard input."""
        self.file.write_text(before, encoding="utf-8")
        return subprocess.run([sys.executable, COMPARE, self.file], input=after, capture_output=True,
                              text=True, timeout=60)

    def assert_fails(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stdout)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_the_help_names_every_option(self):
        result = run("--help")
        self.assertEqual(result.returncode, 0)
        for option in ("--scene", "--repeat", "--pin", "--rooms", "--memory", "--peers", "--json",
                       "--list", "compare.py"):
            self.assertIn(option, result.stdout)

    def test_wrong_arguments_are_named(self):
        self.assert_fails(run("--scene", "smush"), "smush", "--list")
        self.assert_fails(run("--speed"), "--speed")
        self.assert_fails(run("--steps"), "--steps")
        self.assert_fails(run("--steps", "many"), "--steps", "many")
        self.assert_fails(run("--lanes", "3"), "lanes is 3")
        self.assert_fails(run("--pin", "4095"), "--pin")
        self.assert_fails(run("--rooms", "9", "--scene", "smash"), "--rooms", "--scene")
        self.assert_fails(run("--memory", "--scene", "smash"), "--memory")
        self.assert_fails(run("--near"), "--near", "--threads")
        self.assert_fails(run("--cores", "8", "--threads", "2"), "--cores", "--threads")
        self.assert_fails(run("--cores", "8", "--memory"), "--memory")
        self.assert_fails(run("--rooms", "9", "--threads", "2", "--near"), "--rooms", "--near")

    def test_cores_cut_the_same_work(self):
        options = ("--scene", "large-pyramid", "--steps", "6", "--repeat", "2", "--json")
        one, *several = (json.loads(run("--cores", n, *options).stdout)[0] for n in ("2", "4", "8"))
        for r in several:
            self.assertEqual(r["barriers"], one["barriers"])
            self.assertGreater(r["barriers"], 20)
            self.assertLess(r["serial_us"], r["step_us"])
            self.assertLess(r["step_us"], r["work_us"])

    def test_cores_need_a_step_after_the_warm_up(self):
        result = run("--cores", "2", "--scene", "small-10", "--steps", "5", "--warm-up", "5")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--warm-up", result.stderr)

    def test_near_says_how_far_the_cores_are(self):
        result = run(*SHORT[:2], "--steps", "70", "--threads", "2", "--near")
        self.assertRegex(result.stdout, r"(near|FAR) cores: \d+ ns|time between cores unknown")

    def test_every_figure_of_memory_has_a_bar(self):
        result = run("--memory")
        self.assertEqual(result.returncode, 0, result.stdout)
        for line in result.stdout.splitlines()[:-1]:
            self.assertRegex(line, r"^pass  .* \d+\.\d\d  bar +\d+\.\d\d (bytes|allocations)$")
        self.assertEqual(result.stdout.splitlines()[-1], "0 figures above their bars")

    def test_json_has_the_measurements_and_the_machine(self):
        results = json.loads(run(*SHORT, "--json", "--repeat", "2", "--stages").stdout)
        self.assertEqual([r["scene"] for r in results], ["small-10", "tumbler"])
        for r in results:
            ms = r["ms"]
            self.assertTrue(0 < ms["min"] <= ms["median"] <= ms["p99"])
            self.assertIn("find pairs", r["stages"])
            for key in ("cpu", "compiler", "build", "version", "lanes", "threads", "substeps", "hash"):
                self.assertIn(key, r)

    def test_the_number_of_steps_is_that_of_the_option(self):
        for steps, timed in ((2, 1), (50, 49), (101, 100), (150, 100), (170, 100), (400, 300)):
            results = json.loads(run("--scene", "small-10", "--steps", str(steps), "--json").stdout)
            self.assertEqual((results[0]["steps"], results[0]["timed"]), (steps, timed))
        refused = run("--scene", "small-10", "--steps", "50", "--warm-up", "50")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--warm-up", refused.stderr)

    def test_a_comparison_says_if_a_side_has_only_one_run(self):
        once, twice = (run(*SHORT, "--json", "--repeat", n).stdout for n in ("1", "2"))
        self.assertIn("only one run on each side", self.compare(once, once).stdout)
        self.assertIn("only one run before", self.compare(once, twice).stdout)
        self.assertIn("only one run now", self.compare(twice, once).stdout)
        self.assertNotIn("one run", self.compare(twice, twice).stdout)

    def test_lanes_do_not_change_the_hash(self):
        hashes = [[r["hash"] for r in json.loads(run(*SHORT, "--json", "--lanes", lanes).stdout)]
                  for lanes in ("1", "4")]
        self.assertEqual(*hashes)

    def test_the_same_work_is_compared_without_remarks(self):
        result = self.compare(*(run(*SHORT, "--json").stdout for _ in range(2)))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("cairn is ", result.stdout)
        self.assertNotIn("different work", result.stdout)
        self.assertNotIn("different conditions", result.stdout)

    def test_ratios_and_their_bounds_follow_from_the_means(self):
        def results(scenes, slowest):
            return json.dumps([{"scene": name, "engine": "cairn", "steps": 9, "repeat": 5,
                                "ms": {"mean": mean, "slowest": slowest * mean}}
                               for name, mean in scenes.items()])
        before, after = results({"a": 2, "b": 9}, 1.5), results({"a": 1, "b": 2}, 2)
        lines = self.compare(before, after).stdout.splitlines()
        self.assertEqual(lines[1].split(), ["a", "cairn", "2.000000", "1.000000", "2.00", "(1.00..3.00)"])
        self.assertEqual(lines[2].split(), ["b", "cairn", "9.000000", "2.000000", "4.50", "(2.25..6.75)"])
        self.assertEqual(lines[3], "cairn is 3.00 times as fast as before (geometric mean of 2 scenes)")
        self.assertEqual(len(lines), 4)

    def test_a_comparison_reports_other_work(self):
        now = run(*SHORT, "--json").stdout
        old = json.loads(now)
        old[1]["hash"] = "0123456789abcdef"
        old[1]["touching"] += 7
        old[0]["scene"] = "small-5"
        result = self.compare(json.dumps(old), now)
        self.assertIn("small-10 of cairn is not in the file", result.stdout)
        self.assertIn("hash 0123456789abcdef -> ", result.stdout)
        self.assertIn(f"touching {old[1]['touching']} -> ", result.stdout)
        narrow = run(*SHORT, "--json", "--lanes", "1").stdout
        self.assertIn("different conditions: lanes", self.compare(now, narrow).stdout)

    def test_scenes_with_other_steps_do_not_count_in_the_mean(self):
        longer = [*SHORT[:-1], "71"]
        result = self.compare(run(*SHORT, "--json").stdout, run(*longer, "--json").stdout)
        self.assertIn("steps 70 -> 71", result.stdout)
        self.assertNotIn("geometric mean", result.stdout)

    def test_the_list_marks_scenes_that_are_not_about_steps(self):
        lines = run("--list").stdout.splitlines()
        marks = {line.split()[0]: line.split()[1] for line in lines}
        self.assertEqual([marks[name] for name in ("rays", "tile_rays", "tiles")],
                         ["(queries)", "(queries)", "(demo)"])
        self.assertNotIn("(", marks["smash"])

    def test_queries_are_timed_one_batch_a_step(self):
        results = json.loads(run("--scene", "rays", "--scene", "overlaps", "--steps", "3", "--json").stdout)
        for r in results:
            self.assertEqual((r["queries"], r["steps"], r["timed"]), (10000, 3, 2))
            self.assertTrue(0 < r["ms"]["min"] <= r["ms"]["median"] <= r["ms"]["p99"])
            self.assertGreater(r["results"], 10000)
        self.assertTrue(0 < results[0]["distance"] < 1)

    def test_many_rays_at_once_hit_what_single_rays_hit_on_any_threads_and_lanes(self):
        found = [json.loads(run("--scene", scene, "--steps", "3", "--json", *options).stdout)[0]
                 for scene, options in (("rays", ()), ("rays_many", ()), ("rays_many", ("--threads", "2")),
                                        ("rays_many", ("--lanes", "1")), ("rays_any", ("--lanes", "4")))]
        self.assertEqual(len({r["results"] for r in found}), 1)
        self.assertEqual(len({r["distance"] for r in found[:4]}), 1)

    def test_steps_and_queries_have_columns_of_their_own(self):
        output = run("--scene", "small-1", "--scene", "rays", "--steps", "3").stdout
        self.assertLess(output.index("awake sum"), output.index("small-1"))
        self.assertLess(output.index("small-1"), output.index("per query"))
        self.assertLess(output.index("per query"), output.index("rays  "))

    def test_a_comparison_reports_other_results_of_queries(self):
        now = run("--scene", "overlaps", "--steps", "3", "--json").stdout
        old = json.loads(now)
        old[0]["results"] += 1
        result = self.compare(json.dumps(old), now)
        self.assertIn(f"results {old[0]['results']} -> {old[0]['results'] - 1}", result.stdout)

    def test_rooms_are_the_same_on_any_number_of_threads(self):
        found = [json.loads(run("--rooms", "12", "--steps", "40", "--threads", threads, "--json").stdout)[0]
                 for threads in ("1", "3")]
        self.assertEqual(found[0]["hash"], found[1]["hash"])
        for r in found:
            self.assertEqual((r["rooms"], r["awake"], r["steps"], r["timed"]), (12, 12 * 60, 40, 10))
            self.assertTrue(0 < r["fit_least"] <= r["fit"] <= r["fit_most"])
        self.assertIn("rooms fit in real time", run("--rooms", "3", "--steps", "5").stdout)
        self.assertIn("threads 1 -> 3", self.compare(*(json.dumps([r]) for r in found)).stdout)

    def test_files_that_are_not_json_are_refused(self):
        good = '[{"scene": "tumbler", "ms": {"mean": 1}}]'
        missing = subprocess.run([sys.executable, COMPARE, self.file], input=good, capture_output=True,
                                 text=True, timeout=60)
        self.assert_fails(missing, "cannot read", self.file.name)
        for text in ("", "{", "[", "[1, 2", '[{"scene": "tumbler}]', '[{"scene" 1}]', "[] []", "[" * 99,
                     '[{"scene": "tumbler",\n "ms" {"mean": 1}}]'):
            self.assert_fails(self.compare(text, good), "is not the output of --json", "line")
            self.assert_fails(self.compare(good, text), "the standard input is not the output of --json")
        self.assert_fails(self.compare('[{"scene": "tumbler",\n "ms" {"mean": 1}}]', good), "line 2")
        self.assert_fails(self.compare("[" * 100000, good), "is not the output of --json")
        for text in ("[]", "{}", "7"):
            self.assert_fails(self.compare(text, good), "no scenes")
        for text in ('[{"scene": "tumbler"}]', '[{"ms": {"mean": 1}}]', '[{"scene": "a", "ms": {"mean": 0}}]',
                     '[{"scene": "a", "ms": 1}]', "[1]", '[{"scene": "a", "ms": {"mean": "1"}}]'):
            self.assert_fails(self.compare(text, good), "item 1")


if __name__ == "__main__":
    BENCH = sys.argv.pop(1)
    unittest.main()
