"""What the program reports, held against a server that wrote down when it sent."""

import math
import sqlite3
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
        if done.code == 0:
            self.assertAlmostEqual(step["sent_rate"], 200, delta=2)
        else:
            self.assertTrue(step["reasons"], "not publishable, and no reason is given")
        self.assertEqual(step["output_tokens"]["total"], 40000)
        # Both sides read CLOCK_MONOTONIC, so each first token can be held against its own write.
        writes = sorted(r["writes_ns"][0] for r in stopped() if r["writes_ns"])[1:]  # the first is the probe's
        db = sqlite3.connect(self.dir / "r" / "run.sqlite")
        (anchor,) = db.execute("SELECT anchor_monotonic_ns FROM run").fetchone()
        rows = db.execute("SELECT planned_ns, first_token_ns FROM request "
                          "WHERE first_token_ns IS NOT NULL ORDER BY sent_ns").fetchall()
        db.close()
        self.assertGreaterEqual(len(rows), 2000)
        truth = [(w - anchor - planned) / 1e6 for w, (planned, _) in zip(writes, rows)]
        self.assertAlmostEqual(step["ttft_ms"]["p50"], median(truth[:2000]), delta=1.0)
        self.assertAlmostEqual(step["ttft_ms"]["p50"], 50, delta=2.0)
        # No first token can have been seen before it was written; both sides in order of time.
        firsts = sorted(first + anchor for _, first in rows)
        self.assertGreater(min(first - w for first, w in zip(firsts, writes)), 0)

    def test_a_stall_of_the_server_is_paid_by_every_request_planned_in_it(self):
        url, _ = self.truth("--ttft", 1, "--interval", 1, "--tokens", 2, "--stall-at", 4, "--stall-for", 2)
        done = self.run_tool("quick", url, "--rate", 50, "--arrivals", "constant", "--duration", 10,
                             "--output-tokens", 2, "--input-tokens", 16, "--out", "r", "--no-probe",
                             "--model", "truth")
        self.assertIn(done.code, (0, 4), done.err)
        step = self.steps("r")[0]
        self.assertEqual(step["requests"]["good"], 500)
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
