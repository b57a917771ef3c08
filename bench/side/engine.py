"""A real engine: vLLM on this machine's CPU, its streams read at normal priority and with --realtime, alone and beside processes
that want the client's core. Nobody knows the truth here: what is compared is what the client saw of itself, and whether what
it printed comes only from reads that can carry it."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

from . import clients, machine
from .competitors import competitors
from .figures import attempt

INSTALLER = "tools/engines/vllm_cpu.sh"
MODEL, TOKENS, STREAMS = "tiny", 64, (1, 8)
COMPETITORS = 4
READY_S, GOODBYE_S = 180, 30
CASES = (("alone", False), ("beside busy processes", True))
MODES = (("normal priority", ()), ("--realtime", ("--realtime",)))


def launcher():
    """The launch file that the installer writes; None where vLLM is not installed."""
    engines = pathlib.Path(os.environ.get("EVENBENCH_ENGINES", machine.ROOT / "build/engines"))
    file = engines / "vllm" / f"launch-{MODEL}.sh"
    return file if file.exists() else None


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_ready(url, process):
    until = time.monotonic() + READY_S
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"vLLM ended with {process.returncode} before it was ready")
        with contextlib.suppress(urllib.error.URLError, OSError):
            with urllib.request.urlopen(f"{url}/health", timeout=2):
                return
        time.sleep(0.5)
    raise RuntimeError(f"vLLM was not ready in {READY_S} s")


@contextlib.contextmanager
def _vllm():
    """The real server; gives its address."""
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    with open(machine.WORK / "vllm.log", "w") as log:
        process = subprocess.Popen([launcher(), str(port)], stdout=log, stderr=log, start_new_session=True)
    try:
        _wait_until_ready(url, process)
        yield url
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.terminate()
            process.wait(GOODBYE_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _pairs(load):
    """(pairs of events that follow one another in a stream, those of them that were both read alone)."""
    total = alone = 0
    for stream in load.record.streams():
        merged = [of_several for _, _, of_several in stream["events"]]
        total += max(len(merged) - 1, 0)
        alone += sum(not (a or b) for a, b in zip(merged, merged[1:]))
    return total, alone


def _row(url, streams, requests, extra):
    server = clients.Server(url, TOKENS, MODEL)
    load = clients.evenbench(server, clients.closed_load(streams, requests), ("--ignore-eos", *extra), favoured=False)
    step = load.summary
    client, (pairs, alone) = step["client"], _pairs(load)
    return {"good": step["requests"]["good"], "reads": load.reads, "merged_reads": load.merged_reads,
            "merged_read_share": load.merged_reads / load.reads, "pairs": pairs, "pairs_alone": alone,
            "gaps": step["chunk_gap_ms"]["count"], "gap_p50_ms": step["chunk_gap_ms"]["p50"],
            "gap_p99_ms": step["chunk_gap_ms"]["p99"], "delay_p50_us": _us(client["kernel_to_user_p50_ms"]),
            "delay_p99_us": _us(client["kernel_to_user_p99_ms"]), "waited": client["run_queue_wait_share"],
            "realtime": step["realtime"], "label": step["label"], "reasons": "; ".join(step["reasons"])}


def _us(milliseconds):
    return None if milliseconds is None else milliseconds * 1e3


def measure(say, quick, rounds):
    """No row where vLLM is not installed."""
    if launcher() is None:
        return []
    machine.WORK.mkdir(parents=True, exist_ok=True)
    requests, rows = (16 if quick else 96), []
    say("engine: vLLM starts")
    try:
        with _vllm() as url:
            attempt({}, lambda: _row(url, max(STREAMS), requests, ()))  # what is slow the first time
            for number in range(rounds):
                for streams, (case, busy), (mode, extra) in ((s, c, m) for s in STREAMS for c in CASES for m in MODES):
                    say(f"engine: vLLM, {streams} streams, {case}, {mode}, round {number + 1} of {rounds}")
                    with competitors(COMPETITORS if busy else 0):
                        rows.append(attempt({"streams": streams, "case": case, "client": mode},
                                            lambda: _row(url, streams, requests, extra)))
    except RuntimeError as trouble:
        rows.append({"streams": 0, "case": "start", "client": "vLLM", "trouble": str(trouble)})
    return rows
