"""Results as Markdown tables, which are read on a terminal as well."""

from .cost import FLAT, PACED
from .figures import find, ratio


def _number(value, digits=0):
    return "" if value is None else f"{value:,.{digits}f}".replace(",", " ")


def _us(value):
    """Three digits that count."""
    return "" if value is None else _number(value, 1 if abs(value) < 100 else 0)


def _percent(share):
    return "" if share is None else f"{share * 100:.2f} %"


def _times(a, b):
    """How many times b is a."""
    share = ratio(a, b)
    return "" if share is None else f"{share:.2f} ×"


def table(head, rows):
    """Columns as wide as their content."""
    lines = [head, *rows]
    widths = [max(len(str(line[i])) for line in lines) for i in range(len(head))]
    text = ["| " + " | ".join(str(cell).ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    text.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(text)


def _ttft_error(row, accuracy, which):
    """ms: of peers the difference of two percentiles, of ours the percentile of the differences."""
    reported = row.get(f"ttft_{which}_ms")
    if reported is not None:
        return f"{reported - row[f'true_ttft_{which}_ms']:+.1f}"
    joined = (find(accuracy, streams=1000, client=row["client"]) or {}).get(f"ttft_user_{which}_us")
    return "" if joined is None else f"{joined / 1e3:+.3f}"


def paced(results):
    rows = [r for r in results["cost"] if r["case"] == PACED]
    limit = find(rows, client="limit")
    return table(["client", "held", "events/s", "CPU, cores", "of the limit's", "whole process, CPU-s", "TTFT error p50, ms",
                  "p99, ms"],
                 [[r["client"], _number(r.get("held")), _number(r.get("events_per_s")), _number(r.get("cores"), 3),
                   _times(r.get("cores"), limit and limit.get("cores")), _number(r.get("whole_process_cpu_s"), 2),
                   *(_ttft_error(r, results.get("accuracy", []), q) for q in ("p50", "p99"))] for r in rows])


def flat(results):
    out = []
    for case, _ in FLAT:
        rows = [r for r in results["cost"] if r["case"] == case]
        limit = find(rows, client="limit")
        for r in rows:
            share = _times(r.get("events_per_cpu_s"), limit and limit.get("events_per_cpu_s"))
            out.append([case, r["client"], _number(r.get("events_per_s")), _number(r.get("events_per_cpu_s")),
                        share, _number(r.get("events_per_read"), 1)])
    return table(["case", "client", "events/s", "events per CPU-second", "of the limit's", "events per read"], out)


def tokens(results):
    return table(["streams", "client", "held", "kernel stamp p50, µs", "p99", "user stamp p50, µs", "p99", "merged reads",
                  "server late p99, µs", "label"],
                 [[r["streams"], r["client"], _number(r.get("held")), _us(r.get("kernel_p50_us")), _us(r.get("kernel_p99_us")),
                   _us(r.get("user_p50_us")), _us(r.get("user_p99_us")), _percent(r.get("merged_read_share")),
                   _us(r.get("server_late_p99_us")), r.get("label") or ""] for r in results["accuracy"]])


def ttft(results):
    return table(["streams", "client", "kernel stamp p50, µs", "p99", "user stamp p50, µs", "p99"],
                 [[r["streams"], r["client"], _us(r.get("ttft_kernel_p50_us")), _us(r.get("ttft_kernel_p99_us")),
                   _us(r.get("ttft_user_p50_us")), _us(r.get("ttft_user_p99_us"))] for r in results["accuracy"]])


def schedule(results):
    return table(["case", "asked, 1/s", "client", "server saw, 1/s", "dropped", "late p50, µs", "p99, µs", "label"],
                 [[r["case"], _number(r["rate"]), r["client"], _number(r.get("server_rate"), 2), _number(r.get("dropped")),
                   _us(r.get("late_p50_us")), _us(r.get("late_p99_us")), r.get("label") or ""] for r in results["schedule"]])


def memory(results):
    return table(["what", "requests", "most resident, MiB", "CPU-s", "run file, MiB", "summary, KiB"],
                 [[r["what"], _number(r["requests"]), _number(r.get("peak_mib")), _number(r.get("cpu_s"), 1),
                   _number(r.get("run_file_mib")), _number(r.get("summary_kib"))] for r in results["memory"]])


def workers(results):
    return table(["figure", "requests", "one worker, ms", "95 % interval", "two workers, ms"],
                 [[r["figure"], _number(r.get("requests")), _number(r.get("one_ms"), 2),
                   f"{_number(r.get('low_ms'), 2)} to {_number(r.get('high_ms'), 2)}", _number(r.get("two_ms"), 2)]
                  for r in results["workers"]])


def _gap(row, which):
    """None where most rounds printed no gap: the median would be that of the few which did."""
    return row.get(f"gap_{which}_ms") if row.get("gaps") else None


def engine(results):
    return table(["streams", "case", "client", "reads", "of several events", "gaps printed", "pairs read alone", "of pairs",
                  "gap p50, ms", "p99", "kernel to user p50, µs", "p99", "waited for a CPU", "label"],
                 [[r["streams"], r["case"], r["client"], _number(r.get("reads")), _percent(r.get("merged_read_share")),
                   _number(r.get("gaps")), _number(r.get("pairs_alone")), _number(r.get("pairs")), _number(_gap(r, "p50"), 2),
                   _number(_gap(r, "p99"), 2), _us(r.get("delay_p50_us")), _us(r.get("delay_p99_us")),
                   _percent(r.get("waited")), r.get("label") or ""] for r in results["engine"]])


def alarms(results):
    """What evenbench itself said of the runs in which it was pressed: one line each."""
    pressed = [(f"{r['streams']} streams", r) for r in results.get("accuracy", [])]
    pressed += [(f"{r['case']}, {r['rate']}/s", r) for r in results.get("schedule", [])]
    pressed += [(f"vLLM, {r['streams']} streams, {r['case']}, {r['client']}", r) for r in results.get("engine", [])]
    return [f"{what}: {r['label']}: {r['reasons']}" for what, r in pressed if r.get("reasons")]


def troubles(results):
    names = ("client", "case", "streams", "rate", "figure", "what", "requests")
    return [", ".join(str(r[n]) for n in names if n in r and (n != "requests" or "what" in r)) + f": {r['trouble']}"
            for rows in results.values() for r in rows if r.get("trouble")]


def verdicts(found):
    return table(["must show", "measured", ""], [[c.text, c.measured, c.word] for c in found])
