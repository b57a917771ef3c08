"""What evenbench says of itself, each figure held against its limit."""

from .accuracy import CASES
from .cost import FLAT, PACED
from .engine import CASES as ENGINE_CASES
from .engine import MODES, STREAMS
from .figures import find, ratio
from .schedule import COMPETED_RATE, RATES

FLAT_ONE, FLAT_SIXTEEN = (case for case, _ in FLAT)


class Claim:
    """`holds` is None where a figure is missing, so that nothing passes unmeasured."""

    def __init__(self, text, measured, holds):
        self.text, self.measured, self.holds = text, measured, holds

    @property
    def word(self):
        return {True: "PASS", False: "MISS", None: "not measured"}[self.holds]


def _most(text, value, limit, unit="", digits=2):
    shown = "" if value is None else f"{value:.{digits}f}{unit}"
    return Claim(text, shown, None if value is None else value <= limit)


def _least(text, value, limit, unit="", digits=2):
    shown = "" if value is None else f"{value:.{digits}f}{unit}"
    return Claim(text, shown, None if value is None else value >= limit)


def _value(rows, name, **wanted):
    return (find(rows, **wanted) or {}).get(name)


def _cost(rows):
    def of(case, client, name):
        return _value(rows, name, case=case, client=client)

    cores = {c: of(PACED, c, "cores") for c in ("limit", "evenbench", "vllm-bench")}
    yield _most("1000 streams: at most 1.5 × the CPU of the limit client", ratio(cores["evenbench"], cores["limit"]), 1.5, " ×")
    yield _most("1000 streams: at most 0.65 × the CPU of vllm-bench", ratio(cores["evenbench"], cores["vllm-bench"]), 0.65, " ×")
    one = {c: of(FLAT_ONE, c, "events_per_cpu_s") for c in cores}
    yield _least("flat out: at least 0.8 × the limit's events per CPU-second", ratio(one["evenbench"], one["limit"]), 0.8, " ×")
    yield _least("flat out: not behind vllm-bench", ratio(one["evenbench"], one["vllm-bench"]), 1.0, " ×")
    many = {c: of(FLAT_SIXTEEN, c, "events_per_cpu_s") for c in cores}
    own, share = many["evenbench"], ratio(many["evenbench"], many["limit"])
    enough = None if own is None or share is None else own >= 1.5e6 or share >= 0.45
    shown = "" if enough is None else f"{own / 1e6:.2f} M, {share:.2f} ×"
    yield Claim("16 events per send: at least 1.5 M events per CPU-second or 0.45 × the limit's", shown, enough)
    yield _least("16 events per send: at least 2 × vllm-bench", ratio(own, many["vllm-bench"]), 2.0, " ×")


def _ttft_error_of_peer(cost, peer):
    reported, true = (_value(cost, name, case=PACED, client=peer) for name in ("ttft_p99_ms", "true_ttft_p99_ms"))
    return None if reported is None or true is None else abs(reported - true) * 1e3


def _accuracy(rows, cost):
    def of(streams, client, name):
        return _value(rows, name, streams=streams, client=client)

    yield _most("kernel stamp at 1000 streams: p99 at most 100 µs, reads of one event",
                of(1000, "evenbench", "kernel_abs_p99_us"), 100, " µs", 1)
    for streams in CASES:
        share = ratio(of(streams, "evenbench", "user_abs_p99_us"), of(streams, "limit", "user_abs_p99_us"))
        yield _most(f"user stamp at {streams} streams: p99 within 1.5 × of the limit client's", share, 1.5, " ×")
    for stamp in ("kernel", "user"):
        share = ratio(_ttft_error_of_peer(cost, "vllm-bench"), of(1000, "evenbench", f"ttft_{stamp}_abs_p99_us"))
        yield _least(f"TTFT at 1000 streams, {stamp} stamp: p99 error at least 50 × smaller than vllm-bench's", share, 50, " ×", 0)


