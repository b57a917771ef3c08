"""Schedule: what was sent when, against the plan; alone, beside a busy process on the client's core, and with --realtime."""

from . import clients
from .competitors import competitors
from .figures import attempt
from .truth import Truth

RATES = (500, 2000, 5000)
COMPETED_RATE, PEER_RATE = 500, 2000
TOKENS, TTFT_MS, INTERVAL_MS = 4, 5, 1
CONNECTIONS = 400  # of the limit client, opened ahead: about ten times what 5000 requests/s hold open


def _server():
    return Truth(TOKENS, ttft_ms=TTFT_MS, interval_ms=INTERVAL_MS)


def _row(load, truth):
    sent_rate, dropped = load.sent_rate()
    p50, p99 = load.lateness_us()
    reasons = load.summary.get("reasons", [])
    return {"sent_rate": sent_rate, "server_rate": truth.rate(),
            "dropped": dropped, "late_p50_us": p50, "late_p99_us": p99, "label": load.summary.get("label"),
            "reasons": "; ".join(reasons), "realtime": load.summary.get("realtime")}


def _ours(case, client, rate, seconds, busy=False, extra=()):
    identity = {"case": case, "rate": rate, "client": client}
    return attempt(identity, lambda: _run(client, rate, seconds, busy, extra))


def _run(client, rate, seconds, busy, extra):
    with _server() as truth, competitors(1 if busy else 0):
        if client == "limit":
            load = clients.limit(truth, CONNECTIONS, int(rate * seconds), rate=rate, favoured=not busy)
        else:
            load = clients.evenbench(truth, clients.open_load(rate, seconds), extra, favoured=not busy)
    return _row(load, truth)


def _peer(peer, seconds):
    with _server() as truth:
        ran = peer.run("open", truth.url, TOKENS, rate=PEER_RATE, seconds=seconds)
    if not truth.requests():
        raise RuntimeError((ran.err or ran.out).strip()[-300:] or f"it ended with {ran.code}")
    row = {"server_rate": truth.rate()}
    if ran.code < 0:
        row["trouble"] = "was stopped: it did not end in time"
    return row


def measure(say, quick, rounds, peers):
    rows = []
    seconds = 3 if quick else 20
    for rate in RATES:
        for number in range(rounds):
            for client in ("limit", "evenbench"):
                say(f"schedule: {rate} requests/s: {client}, round {number + 1} of {rounds}")
                rows.append(_ours("alone", client, rate, seconds))
    for peer in peers:
        say(f"schedule: {PEER_RATE} requests/s: {peer.name}")
        identity = {"case": "alone", "rate": PEER_RATE, "client": peer.name}
        rows.append(attempt(identity, lambda: _peer(peer, 3 if quick else 10)))
    for number in range(rounds):
        say(f"schedule: beside a busy process, round {number + 1} of {rounds}")
        for case, client, extra in (("beside a busy process", "limit", ()), ("beside a busy process", "evenbench", ()),
                                    ("beside a busy process, --realtime", "evenbench", ("--realtime",))):
            rows.append(_ours(case, client, COMPETED_RATE, seconds, busy=True, extra=extra))
        rows.append(_ours("alone, --realtime", "evenbench", COMPETED_RATE, seconds, extra=("--realtime",)))
    return rows
