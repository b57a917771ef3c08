"""`calibrate`, and what `check` and `run` make of its result. What this machine can do is not judged here, only whether what is
said about it fits together."""

import json
import signal
import time
import unittest

from harness import Case, processes_with, wait_for

QUANTITIES = ("streams", "token_rate", "request_rate")

SPEC = """evenbench: 1
systems:
  - {{ name: a, engine: openai, attach: {{ url: {url} }} }}
client: {{ workers: {workers} }}
workload: {{ lengths: {{ input: 8, output: 4 }} }}
load: {{ {load} }}
"""


class Calibrate(Case):
    def setUp(self):
        super().setUp()
        self.env = {"XDG_STATE_HOME": str(self.dir / "state"), "TMPDIR": str(self.dir / "tmp")}
        (self.dir / "tmp").mkdir()
        self.file = self.dir / "state" / "evenbench" / "calibration.json"

    def tool(self, *args, **more):
        return self.run_tool(*args, env=self.env, **more)

    def plan(self, load, workers="1", url="http://127.0.0.1:9"):
        return self.spec(SPEC.format(load=load, workers=workers, url=url))

    def store(self, **limits):
        """A calibration of this machine with limits of our choice: the stored one, changed."""
        known = json.loads(self.file.read_text())
        for name, holds in limits.items():
            known["limits"][name] |= {"holds": holds, "fails_at": None, "limited_by": "bound", "why": ""}
        self.file.write_text(json.dumps(known))

    def calibrated(self):
        done = self.tool("calibrate", "--quick", "--json", "--duration", 6)
        self.assertEqual(done.code, 0, done.err)
        return done

    def test_a_quick_calibration_is_stored_as_it_is_printed_and_fits_together(self):
        started = time.monotonic()
        done = self.tool("calibrate", "--quick", "--json")
        self.assertEqual(done.code, 0, done.err)
        self.assertLess(time.monotonic() - started, 60)  # 15 s where processes start and files close at once
        found = json.loads(done.out)
        self.assertEqual(found, json.loads(self.file.read_text()))
        self.assertEqual(found["workers"], 1)
        self.assertEqual(set(found["limits"]), set(QUANTITIES))
        for name, limit in found["limits"].items():
            self.assertGreaterEqual(limit["holds"], 0, name)
            self.assertIn(limit["limited_by"], ("client", "server", "bound", "time"))
            self.assertEqual(limit["fails_at"] is None, limit["why"] == "")
            if limit["fails_at"] is not None:
                self.assertGreater(limit["fails_at"], limit["holds"])
            if limit["limited_by"] == "bound":
                self.assertIsNone(limit["fails_at"])
        self.assertLessEqual(found["limits"]["streams"]["holds"], 4096)
        self.assertRegex(done.err, r"\d+ streams: .*p99 late: tokens")  # trial by trial
        self.assertEqual(list((self.dir / "tmp").iterdir()), [])
        self.assertEqual(list(self.file.parent.iterdir()), [self.file])

    def test_check_and_run_warn_of_a_plan_beyond_it_and_auto_takes_the_workers_it_needs(self):
        self.calibrated()
        self.store(streams=100, token_rate=1000, request_rate=40)
        huge = self.plan("closed: { concurrency: [100000], measure: 5s }")
        done = self.tool("check", huge)
        self.assertEqual(done.code, 0, done.err)
        self.assertRegex(done.out, r"beyond_calibration: .*100000 streams.*150000 streams.* 100 streams")
        self.assertNotIn("requests/s", done.out)
        small = self.plan("closed: { concurrency: [60], measure: 5s }")
        self.assertNotIn("beyond_calibration", self.tool("check", small).out)
        automatic = self.plan("closed: { concurrency: [60], measure: 5s }", "auto")
        self.assertIn("client: 1 worker (auto", self.tool("check", automatic).out)
        url, _ = self.truth("--ttft", 1, "--interval", 1, "--tokens", 4)
        done = self.tool("run", self.plan("ladder: { rates: [50], measure: 1s }", "auto", url), "--out", "r", "--json")
        self.assertIn(done.code, (0, 4), done.err)
        self.assertIn("beyond_calibration: the plan asks for 50 requests/s", done.err[: done.err.index("sent")])  # before the load
        summary = json.loads(done.out)
        self.assertTrue([f for f in summary["findings"] if f["code"] == "beyond_calibration"])
        (workers,) = [f for f in summary["host"] if f["key"] == "client_workers"]
        self.assertGreaterEqual(int(workers["value"]), 1)
        self.assertIn("auto", workers["source"])

    def test_without_a_calibration_of_this_machine_one_line_says_so(self):
        plan = self.plan("closed: { concurrency: [100000], measure: 5s }")
        done = self.tool("check", plan)
        self.assertEqual(done.code, 0, done.err)
        self.assertIn("evenbench calibrate has not been run", done.out)
        self.assertNotIn("warning", done.out)
        self.calibrated()
        known = json.loads(self.file.read_text())
        known["machine"]["kernel"] = "another"
        self.file.write_text(json.dumps(known))
        done = self.tool("check", plan)
        self.assertIn("another machine", done.out)
        self.assertNotIn("warning", done.out)

    def test_an_interrupt_ends_it_with_nothing_stored_and_nothing_left(self):
        process = self.start_tool("calibrate", env=self.env)
        wait_for(lambda: processes_with(str(self.dir / "tmp")), what="the null server")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertIn("interrupted", self.stderr())
        self.assertFalse(self.file.exists())
        self.assertEqual(processes_with(str(self.dir / "tmp")), [])
        self.assertEqual(list((self.dir / "tmp").iterdir()), [])

    def test_its_server_does_not_outlive_it(self):
        process = self.start_tool("calibrate", env=self.env)
        wait_for(lambda: processes_with(str(self.dir / "tmp")), what="the null server")
        process.kill()
        process.wait()
        wait_for(lambda: not processes_with(str(self.dir / "tmp")), what="the end of the null server")

    def test_what_cannot_be_asked_for_is_refused(self):
        for args, said in ((("--workers", "0"), "--workers"), (("--duration", "1"), "--duration")):
            done = self.tool("calibrate", *args)
            self.assertEqual(done.code, 2, done.err)
            self.assertIn(said, done.err)
        done = self.run_tool("calibrate", "--quick", env={"XDG_STATE_HOME": "relative", "HOME": ""})
        self.assertEqual(done.code, 3)
        self.assertIn("XDG_STATE_HOME", done.err)


if __name__ == "__main__":
    unittest.main()
