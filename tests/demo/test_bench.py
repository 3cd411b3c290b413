#!/usr/bin/env python3
"""Tests of the command line of cairn-bench.

    test_bench.py CAIRN-BENCH
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = ""
SHORT = ["--scene", "small-10", "--scene", "tumbler", "--steps", "70"]


def run(*arguments):
    return subprocess.run([BENCH, *arguments], capture_output=True, text=True, timeout=60)


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "old.json"

    def compare(self, text, *arguments):
        self.file.write_text(text, encoding="utf-8")
        return run(*SHORT, "--compare", str(self.file), *arguments)

    def assert_fails(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stdout)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_the_help_names_every_option(self):
        result = run("--help")
        self.assertEqual(result.returncode, 0)
        for option in ("--scene", "--repeat", "--pin", "--rooms", "--memory", "--peers", "--json",
                       "--compare", "--list"):
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
        self.assertIn("only one run on each side", self.compare(once).stdout)
        self.assertIn("only one run before", self.compare(once, "--repeat", "2").stdout)
        self.assertIn("only one run now", self.compare(twice).stdout)
        self.assertNotIn("one run", self.compare(twice, "--repeat", "2").stdout)

    def test_lanes_do_not_change_the_hash(self):
        hashes = [[r["hash"] for r in json.loads(run(*SHORT, "--json", "--lanes", lanes).stdout)]
                  for lanes in ("1", "4")]
        self.assertEqual(*hashes)

    def test_the_same_work_is_compared_without_remarks(self):
        result = self.compare(run(*SHORT, "--json").stdout)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("cairn is ", result.stdout)
        self.assertNotIn("different work", result.stdout)
        self.assertNotIn("different conditions", result.stdout)

    def test_a_comparison_reports_other_work(self):
        old = json.loads(run(*SHORT, "--json").stdout)
        old[1]["hash"] = "0123456789abcdef"
        old[1]["touching"] += 7
        old[0]["scene"] = "small-5"
        result = self.compare(json.dumps(old))
        self.assertIn("small-10 of cairn is not in the file", result.stdout)
        self.assertIn("hash 0123456789abcdef -> ", result.stdout)
        self.assertIn(f"touching {old[1]['touching']} -> ", result.stdout)
        self.assertIn("lanes", self.compare(json.dumps(old), "--lanes", "1").stdout)

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
        options = "--scene", "overlaps", "--steps", "3"
        old = json.loads(run(*options, "--json").stdout)
        old[0]["results"] += 1
        self.file.write_text(json.dumps(old), encoding="utf-8")
        result = run(*options, "--compare", str(self.file))
        self.assertIn(f"results {old[0]['results']} -> {old[0]['results'] - 1}", result.stdout)

    def test_rooms_are_the_same_on_any_number_of_threads(self):
        found = [json.loads(run("--rooms", "12", "--steps", "40", "--threads", threads, "--json").stdout)[0]
                 for threads in ("1", "3")]
        self.assertEqual(found[0]["hash"], found[1]["hash"])
        for r in found:
            self.assertEqual((r["rooms"], r["awake"], r["steps"], r["timed"]), (12, 12 * 60, 40, 10))
            self.assertTrue(0 < r["fit_least"] <= r["fit"] <= r["fit_most"])
        self.assertIn("rooms fit in real time", run("--rooms", "3", "--steps", "5").stdout)

    def test_json_goes_to_the_output_and_a_comparison_to_the_errors(self):
        result = self.compare(run(*SHORT, "--json").stdout, "--json")
        self.assertEqual(len(json.loads(result.stdout)), 2)
        self.assertIn("ratio", result.stderr)

    def test_files_that_are_not_json_are_refused(self):
        self.assert_fails(run("--compare", str(self.file)), "cannot read")
        for text in ("", "{", "[", "[1, 2", '[{"scene": "tumbler}]', '[{"scene" 1}]', "[] []", "[" * 99,
                     '[{"scene": "tumbler",\n "ms" {"mean": 1}}]'):
            self.assert_fails(self.compare(text), "is not the output of --json", "line")
        self.assert_fails(self.compare('[{"scene": "tumbler",\n "ms" {"mean": 1}}]'), "line 2")
        self.assert_fails(self.compare("[]"), "no scenes")
        self.assert_fails(self.compare('[{"scene": "tumbler"}]'), "item 1")


if __name__ == "__main__":
    BENCH = sys.argv.pop(1)
    unittest.main()