def _schedule(rows):
    def of(client, name, rate=COMPETED_RATE, case="alone"):
        return _value(rows, name, client=client, rate=rate, case=case)

    for rate in RATES:
        achieved, dropped = of("evenbench", "server_rate", rate), of("evenbench", "dropped", rate)
        off = None if achieved is None else abs(achieved / rate - 1) * 100
        yield _most(f"{rate} requests/s: the server saw the rate to 0.1 %", off, 0.1, " % off", 3)
        yield _most(f"{rate} requests/s: none dropped", dropped, 0, " dropped", 0)
        late, limit = of("evenbench", "late_p99_us", rate), of("limit", "late_p99_us", rate)
        holds = None if late is None or limit is None else late <= 1000 or late <= 1.5 * limit
        shown = "" if holds is None else f"{late:.0f} µs, limit {limit:.0f} µs"
        yield Claim(f"{rate} requests/s: lateness p99 at most 1 ms or 1.5 × the limit client's", shown, holds)
    busy, realtime = "beside a busy process", "beside a busy process, --realtime"
    reasons = of("evenbench", "reasons", case=busy)
    fired = None if reasons is None else "the client" in reasons
    yield Claim("a busy process on the client's core: an alarm fires", of("evenbench", "label", case=busy) or "",
                fired)
    late, narrowed = of("evenbench", "late_p99_us", case=busy), of("evenbench", "late_p99_us", case=realtime)
    narrower = None if late is None or narrowed is None else narrowed < late and of("evenbench", "realtime", case=realtime)
    yield Claim("--realtime narrows it, and the run says so", "" if narrower is None else f"p99 {late:.0f} → {narrowed:.0f} µs",
                narrower)


def _memory(rows, quick):
    if not rows:
        return
    most = max(r["requests"] for r in rows)
    for row in rows:
        if row["requests"] == most:
            yield _most(f"memory of {row['what']} at {most} requests of 500 tokens: below 400 MiB",
                        None if quick and most < 200_000 else row.get("peak_mib"), 400, " MiB", 0)


def _workers(rows):
    outside = [r["figure"] for r in rows if "two_ms" in r and not r["low_ms"] <= r["two_ms"] <= r["high_ms"]]
    measured = any("two_ms" in r for r in rows)
    yield Claim("two workers instead of one: no percentile leaves its interval", ", ".join(outside) or ("none" if measured else ""),
                not outside if measured else None)


def _engine(rows):
    ran = [r for r in rows if "gaps" in r]
    wrong = [f"{r['streams']} streams, {r['case']}, {r['client']}" for r in ran if r["gaps"] > r["pairs_alone"]]
    several = sum(r["merged_reads"] for r in ran)
    yield Claim("real vLLM: no gap between events comes from a read of several",
                f"{several:.0f} such reads; " + (", ".join(wrong) or "no gap of them") if ran else "", not wrong if ran else None)
    (normal, _), (realtime, _) = MODES
    for streams, (case, _) in ((s, c) for s in STREAMS for c in ENGINE_CASES):
        before, after = (find(ran, streams=streams, case=case, client=mode) for mode in (normal, realtime))
        holds = None if before is None or after is None else after["delay_p99_us"] < before["delay_p99_us"] and after["realtime"]
        shown = "" if holds is None else f"p99 {before['delay_p99_us']:.0f} → {after['delay_p99_us']:.0f} µs"
        yield Claim(f"real vLLM, {streams} at once, {case}: --realtime reads sooner, and the run says so", shown, holds)


def claims(results, quick):
    """Every claim whose part was measured."""
    cost = results.get("cost", [])
    if cost:
        yield from _cost(cost)
    if results.get("accuracy"):
        yield from _accuracy(results["accuracy"], cost)
    if results.get("schedule"):
        yield from _schedule(results["schedule"])
    if results.get("workers"):
        yield from _workers(results["workers"])
    if "engine" in results:
        yield from _engine(results["engine"])
    yield from _memory(results.get("memory", []), quick)
