"""Cost: CPU of each client at one load, and events per CPU-second as fast as the server sends."""

from . import clients
from .figures import attempt
from .truth import Truth

# (case, events per send). Answers of 500 tokens on 64 streams, without delays.
FLAT = (("flat out, 1 event per send", 1), ("flat out, 16 events per send", 16))
PACED = "1000 streams, 50 k tokens/s"


def _row(ran, truth):
    begin, end = truth.window()
    seconds = (end - begin) / 1e9
    events = sum(r["tokens"] for r in truth.requests())
    cpu_s = ran.cpu_s_between(begin, end)
    return {"requests": len(truth.requests()), "held": truth.most_held(),
            "events_per_s": events / seconds, "cpu_s": cpu_s, "cores": cpu_s / seconds,
            "events_per_cpu_s": events / cpu_s if cpu_s > 0 else None, "whole_process_cpu_s": ran.cpu_s,
            "server_late_p99_us": truth.report["late_us"]["p99"]}


def _ours(client, server, streams, requests):
    with Truth(**server) as truth:
        load = clients.closed(client, truth, streams, requests)
    row = _row(load.ran, truth)
    row["events_per_read"] = sum(r["tokens"] for r in truth.requests()) / load.reads
    row["own_cpu_s"] = load.summary.get("cpu_s", load.summary.get("worker_cpu_s"))
    return row


def _peer(peer, server, streams, requests):
    with Truth(**server) as truth:
        ran = peer.run("closed", truth.url, truth.tokens, streams=streams, requests=requests)
    if not truth.requests():
        raise RuntimeError((ran.err or ran.out).strip()[-300:] or f"it ended with {ran.code}")
    row = _row(ran, truth)
    if ran.code < 0:
        row["trouble"] = "was stopped: it did not end in time"
    try:
        row["ttft_p50_ms"], row["ttft_p99_ms"] = peer.ttft_ms()
    except (OSError, ValueError, KeyError, TypeError) as trouble:
        row.setdefault("trouble", f"its report could not be read: {type(trouble).__name__}")
    row["true_ttft_p50_ms"], row["true_ttft_p99_ms"] = truth.ttft_quantiles_ms()
    return row


def measure(say, quick, rounds, peers):
    """Rows of every round, clients in turn. The slow peers have fewer requests, and one round."""
    rows = []
    cases = [(PACED, dict(tokens=100), 1000, 2000 if quick else 4000)]
    for case, events in FLAT:
        requests = (1000 if quick else 3000) * (3 if events > 1 else 1)
        cases.append((case, dict(tokens=500, ttft_ms=0, interval_ms=0, events_per_send=events), 64, requests))
    for case, server, streams, requests in cases:
        for number in range(rounds):
            for client in ("limit", "evenbench"):
                say(f"cost: {case}: {client}, round {number + 1} of {rounds}")
                rows.append(attempt({"case": case, "client": client}, lambda: _ours(client, server, streams, requests)))
            for peer in peers:
                if peer.name != "vllm-bench" and number > 0:
                    continue
                few = requests if peer.name == "vllm-bench" or case == PACED else min(requests, 300)
                say(f"cost: {case}: {peer.name}, round {number + 1} of {rounds}")
                rows.append(attempt({"case": case, "client": peer.name}, lambda: _peer(peer, server, streams, few)))
    return rows
