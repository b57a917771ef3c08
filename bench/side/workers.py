"""Workers: one sending thread or two must give the same figures. Against a simulated engine, whose batches make its times
spread as a real one's do; same seed, so the same plan and the same engine."""

import contextlib
import signal
import subprocess

from . import clients, machine
from .figures import attempt, quantile, quantile_interval

RATE, QUANTILES = 20, (0.5, 0.9, 0.99)


@contextlib.contextmanager
def _engine():
    """A simulated vLLM on the server's core; gives its address."""
    command = machine.on_server_core([machine.EVENBENCH, "simulate", "--profile", "vllm", "--port", 0, "--seed", 1,
                                      "--model", "truth"])
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        process.stdout.close()


def _figures(load):
    """Milliseconds of every request, by metric."""
    out = {"TTFT": [], "TPOT": [], "E2E": []}
    for stream in load.record.streams():
        instants = [user for user, _, _ in stream["events"]]
        out["TTFT"].append((instants[0] - stream["sent"]) / 1e6)
        out["E2E"].append((instants[-1] - stream["sent"]) / 1e6)
        if len(instants) > 1:
            out["TPOT"].append((instants[-1] - instants[0]) / 1e6 / (len(instants) - 1))
    return out


def _load(seconds, workers):
    with _engine() as url:
        load = clients.evenbench(clients.Server(url, 100), clients.open_load(RATE, seconds, "poisson"), workers=workers)
    figures = _figures(load)
    if not figures["TTFT"]:
        raise RuntimeError(f"no request was answered: {'; '.join(load.summary.get('reasons', []))}")
    return figures


def _rows(seconds):
    one, two = _load(seconds, 1), _load(seconds, 2)
    for metric, q in ((m, q) for m in one for q in QUANTILES):
        low, high = quantile_interval(one[metric], q)
        yield {"figure": f"{metric} p{q * 100:.0f}", "requests": len(one[metric]), "one_ms": quantile(one[metric], q),
               "low_ms": low, "high_ms": high, "two_ms": quantile(two[metric], q)}


def measure(say, quick):
    seconds = 10 if quick else 120
    say(f"workers: one, then two, {seconds} s each")
    found = attempt({"figure": "all"}, lambda: {"rows": list(_rows(seconds))})
    return found.get("rows", [found])
