"""Memory: the most that a long run, and the report that is made of it, hold at once."""

import shutil

from . import clients, machine
from .figures import attempt
from .process import run
from .truth import Truth

TOKENS, STREAMS, EVENTS_PER_SEND = 500, 256, 16  # several events per send: fast enough to be repeated


def _peak(ran):
    if ran.code < 0 or ran.code == 3:
        raise RuntimeError(f"it ended with {ran.code}: {ran.err.strip()[-300:]}")
    return {"peak_mib": ran.peak_rss_mib, "cpu_s": ran.cpu_s}


def _run(folder, requests):
    shutil.rmtree(folder, ignore_errors=True)
    with Truth(TOKENS, ttft_ms=0, interval_ms=0, events_per_send=EVENTS_PER_SEND, log=False) as truth:
        command = clients.evenbench_command(truth, folder, clients.closed_load(STREAMS, requests))
        ran = run(machine.on_client_core(command), clients.TIMEOUT)
    return {**_peak(ran), "run_file_mib": (folder / "run.sqlite").stat().st_size / 2**20,
            "summary_kib": (folder / "summary.json").stat().st_size / 1024}


def measure(say, quick):
    rows = []
    folder = machine.WORK / "run"
    for requests in (2_000, 4_000) if quick else (20_000, 200_000):
        say(f"memory: {requests} requests of {TOKENS} tokens")
        rows.append(attempt({"what": "the run", "requests": requests}, lambda: _run(folder, requests)))
        report = machine.on_client_core([machine.EVENBENCH, "report", folder])
        rows.append(attempt({"what": "evenbench report", "requests": requests}, lambda: _peak(run(report, clients.TIMEOUT))))
        shutil.rmtree(folder, ignore_errors=True)
    return rows
