"""Percentiles, and rows of several rounds made into one."""

import math
import statistics


def quantile(samples, q):
    """By linear interpolation between order statistics; None without samples."""
    if not samples:
        return None
    ordered = sorted(samples)
    position = q * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


def quantile_interval(samples, q):
    """(low, high) that holds the true quantile with 95 %, by order statistics: the ranks n q ± 1.96 sqrt(n q (1 - q)) of the
    normal approximation to the binomial distribution (David and Nagaraja, Order Statistics, section 7.1)."""
    ordered, n = sorted(samples), len(samples)
    half = 1.96 * (n * q * (1 - q)) ** 0.5
    low, high = math.floor(n * q - half), math.ceil(n * q + half)
    return ordered[max(low - 1, 0)], ordered[min(high, n - 1)]


def medians(rows, keys):
    """One row for every value of `keys`, in order of appearance: of numbers the median, of the rest the last."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[k] for k in keys), []).append(row)
    out = []
    for group in groups.values():
        merged = {"rounds": len(group)}
        for name in dict.fromkeys(name for row in group for name in row):
            values = [row[name] for row in group if row.get(name) is not None]
            numbers = values and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
            merged[name] = statistics.median(values) if numbers else (values[-1] if values else None)
        out.append(merged)
    return out


def attempt(identity, make):
    """The row that `make` gives with its identity; where it fails, why: one failure must not cost a long series."""
    try:
        return {**identity, **make()}
    except (RuntimeError, OSError, ValueError, KeyError, TypeError) as trouble:
        return {**identity, "trouble": f"{type(trouble).__name__}: {trouble}"[-300:]}


def find(rows, **wanted):
    """The row with these values; None if there is none."""
    return next((r for r in rows if all(r.get(k) == v for k, v in wanted.items())), None)


def ratio(a, b):
    return a / b if a is not None and b else None
