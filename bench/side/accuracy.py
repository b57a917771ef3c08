"""Accuracy: every instant that a client stored, against the server's own write times."""

from . import clients
from .figures import attempt, quantile
from .truth import Truth

# streams -> (interval in ms, requests and tokens, the same in the quick form). Never more than 50 k tokens/s: above, the
# server has no core left to know the truth with.
CASES = {
    1: (20, (20, 100), (2, 100)),
    100: (20, (400, 100), (200, 100)),
    500: (20, (1500, 100), (500, 100)),
    1000: (20, (3000, 100), (1000, 100)),
    4000: (80, (8000, 50), (4000, 25)),
}


def _errors(load, truth):
    """Microseconds, positive: later than the truth. Token instants of reads that held one event; TTFT of all requests."""
    wrote = {r["id"]: r for r in truth.requests()}
    out = {"user": [], "kernel": [], "ttft_user": [], "ttft_kernel": []}
    alone = events_in_all = 0
    for stream in load.record.streams():
        truly, events = wrote.get(stream["id"]), stream["events"]
        if truly is None or len(events) != len(truly["writes_ns"]):
            raise RuntimeError(f"{load.client}: request {stream['id']} has {len(events)} events, which is not what was sent")
        true_ttft = truly["received_ns"] and truly["writes_ns"][0] - truly["received_ns"]
        for stamp, of_kernel in (("user", 0), ("kernel", 1)):
            first = events[0][of_kernel]
            if first is not None and true_ttft is not None:
                out["ttft_" + stamp].append((first - stream["sent"] - true_ttft) / 1e3)
        events_in_all += len(events)
        for (user, kernel, merged), write in zip(events, truly["writes_ns"]):
            if merged:
                continue
            alone += 1
            out["user"].append((user - write) / 1e3)
            if kernel is not None:
                out["kernel"].append((kernel - write) / 1e3)
    return out, 1 - alone / events_in_all


def _row(load, truth):
    errors, merged_events = _errors(load, truth)
    row = {"held": truth.most_held(), "merged_event_share": merged_events,
           "merged_read_share": load.merged_reads / load.reads, "server_late_p99_us": truth.report["late_us"]["p99"]}
    for name, samples in errors.items():
        row[f"{name}_p50_us"], row[f"{name}_p99_us"] = quantile(samples, 0.5), quantile(samples, 0.99)
        row[f"{name}_abs_p99_us"] = quantile([abs(s) for s in samples], 0.99)
    row["label"] = load.summary.get("label")
    row["reasons"] = "; ".join(load.summary.get("reasons", []))
    return row


def _ours(client, streams, requests, tokens, interval):
    with Truth(tokens, interval_ms=interval) as truth:
        load = clients.closed(client, truth, streams, requests)
    return _row(load, truth)


def measure(say, quick, rounds):
    rows = []
    for streams, (interval, full, short) in CASES.items():
        requests, tokens = short if quick else full
        for number in range(rounds):
            for client in ("limit", "evenbench"):
                say(f"accuracy: {streams} streams: {client}, round {number + 1} of {rounds}")
                rows.append(attempt({"streams": streams, "client": client},
                                    lambda: _ours(client, streams, requests, tokens, interval)))
    return rows
