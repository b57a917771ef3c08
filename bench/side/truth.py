"""The server that knows when it really sent, and its log."""

import json
import os
import signal
import subprocess

from . import machine
from .figures import quantile


def begin_of(request):
    """When the kernel had it; where that was not stamped, when the server had read it."""
    return request["received_ns"] or request["arrival_ns"]


class Truth:
    """One truth server for one client. After the `with` block: `report`, and `requests()` if a log was asked for."""

    model = "truth"

    def __init__(self, tokens, ttft_ms=50.0, interval_ms=20.0, events_per_send=1, log=True):
        machine.WORK.mkdir(parents=True, exist_ok=True)
        self.tokens = tokens
        self._log = machine.WORK / "truth.jsonl" if log else None
        options = ["--port", 0, "--tokens", tokens, "--ttft", ttft_ms, "--interval", interval_ms,
                   "--events-per-send", events_per_send]
        if log:
            options += ["--log", self._log]
        self._command = machine.on_server_core([machine.TRUTH, *options])
        self._requests = None
        self.report = {}

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        self.port = int(self._process.stdout.readline().split()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_):
        self._process.send_signal(signal.SIGTERM)
        self.report = json.loads(self._process.stdout.read().splitlines()[-1])
        self._process.wait()
        self._process.stdout.close()
        if self._log:
            with open(self._log) as lines:
                self._requests = [json.loads(line) for line in lines]
            os.unlink(self._log)

    def requests(self):
        """Those that were answered to their end."""
        return [r for r in self._requests if r["done"]]

    def window(self):
        """First request to last write, nanoseconds."""
        done = self.requests()
        return min(begin_of(r) for r in done), max(r["writes_ns"][-1] for r in done)

    def most_held(self):
        """Streams open at once."""
        edges = []
        for r in self.requests():
            edges += [(begin_of(r), 1), (r["writes_ns"][-1], -1)]
        held = most = 0
        for _, change in sorted(edges):
            held += change
            most = max(most, held)
        return most

    def rate(self):
        """Requests per second between the first and the last."""
        instants = sorted(begin_of(r) for r in self.requests())
        return (len(instants) - 1) / ((instants[-1] - instants[0]) / 1e9) if len(instants) > 1 else None

    def ttft_quantiles_ms(self):
        """True (p50, p99): from the kernel's receipt of the request to the first write."""
        ms = [(r["writes_ns"][0] - r["received_ns"]) / 1e6 for r in self.requests() if r["received_ns"]]
        return quantile(ms, 0.5), quantile(ms, 0.99)
