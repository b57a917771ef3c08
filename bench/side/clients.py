"""Starts the limit client and evenbench against a truth server and reads what each wrote down."""

import json
import shutil
import struct
import typing

from . import machine
from .figures import quantile
from .process import run
from .run_file import RunFile

TIMEOUT = 900
MAX_IN_FLIGHT = 2000


class LimitLog:
    """The binary log of limit_client (bench/limit_client.cc)."""

    def __init__(self, path):
        data = path.read_bytes()
        if data[:8] != b"EVLIMIT1":
            raise ValueError("not a log of limit_client")
        self._requests, self._count = struct.unpack_from("<QQ", data, 8)
        self._data = data

    def requests(self):
        at = struct.iter_unpack("<qq", self._data[24:24 + 16 * self._requests])
        for number, (planned, sent) in enumerate(at):
            yield {"id": f"limit-{number:08}", "planned": planned, "sent": sent}

    def streams(self):
        sent = [r["sent"] for r in self.requests()]
        events = [[] for _ in sent]
        for request, merged, user, kernel in struct.iter_unpack("<IIqq", self._data[24 + 16 * self._requests:]):
            events[request].append((user, kernel or None, bool(merged)))
        for number, of_one in enumerate(events):
            yield {"id": f"limit-{number:08}", "sent": sent[number], "events": of_one}


class Load:
    """What one client did: `ran`, its own record and what it says of its reads. `summary`: evenbench's step, else {}."""

    def __init__(self, client, ran, record, reads, merged_reads, summary=None):
        self.client, self.ran, self.record = client, ran, record
        self.reads, self.merged_reads = reads, merged_reads
        self.summary = summary or {}

    def lateness_us(self):
        late = [(r["sent"] - r["planned"]) / 1e3 for r in self.record.requests() if r["sent"] is not None]
        return quantile(late, 0.5), quantile(late, 0.99)

    def sent_rate(self):
        """(requests per second from the first to the last, planned but not sent)."""
        requests = list(self.record.requests())
        sent = sorted(r["sent"] for r in requests if r["sent"] is not None)
        rate = (len(sent) - 1) / ((sent[-1] - sent[0]) / 1e9) if len(sent) > 1 else None
        return rate, len(requests) - len(sent)


def _fail(client, ran):
    raise RuntimeError(f"{client} ended with {ran.code}: {(ran.err or ran.out).strip()[-500:]}")


def limit(truth, streams, requests, rate=None, favoured=True):
    log = machine.WORK / "limit.bin"
    command = [machine.LIMIT, "--port", truth.port, "--connections", streams, "--requests", requests,
               "--tokens", truth.tokens, "--log", log]
    if rate:
        command += ["--rate", rate]
    ran = run(machine.on_client_core(command, favoured), TIMEOUT)
    if ran.code != 0:
        _fail("limit_client", ran)
    own = json.loads(ran.out)
    return Load("limit", ran, LimitLog(log), own["reads"], own["merged_reads"], {"cpu_s": own["cpu_s"]})


class Server(typing.NamedTuple):
    """Where to send, and how many tokens to ask for, of what; a Truth will do as well."""

    url: str
    tokens: int
    model: str = "truth"


def closed_load(streams, requests):
    return ["--concurrency", streams, "--requests", requests]


def open_load(rate, seconds, arrivals="constant"):
    # The bound is never reached; without it evenbench makes sure of as many open files as there are requests.
    return ["--rate", rate, "--arrivals", arrivals, "--duration", seconds, "--max-in-flight", MAX_IN_FLIGHT]


def evenbench_command(server, folder, load, extra=(), workers=1):
    return [machine.EVENBENCH, "quick", server.url, "--no-probe", "--model", server.model, "--workers", workers, *load,
            "--output-tokens", server.tokens, "--input-tokens", 8, "--out", folder, "--json", "--quiet", *extra]


def closed(client, truth, streams, requests):
    """`client`: limit or evenbench."""
    return limit(truth, streams, requests) if client == "limit" else evenbench(truth, closed_load(streams, requests))


def evenbench(server, load, extra=(), favoured=True, workers=1):
    folder = machine.WORK / "run"
    shutil.rmtree(folder, ignore_errors=True)
    command = evenbench_command(server, folder, load, extra, workers)
    ran = run(machine.on_client_core(command, favoured), TIMEOUT)
    systems = json.loads(ran.out)["systems"] if ran.out.startswith("{") else []
    if not systems:
        _fail("evenbench", ran)
    record = RunFile(folder / "run.sqlite")
    sums = record.sums()
    step = systems[0]["steps"][0]
    step["worker_cpu_s"], step["realtime"] = sums["worker_cpu_s"], sums["realtime"]
    return Load("evenbench", ran, record, sums["reads"], sums["merged_reads"], step)
