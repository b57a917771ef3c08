"""docs/benchmarks.md, and the same on the terminal."""

from . import tables
from .clients import Server, closed_load, evenbench_command, open_load
from .cost import PACED

PARTS = {
    "cost": ("Cost", [
        (f"""### {PACED}
50 ms to the first token, 20 ms from token to token, answers of 100 tokens, all streams held from the start. *CPU* is that of
every thread of the client between the server's first received request and its last write; *whole process* adds start, judging
and reports. evenbench parses every event, checks it and stores every instant; the limit client does nothing but look for the
end of each event. *TTFT error* is what the client reports less what the server did (first write − receipt of the request by
the kernel): of evenbench and the limit client request by request by the user stamp (table Accuracy), of the others, whose
output cannot be joined, percentile less percentile.
""", tables.paced),
        ("""### As fast as the server sends
64 streams, answers of 500 tokens, no delays. The server's core is full in these runs, so events per CPU-second of the client
is the figure. *Events per read* says how many sends the client met in one read on average: a client that falls behind reads
more at once and looks cheaper for it.
""", tables.flat)]),
    "accuracy": ("Accuracy", [
        ("""### Token instants
The instant that was stored less the server's own instant before its `send()`, over reads that held one event; positive is late.
On loopback the kernel's stamp is set inside the server's `send()`: its error here says what the client adds, which is nothing,
and not what a network adds. The user stamp waits for the client to be scheduled. *Merged reads* held several token events;
evenbench marks their instants and they are not in the figures. 4000 streams get a token every 80 ms, so that the server keeps
a core to know the truth with.
""", tables.tokens),
        ("""### TTFT
The client's TTFT (from its send to the first token) less the server's (from the receipt of the request by the kernel to the
first write), request by request, the burst at the start included.
""", tables.ttft)]),
    "schedule": ("Schedule", [
        ("""Open loop with constant gaps, answers of 4 tokens (5 ms, then 1 ms each). *Late* is the instant before the send less the planned
one. *Server saw*: requests per second between the first and the last that the server's kernel received. The busy process wants
the client's core all the time, at the client's priority.
""", tables.schedule)]),
    "workers": ("One worker and two", [
        ("""Open loop of 20 requests/s (Poisson) for two minutes against `evenbench simulate --profile vllm`, once sent by one worker and once by two,
same plan. The interval is the 95 % one of order statistics; two workers must give a percentile inside that of one.
""", tables.workers)]),
    "engine": ("A real engine", [
        ("""vLLM on this machine's CPU, as `tools/engines/vllm_cpu.sh` installs it (model tiny), closed loop, answers of 64 tokens. It shares
the client's core. The busy processes want the same core all the time, at the client's priority. *Kernel to user* is how long
bytes lay in the kernel before the client read them. A gap is printed only between two events that were read alone; *pairs read
alone* counts them from the run file, in a program of its own. Where most rounds printed no gap, none is shown.
""", tables.engine)]),
    "memory": ("Memory", [
        ("""Closed loop of 256 streams, answers of 500 tokens, 16 events per send. *Most resident* is VmHWM of the process.
""", tables.memory)]),
}

CAVEATS = """## How to read this
- Clients are compared within one series on one machine; figures of different machines or series are not comparable, ratios
  nearly so. A row is the median of its rounds, clients in turn within a round; the slow clients have one round.
- Server and client have one core each of a small machine over loopback. Clients that are built of many processes would do more
  with more cores: the figures say what one core buys.
- vllm-bench 0.1.0 is the last version of its archived repository (commit f313182); the maintained one is part of vLLM's.
- Differences below about 10 % in cost are within what rounds differ by.
- `server late` is the server's own lateness against its plan. It is no part of any error, which is against what the server did;
  it says how even the load was.
- The limit client and evenbench open their connections before the load; most others open them in it, which is part of their error.
"""


def _commands(facts):
    def evenbench(load, extra=()):
        words = evenbench_command(Server("URL", "TOKENS"), "FOLDER", load, extra)
        return " ".join(["evenbench", *map(str, words[1:])])

    lines = [
        "truth_server --port 0 --tokens TOKENS --ttft MS --interval MS --events-per-send EVENTS --log FILE",
        "limit_client --port PORT --connections STREAMS --requests N --tokens TOKENS --log FILE [--rate R]",
        evenbench(closed_load("STREAMS", "N")),
        evenbench(open_load("R", "SECONDS"), ["[--realtime]"]),
    ]
    peers = facts.get("peer_commands", [])
    return "```\n" + "\n".join(lines + peers) + "\n```\n"


def terminal(results, found, missing):
    """The tables alone."""
    out = []
    for part, (title, sections) in PARTS.items():
        if results.get(part):
            out += [f"{title}\n{make(results)}\n" for _, make in sections]
    out += [f"! {line}" for line in missing + tables.troubles(results)]
    return "\n".join([*out, tables.verdicts(found)])


def render(results, facts, found):
    """The whole page."""
    machine = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in facts["machine"].items())
    versions = "\n".join(f"| {name} | {version} |" for name, version in facts["versions"].items())
    out = ["# Benchmarks\nWhat evenbench costs and how far its instants are from the truth, beside a client that does nothing but read"
           " (`bench/limit_client.cc`) and beside other clients, all against one server that writes down when it really sent"
           f" (`src/truth`). Made by `{facts['command']}` on {facts['date']}; this page is its output.\n",
           "## What must hold\n" + tables.verdicts(found) + "\n"]
    for part, (title, sections) in PARTS.items():
        if results.get(part):
            out.append(f"## {title}\n" + "\n".join(f"{text}\n{make(results)}\n" for text, make in sections))
    for title, lines in (("What evenbench said of its own runs", tables.alarms(results)),
                         ("What did not work", facts["missing"] + tables.troubles(results))):
        if lines:
            out.append(f"## {title}\n" + "\n".join(f"- {line}" for line in lines) + "\n")
    out.append(CAVEATS)
    out.append(f"## Machine, versions, commands\n| fact | |\n|---|---|\n{machine}\n\n| program | version |\n|---|---|\n{versions}\n")
    out.append(_commands(facts))
    return "\n".join(out)
