"""Memory: the most that a long run, and the report that is made of it, hold at once."""

import shutil

from . import clients, machine
from .process import run
from .truth import Truth

TOKENS, STREAMS, EVENTS_PER_SEND = 500, 256, 16  # several events per send: fast enough to be repeated


def _row(what, ran, requests, extra=None):
    return {"what": what, "requests": requests, "peak_mib": ran.peak_rss_mib, "cpu_s": ran.cpu_s, **(extra or {})}


def measure(say, quick):
    rows = []
    for requests in (2_000, 4_000) if quick else (20_000, 200_000):
        say(f"memory: {requests} requests of {TOKENS} tokens")
        folder = machine.WORK / "run"
        shutil.rmtree(folder, ignore_errors=True)
        with Truth(TOKENS, ttft_ms=0, interval_ms=0, events_per_send=EVENTS_PER_SEND, log=False) as truth:
            command = clients.evenbench_command(truth, folder, ["--concurrency", STREAMS, "--requests", requests])
            ran = run(machine.on_client_core(command), clients.TIMEOUT)
        size = (folder / "run.sqlite").stat().st_size / 2**20
        summary = (folder / "summary.json").stat().st_size / 1024
        rows.append(_row("the run", ran, requests, {"run_file_mib": size, "summary_kib": summary}))
        again = run(machine.on_client_core([machine.EVENBENCH, "report", folder]), clients.TIMEOUT)
        rows.append(_row("evenbench report", again, requests))
        shutil.rmtree(folder)
    return rows
