"""What the client needs of its machine: CPUs and a priority that it may not have."""

import os
import unittest

from harness import Case

NO_REALTIME = ["prlimit", "--rtprio=0:0", *(["setpriv", "--bounding-set=-sys_nice"] if os.geteuid() == 0 else [])]
SPEC = """evenbench: 1
systems: [ { name: a, engine: openai, attach: { url: URL } } ]
workload: { lengths: { input: 10, output: 4 } }
load: { ladder: { rates: [20, 40], measure: 1s } }
"""
ABSENT_CPU = 1023


class Client(Case):
    def attached(self, client):
        url, _ = self.simulated()
        return self.spec(SPEC.replace("URL", f"'{url}'") + f"client: {client}\n")

    def test_a_real_time_priority_that_is_refused_is_told_once_and_the_run_goes_on(self):
        spec = self.attached("{ realtime: true }")
        done = self.run_argv([*NO_REALTIME, *self.command("run", spec, "--out", "r")])
        self.assertIn(done.code, (0, 4), done.err)
        summary = self.summary("r")
        self.assertEqual(len(summary["systems"][0]["steps"]), 2)
        told = [f for f in summary["findings"] if f["code"] == "realtime_refused"]
        self.assertEqual([f["scope"] for f in told], ["run"])

    def test_a_cpu_that_may_not_be_used_ends_a_run_before_anything_is_sent(self):
        spec = self.attached(f"{{ cpus: '{ABSENT_CPU}' }}")
        done = self.run_tool("run", spec, "--out", "r")
        self.assertEqual(done.code, 3, done.err)
        self.assertIn(f"names CPU {ABSENT_CPU}", done.err)
        self.assertFalse((self.dir / "r").exists())

    def test_check_warns_of_it_for_the_plan_may_be_meant_for_another_machine(self):
        spec = self.attached(f"{{ cpus: '{ABSENT_CPU}' }}")
        done = self.run_tool("check", spec)
        self.assertEqual(done.code, 0, done.err)
        self.assertIn(f"warning: client.cpus names CPU {ABSENT_CPU}", done.out)


if __name__ == "__main__":
    unittest.main()
