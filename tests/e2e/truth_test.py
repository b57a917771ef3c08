"""What the program reports, held against a server that wrote down when it sent."""

import math
import unittest

from harness import Case


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


class Truth(Case):
    def test_two_hundred_requests_a_second_are_sent_and_timed_as_the_server_saw_them(self):
        url, stopped = self.truth("--ttft", 50, "--interval", 10, "--tokens", 20)
        done = self.run_tool("quick", url, "--rate", 200, "--arrivals", "constant", "--duration", 10,
                             "--output-tokens", 20, "--input-tokens", 32, "--out", "r", "--json")
        self.assertIn(done.code, (0, 4), done.err)  # 4: this machine was too slow to publish from
        step = self.steps("r")[0]
        self.assertEqual(step["requests"]["planned"], 2000)
        self.assertEqual(step["requests"]["good"], 2000)
        self.assertEqual(step["requests"]["failed"], 0)
        self.assertAlmostEqual(step["sent_rate"], 200, delta=2)
        self.assertEqual(step["output_tokens"]["total"], 40000)
        log = stopped()
        generated = [r for r in log if r.get("writes_ns")]
        self.assertGreaterEqual(len(generated), 2001)  # the probe too
        truth = [(r["writes_ns"][0] - r["arrived_ns"]) / 1e6 for r in generated]
        self.assertAlmostEqual(step["ttft_service_ms"]["p50"], median(truth), delta=1.0)
        self.assertGreaterEqual(step["ttft_service_ms"]["min"], min(truth))

    def test_a_stall_of_the_server_is_paid_by_every_request_planned_in_it(self):
        url, _ = self.truth("--ttft", 1, "--interval", 1, "--tokens", 2, "--stall-at", 4, "--stall-for", 2)
        done = self.run_tool("quick", url, "--rate", 50, "--arrivals", "constant", "--duration", 10,
                             "--output-tokens", 2, "--input-tokens", 16, "--out", "r", "--no-probe",
                             "--model", "truth")
        self.assertIn(done.code, (0, 4), done.err)
        step = self.steps("r")[0]
        self.assertEqual(step["requests"]["good"], 500)
        import sqlite3
        db = sqlite3.connect(self.dir / "r" / "run.sqlite")
        waits = [w / 1e6 for (w,) in db.execute(
            "SELECT first_token_ns - planned_ns FROM request WHERE phase = 'measure' ORDER BY planned_ns")]
        db.close()
        stalled = [w for w in waits if w > 100]
        self.assertAlmostEqual(len(stalled), 95, delta=4)  # 100, less the five that waited less than 100 ms
        self.assertAlmostEqual(max(stalled), 2000, delta=60)
        # It falls evenly: 20 ms less from one request to the next.
        falls = [a - b for a, b in zip(stalled, stalled[1:])]
        self.assertAlmostEqual(sum(falls) / len(falls), 20, delta=1)
        self.assertTrue(all(math.isclose(w, stalled[0] - 20 * i, abs_tol=80) for i, w in enumerate(stalled)))


if __name__ == "__main__":
    unittest.main()
