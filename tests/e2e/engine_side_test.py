"""What engines say of themselves: their counters beside the client's sums, and the settings in force."""

import sqlite3
import unittest

from harness import JSON, Case, free_port, models, scripted, stream

SPEC = """evenbench: 1
title: engines
systems:
{systems}
workload: {{ lengths: {{ input: 60, output: 20 }} }}
load: {{ ladder: {{ rates: [20], arrivals: constant, measure: 3s }} }}
"""


class EngineSide(Case):
    def run_profiles(self, *profiles, more="", request=""):
        systems = "\n".join(f"  - {{ name: {p}, engine: sim, profile: {p}, port: {free_port()}{more} }}" for p in profiles)
        done = self.run_tool("run", self.spec(SPEC.format(systems=systems) + request), "--out", "r", timeout=150)
        self.assertIn(done.code, (0, 4), done.err)
        return {s["name"]: s for s in self.summary("r")["systems"]}

    def settings(self, visit):
        with sqlite3.connect(f"file:{self.dir}/r/run.sqlite?mode=ro", uri=True) as db:
            return {key: (effective, source) for key, effective, source in
                    db.execute("SELECT key, effective, source FROM setting WHERE visit_id = ?", (visit,))}

    def test_each_dialects_counters_agree_with_the_client_within_a_thousandth(self):
        systems = self.run_profiles("vllm", "trtllm", "tgi", "sglang")
        for name, system in systems.items():
            engine = system["steps"][0]["engine"]
            with self.subTest(name):
                self.assertLessEqual(abs(engine["output_difference"]), 0.001, engine)
                self.assertLessEqual(abs(engine["prompt_difference"]), 0.001, engine)
                self.assertGreaterEqual(engine["looks"], 1)
                self.assertIn("running_max", engine)
        codes = [f["code"] for f in self.summary("r")["findings"]]
        self.assertNotIn("server_counts_otherwise", codes)
        self.assertNotIn("engine_metrics_absent", codes)

    def test_settings_are_read_of_each_dialect_with_their_source(self):
        self.run_profiles("vllm", "trtllm", "tgi", "sglang", more=", args: [--max-model-len, 4096, --dtype, bf16]",
                          request="request: { ignore_eos: true }\n")
        for visit, name in enumerate(("vllm", "trtllm", "tgi", "sglang"), 1):
            got = self.settings(visit)
            with self.subTest(name):
                self.assertEqual(got["max_model_len"][0], "4096")
                self.assertEqual(got["dtype"][0], "bfloat16")
                self.assertEqual(got["ignore_eos"][0], "not possible" if name == "tgi" else "honoured")
                self.assertRegex(got["token_counts"][0], r"^\d+(,\d+){4}$")
                self.assertTrue(all(source for effective, source in got.values() if effective))

    def test_a_server_that_shows_no_metrics_is_measured_and_said_to(self):
        def answer(method, path, headers, body):
            if path == "/v1/models":
                return models("m")
            if method == "GET":
                return (200, JSON, b"{}") if path == "/health" else (404, JSON, b"{}")
            return stream(["a", "b"])

        with scripted(answer) as server:
            text = SPEC.format(systems=f'  - {{ name: a, engine: vllm, attach: {{ url: "{server.url}" }} }}')
            done = self.run_tool("run", self.spec(text), "--out", "r")
            self.assertIn(done.code, (0, 4), done.err)
            self.assertEqual(sum(path == "/metrics" for _, path, *_ in server.seen), 2,
                             "for the settings and before the load, then no more")
        self.assertNotIn("engine", self.steps("r")[0])
        said = [f["text"] for f in self.summary("r")["findings"] if f["code"] == "engine_metrics_absent"]
        self.assertEqual(len(said), 1)
        self.assertIn("/metrics answered 404", said[0])
        self.assertEqual(self.settings(1)["prefix_cache"], ("", ""))


if __name__ == "__main__":
    unittest.main()
