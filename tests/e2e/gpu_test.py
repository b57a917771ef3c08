"""GPUs beside a run: four instants of memory, the series, and what follows when an engine leaves memory behind. The cards stand in a
file that a libnvidia-ml.so.1 made for tests reads."""

import csv
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys

from harness import EVENBENCH, Case, free_port

GIB = 1 << 30
LIBRARY = os.environ["EVENBENCH_FAKE_NVML_FOLDER"]


class Cards(Case):
    def setUp(self):
        super().setUp()
        self.ports = [free_port(), free_port()]
        self.env = {"LD_LIBRARY_PATH": LIBRARY, "EVENBENCH_FAKE_NVML": str(self.dir / "gpus")}

    def cards(self, *lines):
        """Two cards with 1 GiB and nothing in use."""
        cards = [f"device {80 * GIB} 0 {GIB} NVIDIA A100-SXM4-80GB", f"device {80 * GIB} 0 0 NVIDIA A100-SXM4-80GB"]
        (self.dir / "gpus").write_text("\n".join([*cards, *lines]) + "\n")

    def engine(self, system, gpu, ready, peak, after_ms=0):
        """The engine on that system's port holds so much, and the peak once so much time has passed."""
        return f"engine {gpu} {ready} {peak} {after_ms} --port {self.ports[system]}"

    def write_spec(self, more="", gpus="[0]", measure="1s"):
        return self.spec(
            f"evenbench: 1\ntitle: gpus\nhardware: {{ gpus: {gpus}, sample_every: 50ms }}\nlimits: {{ release: 300ms }}\n{more}"
            "systems:\n"
            f"  - {{ name: one, engine: sim, port: {self.ports[0]} }}\n  - {{ name: two, engine: sim, port: {self.ports[1]} }}\n"
            f"workload: {{ lengths: {{ input: 10, output: 4 }} }}\nload: {{ ladder: {{ rates: [20], measure: {measure} }} }}\n")

    def rows_of(self, query, folder="r"):
        with sqlite3.connect(f"file:{self.dir / folder / 'run.sqlite'}?mode=ro", uri=True) as file:
            return file.execute(query).fetchall()

    def findings(self, code, folder="r"):
        return [f for f in self.summary(folder)["findings"] if f["code"] == code]


