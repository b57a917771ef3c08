"""Bad input and a failing environment: each a clear message with the remedy, the right exit code, a readable run file and
no child left."""

import os
import signal
import socket
import sqlite3
import time
import unittest

from harness import Case, free_port, processes_with, wait_for


class Trouble(Case):
    def sim_spec(self, port, rate=20, measure="20s", extra=""):
        return self.spec(f"""evenbench: 1
title: trouble
systems:
  - {{ name: a, engine: sim, profile: vllm, port: {port} }}
workload: {{ lengths: {{ input: 40, output: 30 }} }}
load: {{ ladder: {{ rates: [{rate}], measure: {measure} }} }}
{extra}
""")

    def rows_on_disk(self, folder="r"):
        try:
            db = sqlite3.connect(f"file:{self.dir}/{folder}/run.sqlite?mode=ro", uri=True, timeout=1)
            try:
                return db.execute("SELECT count(*) FROM request").fetchone()[0]
            finally:
                db.close()
        except sqlite3.Error:
            return 0

    def test_errors_of_a_spec_name_file_line_and_the_nearest_key(self):
        spec = self.spec("evenbench: 1\nsystems: [{ name: a, engine: sim }]\nload: { ladder: { rates: [1] } }\nblokcs: 2\n")
        for command in ("run", "check"):
            done = self.run_tool(command, spec)
            self.assertEqual(done.code, 2)
            self.assertIn("spec.yaml:4: unknown key 'blokcs'; did you mean 'blocks'?", done.err)
        self.assertFalse((self.dir / "runs").exists())
        self.assertEqual(self.run_tool("run", "missing.yaml").code, 2)
        self.assertEqual(self.run_tool("rnu").code, 2)
        self.assertEqual(self.run_tool("quick").code, 2)

    def test_a_port_where_nothing_listens_is_refused_at_once_with_its_address(self):
        port = free_port()
        done = self.run_tool("quick", f"http://127.0.0.1:{port}", "--rate", 1, "--duration", 5, "--out", "r")
        self.assertEqual(done.code, 3)
        self.assertIn(f"127.0.0.1:{port}", done.err)
        self.assertIn("refused", done.err)
        self.assertFalse(self.assert_readable("r")["run"]["complete"])

    def test_a_connection_that_never_came_about_is_no_request_sent(self):
        done = self.run_tool("quick", f"http://127.0.0.1:{free_port()}", "--no-probe", "--model", "m", "--rate", 20,
                             "--requests", 10, "--out", "r")
        self.assertEqual(done.code, 4, done.err)
        requests = self.steps("r")[0]["requests"]
        self.assertEqual(requests["endings"]["connect_failed"], 10)
        self.assertEqual(requests["sent"], 0)
        self.assertEqual(self.steps("r")[0]["label"], "FAILED")
        self.assertNotIn("the client sent", " ".join(self.steps("r")[0]["reasons"]))

    def test_O25_a_limit_of_open_files_is_raised_or_named_before_the_load(self):
        url, _ = self.simulated()
        args = self.command("quick", url, "--concurrency", 256, "--requests", 256, "--output-tokens", 2,
                            "--input-tokens", 8, "--out")
        soft = self.run_argv(["bash", "-c", 'ulimit -Sn 128; exec "$@"', "bash", *args, "soft"])
        self.assertIn(soft.code, (0, 4), soft.err)
        self.assertEqual(self.steps("soft")[0]["requests"]["good"], 256)
        hard = self.run_argv(["bash", "-c", 'ulimit -n 128; exec "$@"', "bash", *args, "hard"])
        self.assertEqual(hard.code, 3)
        self.assertRegex(hard.err, r"needs \d+ open files.*limit is 128")

    def test_a_terminal_or_a_pipe_that_is_gone_does_not_end_a_measurement(self):
        url, _ = self.simulated()
        args = self.command("quick", url, "--rate", 20, "--requests", 20, "--output-tokens", 2, "--out")
        lost = self.run_argv(["bash", "-c", 'exec "$@" 2>/dev/full', "bash", *args, "r1"])
        self.assertIn(lost.code, (0, 4))
        shut = self.run_argv(["bash", "-c", 'exec "$@" 2>&- >&-', "bash", *args, "r2"])
        self.assertIn(shut.code, (3, 4))
        full = self.run_argv(["bash", "-c", 'exec "$@" --json >/dev/full', "bash", *args, "r3"])
        self.assertEqual(full.code, 3)
        self.assertIn("stdout", full.err)
        for folder in ("r1", "r2", "r3"):
            self.assertEqual(self.steps(folder)[0]["requests"]["good"], 20)
            self.assertTrue((self.dir / folder / "report.html").exists())

    def test_an_interrupt_in_the_rest_between_two_steps_begins_no_other(self):
        spec = self.spec(f"""evenbench: 1
systems: [{{ name: a, engine: sim, port: {free_port()} }}]
workload: {{ lengths: {{ input: 20, output: 2 }} }}
load: {{ ladder: {{ rates: [20, 30], requests: 10 }}, settle: 60s }}
""")
        tool = self.start_tool("run", spec, "--out", "r")
        wait_for(lambda: "sent 10" in self.stderr() or "good 10" in self.stderr(), what="the first step's end")
        time.sleep(0.3)
        tool.send_signal(signal.SIGINT)
        self.assertEqual(tool.wait(timeout=30), 130)
        summary = self.assert_readable("r")
        self.assertFalse(summary["run"]["complete"])
        self.assertEqual(len(summary["systems"][0]["steps"]), 1)

    def test_no_rest_follows_the_last_step(self):
        spec = self.spec(f"""evenbench: 1
systems: [{{ name: a, engine: sim, port: {free_port()} }}]
workload: {{ lengths: {{ input: 20, output: 2 }} }}
load: {{ ladder: {{ rates: [20], requests: 10 }}, settle: 60s }}
""")
        done = self.run_tool("run", spec, "--out", "r", timeout=50)
        self.assertIn(done.code, (0, 4), done.err)

    def test_a_taken_port_is_named_before_the_engine_is_started(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = self.run_tool("run", self.sim_spec(port), "--out", "r")
        self.assertEqual(done.code, 3)
        self.assertIn(str(port), done.err)
        self.assertIn("already", done.err)
        self.assertNotIn("starting a", done.err)
        self.assertEqual(processes_with(f"--port {port}"), [])

    def test_an_engine_that_dies_while_starting_shows_its_last_words(self):
        engine = self.dir / "engine.sh"
        engine.write_text("#!/bin/sh\necho loading weights\necho 'fatal: no such model' >&2\nexit 7\n")
        engine.chmod(0o755)
        port = free_port()
        spec = self.spec(f"""evenbench: 1
systems:
  - {{ name: a, engine: llama_cpp, launch: {{ native: {engine} }}, port: {port}, model_path: m.gguf }}
load: {{ ladder: {{ rates: [1], measure: 5s }} }}
""")
        done = self.run_tool("run", spec, "--out", "r")
        self.assertEqual(done.code, 3)
        self.assertIn("exit code 7", done.err)
        self.assertIn("fatal: no such model", done.err)
        self.assertFalse(self.assert_readable("r")["run"]["complete"])
        self.assertEqual(processes_with(str(engine)), [])

    def test_a_program_that_is_not_there_is_named(self):
        spec = self.spec(f"""evenbench: 1
systems:
  - {{ name: a, engine: llama_cpp, launch: {{ native: no-such-engine }}, port: {free_port()}, model_path: m.gguf }}
load: {{ ladder: {{ rates: [1], measure: 5s }} }}
""")
        done = self.run_tool("run", spec, "--out", "r")
        self.assertEqual(done.code, 3)
        self.assertIn("no-such-engine", done.err)

    def test_an_engine_that_dies_under_load_ends_its_visit_and_keeps_what_was_measured(self):
        port = free_port()
        tool = self.start_tool("run", self.sim_spec(port), "--out", "r")
        wait_for(lambda: self.rows_on_disk() > 10, what="requests on disk")
        engine = min(p for p in processes_with(f"--port {port}") if "__warden" not in command_of(p))
        os.kill(engine, signal.SIGKILL)
        self.assertEqual(tool.wait(timeout=60), 3)
        self.assertIn("ended under load", self.stderr())
        self.assertIn("SIGKILL", self.stderr())
        summary = self.assert_readable("r")
        self.assertFalse(summary["run"]["complete"])
        self.assertGreater(summary["systems"][0]["steps"][0]["requests"]["good"], 10)
        self.assertEqual(processes_with(f"--port {port}"), [])

    def test_a_full_disk_ends_the_run_with_a_remedy_and_a_readable_file(self):
        port = free_port()
        done = self.run_tool("run", self.sim_spec(port, rate=300), "--out", "r", limit_file_bytes=600 * 1024)
        self.assertEqual(done.code, 3, done.err)
        self.assertRegex(done.err, "(?i)free|limit")
        self.assertIn("run.sqlite", done.err)
        self.assertLess(done.seconds, 60)
        summary = self.assert_readable("r")
        self.assertFalse(summary["run"]["complete"])
        self.assertGreater(summary["systems"][0]["steps"][0]["requests"]["sent"], 100)
        self.assertEqual(processes_with(f"--port {port}"), [])

    def test_one_interrupt_lets_open_requests_finish_and_two_cut_them(self):
        for times in (1, 2):
            port = free_port()
            folder = f"r{times}"
            tool = self.start_tool("run", self.sim_spec(port), "--out", folder)
            wait_for(lambda: self.rows_on_disk(folder) > 5, what="requests on disk")
            for _ in range(times):
                tool.send_signal(signal.SIGINT)
                time.sleep(0.2)
            self.assertEqual(tool.wait(timeout=60), 130)
            summary = self.assert_readable(folder)
            self.assertFalse(summary["run"]["complete"])
            self.assertIn("interrupt", summary["run"]["reason"])
            requests = summary["systems"][0]["steps"][0]["requests"]
            self.assertGreater(requests["good"], 5)
            self.assertLess(requests["sent"], requests["planned"])  # it did not just run to its end
            self.assertEqual(processes_with(f"--port {port}"), [])

    def test_sigterm_ends_a_run_like_an_interrupt_with_its_own_code(self):
        port = free_port()
        tool = self.start_tool("run", self.sim_spec(port), "--out", "r")
        wait_for(lambda: self.rows_on_disk() > 5, what="requests on disk")
        tool.send_signal(signal.SIGTERM)
        self.assertEqual(tool.wait(timeout=60), 143)
        self.assertEqual(processes_with(f"--port {port}"), [])

    def test_kill_nine_leaves_a_readable_file_and_no_child(self):
        port = free_port()
        tool = self.start_tool("run", self.sim_spec(port, rate=50), "--out", "r")
        wait_for(lambda: self.rows_on_disk() > 50, what="requests on disk")
        before = self.rows_on_disk()
        tool.kill()
        tool.wait()
        wait_for(lambda: not processes_with(f"--port {port}"), what="the end of every child")
        summary = self.assert_readable("r")
        self.assertFalse(summary["run"]["complete"])
        self.assertGreaterEqual(summary["systems"][0]["steps"][0]["requests"]["sent"], before)

    def test_a_second_system_is_still_measured_when_the_first_cannot_be_reached(self):
        spec = self.spec(f"""evenbench: 1
systems:
  - {{ name: gone, engine: openai, attach: {{ url: "http://127.0.0.1:{free_port()}" }} }}
  - {{ name: here, engine: sim, port: {free_port()} }}
workload: {{ lengths: {{ input: 40, output: 4 }} }}
load: {{ ladder: {{ rates: [20], requests: 20 }} }}
""")
        done = self.run_tool("run", spec, "--out", "r")
        self.assertEqual(done.code, 3)
        systems = {s["name"]: s for s in self.summary("r")["systems"]}
        self.assertEqual(systems["here"]["steps"][0]["requests"]["good"], 20)
        self.assertEqual(systems["gone"]["steps"], [])


def command_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return "__warden"


if __name__ == "__main__":
    unittest.main()
