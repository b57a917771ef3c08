#!/usr/bin/env python3
"""Real engines made to fail on purpose: each failure must be counted under its own name, explained, and never pass as an answer.
   EVENBENCH=PROGRAM EVENBENCH_ENGINES=FOLDER faults.py [unittest's options] [Class.test]
FOLDER is what tools/engines/{vllm_cpu,llama_cpp}.sh made. Every run folder is kept under build/real-faults-*."""
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/e2e"), str(ROOT / "tests/real")]
os.environ.setdefault("EVENBENCH_TRUTH_SERVER", "")

from check_run import left_processes, processes_of  # noqa: E402
from harness import Case, free_port, wait_for  # noqa: E402

ENGINES = pathlib.Path(os.environ.get("EVENBENCH_ENGINES", ROOT / "build/engines")).resolve()
VLLM = ENGINES / "vllm/venv/bin/vllm"
TINY = ENGINES / "vllm/models/tiny"
LLAMA = ENGINES / "llama_cpp/bin/llama-server"
GGUF = ENGINES / "llama_cpp/smollm2.gguf"
KEPT = pathlib.Path(tempfile.mkdtemp(prefix="real-faults-", dir=ROOT / "build"))

# Nobody's time is judged here: a busy machine needs long for a start of vLLM.
PATIENCE = 900
VLLM_ENV = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_CPU_KVCACHE_SPACE": "1"}
VLLM_ARGS = ["--max-model-len", "2048", "--enforce-eager", "--no-enable-prefix-caching"]
MEASURED = (0, 4)  # 4 where the client itself got too little of a busy machine
KEY, WRONG_KEY = "real-key-5d1f0c", "wrong-key-77aa31"


def endings(step):
    return {ending: n for ending, n in step["requests"]["endings"].items() if n}