class Sampled(Cards):
    def test_each_visit_has_four_instants_of_memory_and_a_series(self):
        self.cards(self.engine(0, 0, 8 * GIB, 12 * GIB, 1200), self.engine(1, 0, 20 * GIB, 20 * GIB),
                   self.engine(1, 1, 5 * GIB, 5 * GIB))
        done = self.run_tool("run", self.write_spec(gpus="[0, 1]", measure="2s"), "--out", "r", env=self.env)
        self.assertIn(done.code, (0, 4), done.err)
        rows = {(name, gpu): values for name, gpu, *values in self.rows_of(
            "SELECT s.name, g.gpu, idle_bytes, ready_bytes, peak_bytes, after_bytes FROM gpu g JOIN visit v ON v.id = g.visit_id "
            "JOIN system s ON s.id = v.system_id")}
        self.assertEqual(rows, {("one", 0): [GIB, 9 * GIB, 13 * GIB, GIB], ("one", 1): [0, 0, 0, 0],
                                ("two", 0): [GIB, 21 * GIB, 21 * GIB, GIB], ("two", 1): [0, 5 * GIB, 5 * GIB, 0]})
        ((count,),) = self.rows_of("SELECT count(*) FROM gpu_sample WHERE gpu = 0 AND visit_id = 1")
        self.assertGreaterEqual(count, 2)
        engines = self.rows_of("SELECT DISTINCT engine_memory_bytes FROM gpu_sample WHERE gpu = 1 ORDER BY 1")
        self.assertEqual(engines, [(None,), (5 * GIB,)])
        facts = json.loads(self.rows_of("SELECT facts_json FROM gpu")[0][0])
        self.assertEqual(facts["driver"], {"value": "580.65.06", "source": "NVML"})
        with open(self.dir / "r" / "gpu.csv", newline="") as file:
            series = [row for row in csv.DictReader(file) if (row["system"], row["gpu"]) == ("one", "0")]
        self.assertEqual(max(int(row["memory_used_bytes"]) for row in series), 13 * GIB)
        self.assertEqual({(row["gpu_utilisation"], row["power_watts"], row["throttle_reasons"]) for row in series},
                         {("0.75", "250.5", "0x4")})
        one = next(s for s in self.summary("r")["systems"] if s["name"] == "one")
        self.assertEqual([gpu["peak_bytes"] for gpu in one["gpu_memory"]], [13 * GIB, 0])
        self.assertEqual(one["gpu_memory"][0]["engine_peak_bytes"], 12 * GIB)
        done = self.run_argv([sys.executable, str(pathlib.Path(__file__).parent / "validate_summary.py"),
                              str(self.dir / "r" / "summary.json")])
        self.assertEqual(done.code, 0, done.out + done.err)
        for code in ("tainted", "gpu_memory_not_returned", "processes_left", "gpu_not_sampled"):
            self.assertEqual(self.findings(code), [], code)

    def test_only_the_cards_of_the_spec_are_looked_at(self):
        self.cards()
        done = self.run_tool("run", self.write_spec(gpus="[1, 7]"), "--out", "r", env=self.env)
        self.assertIn(done.code, (0, 4), done.err)
        self.assertEqual(self.rows_of("SELECT DISTINCT gpu FROM gpu"), [(1,)])
        self.assertIn("knows no GPU 7", self.findings("gpu_unknown")[0]["text"])

    def test_who_uses_a_card_before_the_start_is_named(self):
        other = subprocess.Popen(["sleep", "300"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.cards(f"holds 0 {other.pid} {3 * GIB}")
        done = self.run_tool("run", self.write_spec(), "--out", "r", env=self.env)
        self.assertIn(done.code, (0, 4), done.err)
        text = self.findings("gpu_in_use")[0]["text"]
        self.assertIn("GPU 0 has 4.00 GiB in use before the start", text)
        self.assertIn(f"process {other.pid} (sleep 300) with 3.00 GiB", text)
        self.assertEqual(self.findings("tainted"), [])

    def test_where_nothing_is_sampled_it_is_said_why(self):
        (self.dir / "gpus").write_text("init 9\n")
        (self.dir / "bin").mkdir()
        done = self.run_tool("run", self.write_spec(), "--out", "r", env={**self.env, "PATH": str(self.dir / "bin")})
        self.assertIn(done.code, (0, 4), done.err)
        text = self.findings("gpu_not_sampled")[0]["text"]
        self.assertIn("NVML does not start (Driver Not Loaded)", text)
        self.assertIn("nvidia-smi: No such file or directory", text)
        self.assertEqual(self.rows_of("SELECT count(*) FROM gpu"), [(0,)])
        self.assertFalse((self.dir / "r" / "gpu.csv").exists())

    def test_nvidia_smi_is_the_fallback(self):
        (self.dir / "gpus").write_text("init 9\n")
        (self.dir / "bin").mkdir()
        shutil.copy(pathlib.Path(__file__).parent / "fake_nvidia_smi.py", self.dir / "bin" / "nvidia-smi")
        (self.dir / "bin" / "nvidia-smi").chmod(0o755)
        (self.dir / "used").write_text("615\n")
        done = self.run_tool("run", self.write_spec(), "--out", "r",
                             env={**self.env, "PATH": f"{self.dir / 'bin'}:{os.environ['PATH']}",
                                  "FAKE_SMI_USED": str(self.dir / "used")})
        self.assertIn(done.code, (0, 4), done.err)
        rows = self.rows_of("SELECT source, total_bytes, idle_bytes, ready_bytes, peak_bytes, after_bytes FROM gpu")
        self.assertEqual(rows, [("nvidia-smi", 80 * GIB, *[615 << 20] * 4)] * 2)
        sample = self.rows_of("SELECT gpu_utilisation, memory_utilisation, power_watts, throttle_reasons FROM gpu_sample")[0]
        self.assertEqual(sample, (0.88, None, 251.3, 4))
        self.assertEqual(len(self.findings("gpu_sampled_slowly")), 1)


class Leaks(Cards):
    def setUp(self):
        super().setUp()
        self.cards(self.engine(0, 0, 8 * GIB, 8 * GIB), f"leaks 0 {2 * GIB} --port {self.ports[0]}",
                   f"leaks 0 {2 * GIB} --port {self.ports[1]}")

    def test_memory_that_does_not_come_back_taints_the_next_visit(self):
        done = self.run_tool("run", self.write_spec(), "--out", "r", env=self.env)
        self.assertIn(done.code, (0, 4), done.err)
        first, second = self.findings("gpu_memory_not_returned")
        self.assertIn("GPU 0 has 3.00 GiB in use", first["text"])
        self.assertIn("and had 1.00 GiB before the start", first["text"])
        self.assertIn("had 1.00 GiB before the start", second["text"], "the least of the run counts, not what was left")
        (tainted,) = self.findings("tainted")
        self.assertNotEqual(tainted["where"], first["where"])
        self.assertIn("GPU 0 has 3.00 GiB in use", tainted["text"])

    def test_on_leak_stop_ends_the_run_with_exit_3(self):
        done = self.run_tool("run", self.write_spec("on_leak: stop\n"), "--out", "r", env=self.env)
        self.assertEqual(done.code, 3, done.err)
        self.assertIn("the run ends here (on_leak: stop)", done.err)
        self.assertEqual(self.rows_of("SELECT count(*) FROM visit"), [(1,)])
        self.assertEqual(self.findings("tainted"), [])
        self.assertFalse(self.summary("r")["run"]["complete"])

    def test_a_daemon_of_an_engine_that_holds_memory_is_found_and_named(self):
        """Started by an outsider that the engine asked, as container engines do: no descendant, and without any mark."""
        holder = subprocess.Popen(["sh", "-c", "while [ ! -e asked ]; do sleep 0.02; done; exec sleep $((300 + 3))"], cwd=self.dir)
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        self.cards(f"engine 0 {6 * GIB} {6 * GIB} 0 sleep 303")
        spec = self.spec("evenbench: 1\nhardware: { gpus: [0] }\nlimits: { release: 300ms }\n"
                         "model: { path: m }\nsystems:\n"
                         f"  - {{ name: one, engine: vllm, launch: {{ native: ./wrap }}, port: {self.ports[0]} }}\n"
                         "workload: { lengths: { input: 10, output: 4 } }\nload: { ladder: { rates: [20], measure: 1s } }\n")
        (self.dir / "wrap").write_text('#!/bin/sh\ntouch asked\nwhile [ "$1" != --port ]; do shift; done\n'
                                       f'exec {EVENBENCH} simulate --profile vllm --port "$2"\n')
        (self.dir / "wrap").chmod(0o755)
        done = self.run_tool("run", spec, "--out", "r", env=self.env)
        self.assertIn(done.code, (0, 4), done.err)
        text = self.findings("gpu_memory_not_returned")[0]["text"]
        self.assertIn(f"process {holder.pid} (sleep 303) with 6.00 GiB", text)
