"""The commands as scripts use them: output, exit codes, files, exact counts."""

import json
import pathlib
import subprocess
import sys
import unittest

from harness import Case, processes_with

SCHEMA = pathlib.Path(__file__).parents[2] / "docs" / "summary.schema.json"
VALIDATE = pathlib.Path(__file__).parent / "validate_summary.py"


class Commands(Case):
    def test_a_run_of_three_simulated_engines_gives_every_file_and_a_valid_summary(self):
        spec = self.spec("""evenbench: 1
title: three at once
systems:
  - { name: a, engine: sim, profile: vllm, port: 18311 }
  - { name: b, engine: sim, profile: trtllm, port: 18312 }
  - { name: c, engine: sim, profile: tgi, port: 18313 }
workload: { lengths: { input: 60, output: 8 } }
load:
  ladder: { rates: [5, 10], measure: 2s, warmup: 5 }
  closed: { concurrency: 2, requests: 6 }
""")
        done = self.run_tool("run", spec, "--out", "r")
        self.assertIn(done.code, (0, 4), done.err)
        self.assertEqual(done.out.strip(), "r/report.html")
        for name in ("run.sqlite", "report.html", "report.md", "summary.json", "steps.csv", "spec.yaml", "logs"):
            self.assertTrue((self.dir / "r" / name).exists(), name)
        summary = self.summary("r")
        self.assertTrue(summary["run"]["complete"])
        self.assertEqual([s["name"] for s in summary["systems"]], ["a", "b", "c"])
        for system in summary["systems"]:
            self.assertTrue(system["simulated"])
            self.assertEqual([s["kind"] for s in system["steps"]], ["ladder", "ladder", "closed"])
            self.assertEqual([s["requests"]["good"] for s in system["steps"]], [10, 20, 6])
            for step in system["steps"]:
                self.assertEqual(step["output_tokens"]["source"], {"usage": step["requests"]["good"]})
        checked = subprocess.run([sys.executable, "-B", str(VALIDATE), str(self.dir / "r" / "summary.json")],
                                 capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertEqual(len(self.rows("r")), 9)
        self.assertIn("simulated", (self.dir / "r" / "report.html").read_text())
        self.assertEqual(processes_with("--port 1831"), [])

    def test_a_report_can_be_made_again_from_the_run_file_alone(self):
        url, _ = self.simulated()
        self.run_tool("quick", url, "--rate", 20, "--requests", 20, "--output-tokens", 4, "--out", "r")
        before = self.summary("r")
        (self.dir / "alone").mkdir()
        (self.dir / "r" / "run.sqlite").rename(self.dir / "alone" / "run.sqlite")
        done = self.run_tool("report", "alone", "--json")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(json.loads(done.out), before)
        for name in ("report.html", "report.md", "summary.json", "steps.csv"):
            self.assertTrue((self.dir / "alone" / name).exists(), name)

    def test_exactly_the_asked_number_of_requests_is_measured(self):
        url, stopped = self.truth("--ttft", 5, "--interval", 1, "--tokens", 3)
        done = self.run_tool("quick", url, "--concurrency", 4, "--requests", 40, "--output-tokens", 3, "--out", "r")
        self.assertIn(done.code, (0, 4), done.err)
        step = self.steps("r")[0]
        self.assertEqual((step["kind"], step["concurrency"]), ("closed", 4))
        self.assertEqual(step["requests"]["good"], 40)
        self.assertEqual(len([r for r in stopped() if r["writes_ns"]]), 41)  # and one probe

    def test_O25_four_users_need_no_more_than_four_connections(self):
        url, _ = self.truth("--ttft", 5, "--interval", 1, "--tokens", 3)
        self.run_tool("quick", url, "--concurrency", 4, "--requests", 40, "--output-tokens", 3, "--out", "r")
        step = self.steps("r")[0]
        self.assertLessEqual(step["connections"]["opened"], 4)
        self.assertEqual(step["requests"]["good"], 40)

    def test_several_workers_send_the_same_plan(self):
        url, _ = self.simulated()
        for workers in (1, 2):
            done = self.run_tool("quick", url, "--rate", 50, "--requests", 100, "--output-tokens", 2,
                                 "--workers", workers, "--out", f"w{workers}")
            self.assertIn(done.code, (0, 4), done.err)
        one, two = self.steps("w1")[0], self.steps("w2")[0]
        self.assertEqual(one["requests"]["good"], 100)
        self.assertEqual(two["requests"]["good"], 100)
        self.assertEqual(one["input_tokens"]["total"], two["input_tokens"]["total"])

    def test_a_simulated_engine_is_labelled_so_even_when_it_is_attached_as_any_server(self):
        url, _ = self.simulated()
        done = self.run_tool("quick", url, "--rate", 20, "--requests", 4, "--output-tokens", 2, "--out", "r")
        self.assertTrue(self.summary("r")["systems"][0]["simulated"])
        for text in (done.err, (self.dir / "r/report.html").read_text(), (self.dir / "r/report.md").read_text()):
            self.assertIn("simulated", text)

    def test_check_prints_the_plan_and_sends_nothing(self):
        url, stopped = self.truth()
        spec = self.spec(f"""evenbench: 1
systems: [{{ name: a, engine: openai, attach: {{ url: "{url}" }} }}]
load: {{ ladder: {{ rates: [2], measure: 10s }} }}
""")
        done = self.run_tool("check", spec)
        self.assertEqual(done.code, 0, done.err)
        self.assertIn("20 requests measured", done.out)
        self.assertIn("resolved spec", done.out)
        self.assertEqual(stopped(), [])

    def test_a_folder_that_holds_a_run_is_never_overwritten(self):
        url, _ = self.simulated()
        self.run_tool("quick", url, "--rate", 20, "--requests", 4, "--output-tokens", 2, "--out", "r")
        before = (self.dir / "r" / "run.sqlite").read_bytes()
        again = self.run_tool("quick", url, "--rate", 20, "--requests", 4, "--output-tokens", 2, "--out", "r")
        self.assertEqual(again.code, 2)
        self.assertIn("already holds a run", again.err)
        self.assertEqual((self.dir / "r" / "run.sqlite").read_bytes(), before)

    def test_a_folder_that_holds_files_of_the_user_is_not_written_into(self):
        url, _ = self.simulated()
        (self.dir / "mine").mkdir()
        (self.dir / "mine" / "report.html").write_text("mine")
        done = self.run_tool("quick", url, "--rate", 20, "--requests", 4, "--output-tokens", 2, "--out", "mine")
        self.assertEqual(done.code, 2)
        self.assertEqual([f.name for f in (self.dir / "mine").iterdir()], ["report.html"])
        self.assertEqual((self.dir / "mine" / "report.html").read_text(), "mine")

    def test_O11_the_length_field_is_named_by_the_user_and_sent_with_every_request(self):
        url, _ = self.truth("--ttft", 2, "--interval", 1, "--tokens", 16)  # honours no length at all
        done = self.run_tool("quick", url, "--rate", 20, "--requests", 10, "--output-tokens", 64,
                             "--output-field", "max_completion_tokens", "--out", "r")
        self.assertIn(done.code, (0, 4), done.err)
        findings = self.summary("r")["findings"]
        self.assertIn("length_not_honoured", [f["code"] for f in findings])

    def test_O36_a_short_data_set_is_repeated_and_said(self):
        (self.dir / "two.jsonl").write_text('{"prompt":"one"}\n{"prompt":"two"}\n')
        url, _ = self.simulated()
        done = self.run_tool("quick", url, "--rate", 20, "--requests", 5, "--prompts", "two.jsonl",
                             "--output-tokens", 2, "--out", "r")
        self.assertIn(done.code, (0, 4), done.err)
        self.assertEqual(self.steps("r")[0]["requests"]["good"], 5)
        said = " ".join(f["text"] for f in self.summary("r")["findings"])
        self.assertIn("5 requests, 2 unique prompts, 3 repeats", said)


if __name__ == "__main__":
    unittest.main()