class Real(Case):
    def setUp(self):
        self.since = time.time() - 1  # a process's begin is known to a hundredth of a second or so
        self.dir = KEPT / self.id().split(".", 1)[1]
        self.dir.mkdir()

    def system(self, engine, args=(), attach=None, key_env=None):
        if attach:
            text = f"  - name: e\n    engine: {engine}\n    attach: {{ url: \"{attach}\" }}\n"
        else:
            launch = VLLM if engine == "vllm" else LLAMA
            text = (f"  - name: e\n    engine: {engine}\n    launch: {{ native: \"{launch}\" }}\n    port: {free_port()}\n"
                    f"    args: {json.dumps([str(a) for a in args])}\n")
            if engine == "vllm":
                text += f"    env: {json.dumps(VLLM_ENV)}\n"
        return text + (f"    key_env: {key_env}\n" if key_env else "")

    def real_spec(self, system, model, lengths, load):
        path = f"path: \"{model}\", " if model else ""
        return self.spec(f"evenbench: 1\ntitle: {self._testMethodName}\nmodel: {{ {path}name: m, dtype: bfloat16 }}\n"
                         f"systems:\n{system}workload: {{ lengths: {lengths} }}\nrequest: {{ temperature: 0, ignore_eos: true }}\n"
                         f"load: {{ closed: {load} }}\nlimits: {{ total: 10m, start: 15m, stop: 60s }}\n")

    def rows_on_disk(self):
        try:
            db = sqlite3.connect(f"file:{self.dir}/r/run.sqlite?mode=ro", uri=True, timeout=1)
            try:
                return db.execute("SELECT count(*) FROM request").fetchone()[0]
            finally:
                db.close()
        except sqlite3.Error:
            return 0

    def wait_for_rows(self, tool, rows):
        """Until the load runs and `rows` requests are over."""
        def seen():
            self.assertIsNone(tool.poll(), "evenbench ended before its load: " + self.stderr())
            return self.rows_on_disk() >= rows
        wait_for(seen, PATIENCE, f"{rows} requests on disk")

    def engine_process(self, name):
        """The one process of this test's engine whose command begins with `name` or runs the program of that name."""
        found = [pid for pid, argv in processes_of(str(ENGINES), self.since, self.dir)
                 if argv[0].startswith(name) or argv[0].endswith("/" + name)]
        self.assertEqual(len(found), 1, f"processes called {name}")
        return found[0]

    def ended(self, tool):
        code = tool.wait(timeout=PATIENCE)
        self.assertEqual(list(left_processes(str(ENGINES), self.since, self.dir)), [])
        return code

    def one_step(self):
        """The only step of the run; whatever failed in it, every request of it has an ending and is not counted twice."""
        summary = self.assert_readable("r")
        (step,) = summary["systems"][0]["steps"]
        requests = step["requests"]
        self.assertEqual(requests["good"] + requests["failed"] + requests.get("cut", 0), sum(endings(step).values()), requests)
        self.assertEqual(requests["good"], endings(step).get("done", 0))
        print(f"\n  {self._testMethodName}: {step['label']}, {endings(step)}", file=sys.stderr)
        for failure in step["failures"]:
            print(f"    {failure}", file=sys.stderr)
        return summary, step

    def assert_found(self, summary, code, words):
        found = [finding["text"] for finding in summary["findings"] if finding["code"] == code]
        self.assertTrue(any(words in text for text in found), f"{code}: {found or summary['findings']}")

    def serve(self, argv, url):
        """A server of the test's own, which evenbench is only attached to."""
        log = open(self.dir / "server.log", "wb")
        self.addCleanup(log.close)
        server = subprocess.Popen([str(a) for a in argv], cwd=self.dir, env={**os.environ, **VLLM_ENV}, stdout=log,
                                  stderr=subprocess.STDOUT)

        def end():
            if server.poll() is None:
                server.terminate()
            server.wait(timeout=PATIENCE)

        self.addCleanup(end)

        def healthy():
            self.assertIsNone(server.poll(), f"the server ended; see {self.dir}/server.log")
            return self.health(url) == 200
        wait_for(healthy, PATIENCE, url + "/health")
        return server

    def health(self, url):
        try:
            with urllib.request.urlopen(url + "/health", timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as problem:
            return problem.code
        except OSError:
            return None

    def assert_wrong_key_is_refused(self, engine, url):
        spec = self.real_spec(self.system(engine, attach=url, key_env="FAULTS_KEY"), "", "{ input: 20, output: 8 }",
                              "{ concurrency: 2, requests: 8 }")
        done = self.run_tool("run", spec, "--out", "wrong", env={"FAULTS_KEY": WRONG_KEY}, timeout=PATIENCE)
        self.assertEqual(done.code, 3, done.err)
        self.assertIn("401", done.err)
        self.assertIn(url, done.err)
        self.assertIn("key_refused: the key in FAULTS_KEY", done.err)
        self.assertEqual(self.summary("wrong")["systems"][0]["steps"], [])
        # A server whose model list is open is asked for one token; nothing else was sent.
        self.assertLessEqual((self.dir / "server.log").read_text(errors="replace").count("POST /v1/"), 1)
        self.assert_in_no_file(WRONG_KEY)

    def assert_in_no_file(self, key):
        for file in self.dir.rglob("*"):
            # What the engine itself writes down of its own command line is no work of evenbench.
            if file.is_file() and file.name != "server.log":
                self.assertNotIn(key.encode(), file.read_bytes(), file)


class Vllm(Real):
    def test_overload_refuses_requests_inside_and_outside_of_streams(self):
        spec = self.real_spec(self.system("vllm", [*VLLM_ARGS, "--max-num-queued-reqs", 4, "--max-num-seqs", 2]), TINY,
                              "{ input: 32, output: 200 }", "{ concurrency: 16, requests: 96, think: 1s }")
        tool = self.start_tool("run", spec, "--out", "r")
        self.assertIn(self.ended(tool), MEASURED, self.stderr())
        summary, step = self.one_step()
        self.assertTrue(summary["run"]["complete"])
        self.assertLessEqual(set(endings(step)), {"done", "stream_error", "http_error"})
        # All 16 users begin at once: what is too much is refused after the head with status 200.
        self.assertGreater(endings(step).get("stream_error", 0), 0)
        self.assertGreater(step["requests"]["good"], 0)
        # Refused requests bring no token, so every token that counts is of a good one.
        self.assertEqual(step["output_tokens"]["total"], 200 * step["requests"]["good"])
        for failure in step["failures"]:
            self.assertIn("503", failure["detail"])
        self.assertEqual(step["engine"]["requests_refused"], step["requests"]["failed"])
        self.assertEqual(step["engine"]["generation_tokens"], step["output_tokens"]["total"])
        self.assertNotEqual(step["label"], "STEADY")
        self.assertTrue(any("requests failed" in reason and "503" in reason for reason in step["reasons"]), step["reasons"])
        self.assert_found(summary, "server_overloaded", "--max-num-queued-reqs")

    def test_preemptions_are_counted_by_the_engine_and_spoil_no_answer(self):
        # 40 blocks of 128 tokens are less than what sixteen answers of 400 tokens need.
        spec = self.real_spec(self.system("vllm", [*VLLM_ARGS, "--num-gpu-blocks-override", 40, "--max-num-seqs", 16]), TINY,
                              "{ input: 32, output: 400 }", "{ concurrency: 16, requests: 32 }")
        tool = self.start_tool("run", spec, "--out", "r")
        self.assertIn(self.ended(tool), MEASURED, self.stderr())
        summary, step = self.one_step()
        self.assertEqual(endings(step), {"done": 32})
        engine = step["engine"]
        print(f"    {engine}", file=sys.stderr)
        self.assertGreater(engine["preemptions"], 0)
        self.assertGreater(engine["kv_cache_usage_max"], 0.8)
        # What was made twice is counted once, by both sides.
        self.assertEqual(engine["generation_tokens"], 400 * 32)
        self.assertEqual(engine["client_output_tokens"], 400 * 32)
        (kv,) = [term for term in summary["comparability"]["terms"] if term["term"] == "kv_cache_tokens"]
        self.assertEqual(kv["systems"][0]["effective"], str(40 * 128))

    def test_an_engine_killed_in_mid_stream_is_named_and_what_was_measured_stays(self):
        spec = self.real_spec(self.system("vllm", VLLM_ARGS), TINY, "{ input: 32, output: 1000 }",
                              "{ concurrency: 4, measure: 30m }")
        tool = self.start_tool("run", spec, "--out", "r")
        self.wait_for_rows(tool, 4)
        os.kill(self.engine_process("VLLM::EngineCore"), signal.SIGKILL)
        self.assertEqual(self.ended(tool), 3, self.stderr())
        summary, step = self.one_step()
        self.assertFalse(summary["run"]["complete"])
        self.assertGreaterEqual(step["requests"]["good"], 4)
        self.assertGreater(endings(step).get("stream_error", 0), 0)
        self.assertLessEqual(set(endings(step)), {"done", "stream_error", "http_error", "reset", "connect_failed", "cut"})
        self.assertRegex(self.stderr(), r"e ended under load \(.*\); host_memory: .*\. The end of its log, .*vllm\.log:\n")
        self.assert_found(summary, "engine_fault", "EngineCore encountered an issue")
        self.assertTrue(any("ended under load" in reason for reason in step["reasons"]), step["reasons"])

    def test_a_server_told_to_stop_refuses_new_requests_though_it_says_that_it_is_healthy(self):
        url = f"http://127.0.0.1:{free_port()}"
        server = self.serve([VLLM, "serve", TINY, "--served-model-name", "m", "--host", "127.0.0.1", "--port", url.rsplit(":", 1)[1],
                             "--dtype", "bfloat16", *VLLM_ARGS, "--api-key", KEY, "--shutdown-timeout", "120"], url)
        self.assert_wrong_key_is_refused("vllm", url)
        # Long streams keep the server alive while the short ones end and new ones are asked for.
        spec = self.real_spec(self.system("vllm", attach=url, key_env="FAULTS_KEY"), "", "{ input: 32, output: { uniform: [20, 1900] } }",
                              "{ concurrency: 6, requests: 400, think: 50ms }")
        tool = self.start_tool("run", spec, "--out", "r", env={"FAULTS_KEY": KEY})
        self.wait_for_rows(tool, 6)
        server.send_signal(signal.SIGTERM)
        health = set()
        while server.poll() is None and tool.poll() is None:
            health.add(self.health(url))
            time.sleep(0.05)
        self.assertIn(tool.wait(timeout=PATIENCE), MEASURED, self.stderr())
        summary, step = self.one_step()
        print(f"    /health while it stopped: {health}", file=sys.stderr)
        self.assertGreaterEqual(step["requests"]["good"], 6)
        self.assertLessEqual(set(endings(step)), {"done", "stream_error", "http_error", "reset", "connect_failed"})
        refused = [f for f in step["failures"] if f["ending"] == "http_error"]
        self.assertTrue(refused, step["failures"])
        self.assertIn("500", refused[0]["detail"])
        self.assert_found(summary, "server_stopping", "SIGTERM")
        self.assertNotEqual(step["label"], "STEADY")
        self.assert_in_no_file(KEY)


class LlamaCpp(Real):
    def test_a_server_killed_in_mid_stream_is_named_and_what_was_measured_stays(self):
        spec = self.real_spec(self.system("llama_cpp", ["-c", 4096, "-np", 2, "-t", 1]), GGUF, "{ input: 16, output: 100 }",
                              "{ concurrency: 2, measure: 30m }")
        tool = self.start_tool("run", spec, "--out", "r")
        self.wait_for_rows(tool, 2)
        os.kill(self.engine_process("llama-server"), signal.SIGKILL)
        self.assertEqual(self.ended(tool), 3, self.stderr())
        summary, step = self.one_step()
        self.assertFalse(summary["run"]["complete"])
        self.assertGreaterEqual(step["requests"]["good"], 2)
        self.assertGreater(endings(step).get("reset", 0) + endings(step).get("bad_stream", 0), 0)
        self.assertLessEqual(set(endings(step)), {"done", "reset", "bad_stream", "connect_failed", "cut"})
        self.assertRegex(self.stderr(), r"e ended under load \(signal 9 .*\); host_memory: .*\. The end of its log, .*llama_cpp\.log:\n")
        self.assert_found(summary, "connections_broken", "closed the connection before the answer was whole")
        self.assertTrue(any("ended under load" in reason for reason in step["reasons"]), step["reasons"])

    def test_a_wrong_key_ends_the_run_before_its_load(self):
        url = f"http://127.0.0.1:{free_port()}"
        self.serve([LLAMA, "-m", GGUF, "--alias", "m", "--host", "127.0.0.1", "--port", url.rsplit(":", 1)[1], "-c", 2048, "-np", 1,
                    "-t", 1, "--api-key", KEY], url)
        self.assert_wrong_key_is_refused("llama_cpp", url)


if __name__ == "__main__":
    print(f"run folders: {KEPT}", file=sys.stderr)
    unittest.main(verbosity=2)
