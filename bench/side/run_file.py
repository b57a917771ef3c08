"""Reads a run file (docs/run-file.md), as any program could: this shares no code with evenbench."""

import sqlite3


def decode_token_events(blob):
    """[(instant of the program, instant of the kernel or None, merged)], nanoseconds since the run's anchor."""
    if blob[0] != 1:
        raise ValueError(f"coding {blob[0]} of token_events is not known")
    at = 1

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = blob[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def zigzag():
        value = varint()
        return value >> 1 ^ -(value & 1)

    events, last = [], 0
    for _ in range(varint()):
        flags = blob[at]
        at += 1
        if flags >> 3 == 31:
            varint()  # tokens of this event
        user = kernel = None
        if flags & 2:
            user = last = last + zigzag()
        if flags & 4:
            kernel = last - zigzag()
        events.append((user, kernel, bool(flags & 1)))
    if at != len(blob):
        raise ValueError("bytes are left over after the last token event")
    return events


class RunFile:
    """Requests of the cohort with instants on the machine's monotonic clock, and what the workers saw of themselves."""

    def __init__(self, path):
        self._db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self._db.row_factory = sqlite3.Row
        self.anchor = self._db.execute("SELECT anchor_monotonic_ns FROM run").fetchone()[0]

    def close(self):
        self._db.close()

    def requests(self):
        """{"id" as the server was told, "planned", "sent" (None: never)}."""
        rows = self._db.execute("SELECT step_id, number, planned_ns, sent_ns FROM request WHERE phase = 'measure'")
        for r in rows:
            sent = None if r["sent_ns"] is None else r["sent_ns"] + self.anchor
            yield {"id": f"{r['step_id']}-{r['number']}", "planned": r["planned_ns"] + self.anchor, "sent": sent}

    def streams(self):
        """{"id", "sent", "events"} of those with token events: (user, kernel or None, merged)."""
        rows = self._db.execute("SELECT step_id, number, sent_ns, token_events FROM request "
                                "WHERE phase = 'measure' AND ending = 'done' AND token_events IS NOT NULL")
        for r in rows:
            events = [(user + self.anchor, kernel and kernel + self.anchor, merged)
                      for user, kernel, merged in decode_token_events(r["token_events"])]
            yield {"id": f"{r['step_id']}-{r['number']}", "sent": r["sent_ns"] + self.anchor, "events": events}

    def sums(self):
        """Reads and those of several token events, and workers' health."""
        reads, merged = self._db.execute("SELECT sum(reads), sum(merged_reads) FROM request").fetchone()
        health = self._db.execute("SELECT sum(cpu_ns) / 1e9 AS cpu_s, max(realtime) AS realtime FROM worker_health").fetchone()
        return {"reads": reads, "merged_reads": merged, "worker_cpu_s": health["cpu_s"],
                "realtime": bool(health["realtime"])}
