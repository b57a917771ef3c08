#!/usr/bin/env python3
"""Holds evenbench against a client that does nothing but read, and against other clients: same server, same cores, one
series, in turn. `./dev bench side`."""

import argparse
import datetime
import json
import os
import signal
import sys

from side import accuracy, cost, document, engine, machine, memory, peers, schedule, workers
from side.claims import claims
from side.figures import medians

KEYS = {"cost": ("case", "client"), "accuracy": ("streams", "client"), "schedule": ("case", "rate", "client"),
        "workers": ("figure",), "engine": ("streams", "case", "client"), "memory": ("what", "requests")}


def say(text):
    print(f"[bench] {datetime.datetime.now():%H:%M:%S} {text}", file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="./dev bench side", description=__doc__)
    parser.add_argument("--with-peers", action="store_true", help="install aiperf, guidellm and locust and measure them too")
    parser.add_argument("--quick", action="store_true", help="one short round: shows that it works, not what is so")
    parser.add_argument("--rounds", type=int, help="of every measurement; the medians are shown (3; quick: 1)")
    parser.add_argument("--only", action="append", choices=KEYS, help="this part; may be repeated")
    parser.add_argument("--write-docs", action="store_true", help="write docs/benchmarks.md")
    return parser.parse_args()


def measure(args, usable):
    rounds = args.rounds or (1 if args.quick else 3)
    # Memory first: nothing that came before can have left the machine short of it.
    parts = {"memory": lambda: memory.measure(say, args.quick),
             "cost": lambda: cost.measure(say, args.quick, rounds, usable),
             "accuracy": lambda: accuracy.measure(say, args.quick, rounds),
             "schedule": lambda: schedule.measure(say, args.quick, rounds, usable),
             "workers": lambda: workers.measure(say, args.quick),
             "engine": lambda: engine.measure(say, args.quick, rounds)}
    return {part: run() for part, run in parts.items() if not args.only or part in args.only}


def facts(args, usable, missing):
    return {"date": f"{datetime.date.today():%Y-%m-%d}",
            "command": " ".join(["./dev bench side", *(a for a in sys.argv[1:] if a != "--write-docs")]),
            "machine": machine.describe(),
            "versions": {peer.name: peer.version() for peer in usable},
            "peer_commands": peers.shown_commands(usable),
            "missing": [f"{name} was not measured: {why}" for name, why in missing]
                       + ([] if engine.launcher() else [f"a real engine was not measured: {engine.INSTALLER} build/engines/vllm installs it"])}


def main():
    args = arguments()
    # A series that is ended ends what it started: as with Ctrl-C, every `with` and `finally` is passed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    usable, missing = peers.available(args.with_peers)
    known = facts(args, usable, missing)
    if os.getloadavg()[0] > 0.5:
        say("other work runs on this machine: the figures will be its as well")
    rows = measure(args, usable)
    results = {part: medians(of_part, KEYS[part]) for part, of_part in rows.items()}
    found = list(claims(results, args.quick))
    print(document.terminal(results, found, known["missing"]))
    file = machine.WORK / "side_by_side.json"
    file.write_text(json.dumps({"facts": known, "claims": [vars(c) for c in found], "medians": results, "rows": rows}, indent=1))
    say(f"all figures: {file.relative_to(machine.ROOT)}")
    if args.write_docs:
        (machine.ROOT / "docs/benchmarks.md").write_text(document.render(results, known, found))
    missed = [c for c in found if c.holds is False]
    say(f"{sum(c.holds is True for c in found)} hold, {len(missed)} miss, {sum(c.holds is None for c in found)} not measured")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
