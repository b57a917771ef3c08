#!/usr/bin/env python3
"""Says what is wrong with a run of real engines, or what was measured: every request good, tokens counted by the server's own
usage, its own counters agree, versions and settings known, the comparison labelled as it should be, and no process of an engine
left. Exit code 1 when something is wrong.
   check_run.py RUN_FOLDER --systems a,b --engines FOLDER [--started EPOCH_SECONDS] [--label LABEL] [--because TERM]"""
import argparse
import json
import os
import pathlib
import sys
import time


# What a run on even terms must know of both, and not by a guess.
KNOWN_OF_ALL = ("weights_hash", "dtype", "quantization", "kv_cache_dtype", "max_model_len", "prefix_cache", "max_running",
                "speculative", "temperature", "top_p", "top_k", "token_counts", "chat_template_hash", "kv_cache_tokens",
                "engine_version", "host")
MOST_TOKENS_APART = 0.001  # of the client's sum


def engine_faults(where, step):
    engine = step.get("engine")
    if not engine:
        yield f"{where}: the engine's own counters were not read"
        return
    if "generation_tokens" not in engine:
        yield f"{where}: the engine's counter of generated tokens was not read"
    elif abs(engine["generation_tokens"] - engine["client_output_tokens"]) > MOST_TOKENS_APART * engine["client_output_tokens"]:
        yield f"{where}: the engine counted {engine['generation_tokens']} tokens, the client {engine['client_output_tokens']}"


def comparability_faults(summary, label, because):
    audit = summary["comparability"]
    findings = [f"{f['severity']} {f['term']}: {f['text']}" for f in audit["findings"]]
    if label and audit.get("label") != label:
        yield f"the comparison is {audit.get('label')}, not {label}: {findings}"
    if because and not any(f["severity"] == "error" and f["term"] == because for f in audit["findings"]):
        yield f"{because} is not named as a reason: {findings}"
    known = {term["term"]: [system["effective"] for system in term["systems"]] for term in audit["terms"]}
    for term in KNOWN_OF_ALL:
        if not known.get(term) or not all(known[term]):
            yield f"{term} is not known of all systems: {known.get(term)}"


def step_faults(name, step):
    where = f"{name}, {step['kind']} {step.get('planned_rate') or step.get('concurrency')}"
    requests, tokens = step["requests"], step["output_tokens"]
    if requests["failed"]:
        endings = {ending: n for ending, n in requests["endings"].items() if n and ending != "done"}
        yield f"{where}: {requests['failed']} requests failed: {endings} {step.get('failures', [])}"
    if not requests["planned"]:
        yield f"{where}: no request was planned"
    if requests["good"] != requests["planned"]:
        yield f"{where}: {requests['good']} of {requests['planned']} requests were good"
    if {source for source, n in tokens["source"].items() if n} != {"usage"}:
        yield f"{where}: tokens were not all counted by usage: {tokens['source']}"
    if not tokens["total"]:
        yield f"{where}: no token came"
    yield from engine_faults(where, step)


def summary_faults(summary, expected, label, because):
    yield from comparability_faults(summary, label, because)
    if not summary["run"]["complete"]:
        yield f"the run is not complete: {summary['run'].get('reason', 'no reason given')}"
    systems = {system["name"]: system for system in summary["systems"]}
    for name in expected:
        if name not in systems:
            yield f"{name}: not in summary.json"
    shapes = {}
    for name, system in systems.items():
        if system["simulated"]:
            yield f"{name}: was simulated"
        if system.get("engine_version", "") in ("", "unknown"):
            yield f"{name}: the engine's version is not known"
        if not system.get("commands"):
            yield f"{name}: was not launched by the tool"
        if not system["steps"]:
            yield f"{name}: has no step"
        for step in system["steps"]:
            yield from step_faults(name, step)
        shapes[name] = [(s["kind"], s.get("planned_rate"), s.get("concurrency"), s["requests"]["planned"])
                        for s in system["steps"]]
    if len({tuple(shape) for shape in shapes.values()}) > 1:
        yield f"the systems did not get the same steps: {shapes}"


def started_at(process):
    """Seconds since the epoch; to a hundredth or so."""
    ticks = int((process / "stat").read_text().rsplit(")", 1)[1].split()[19])
    boot = time.time() - float(pathlib.Path("/proc/uptime").read_text().split()[0])
    return boot + ticks / os.sysconf("SC_CLK_TCK")


def processes_of(engines, since, cwd):
    """(pid, argv) of living processes of an engine in the folder `engines`, or marked by the tool, that began after `since` in the
    working directory `cwd`: a server with another one is another's, for this may run beside other tests."""
    for process in pathlib.Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            if (process / "stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX" or started_at(process) < since:
                continue
            argv = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            executable = os.readlink(process / "exe")
            marked = b"EVENBENCH_ENGINE=" in (process / "environ").read_bytes()
            ours = os.readlink(process / "cwd") == str(cwd)
        except OSError:
            continue
        of_engine = (executable.startswith(engines + "/") or argv[0].startswith("VLLM::") or
                     any(a.endswith(("/bin/vllm", "/llama-server")) for a in argv[:2]))
        if ours and (marked or of_engine):
            yield int(process.name), argv


def left_processes(engines, since, cwd):
    for pid, argv in processes_of(engines, since, cwd):
        yield f"process {pid} of an engine is left: {' '.join(argv).strip()[:200]}"


def figures(summary):
    audit = summary["comparability"]
    print(audit.get("label", "no label"))
    for finding in audit["findings"]:
        print(f"  {finding['severity']} {finding['term']}: {finding['text']}")
    for system in summary["systems"]:
        print(f"{system['name']} {system['engine_version']}, ready after {system.get('ready_s')} s")
        for step in system["steps"]:
            level = f"{step['planned_rate']:g} req/s" if step.get("planned_rate") else f"{step.get('concurrency')} users"
            print(f"  {level:<10} {step['requests']['good']}/{step['requests']['planned']} good, "
                  f"{step['engine']['client_output_tokens']} tokens ({step['engine']['generation_tokens']:g} by the engine), "
                  f"{step['output_tokens'].get('per_s', 0):.1f} tok/s, "
                  f"TTFT p50 {step['ttft_ms']['p50']:.0f} ms, TPOT p50 {step['tpot_ms']['p50']:.1f} ms, {step['label']}")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--systems", default="")
    options.add_argument("--engines", required=True)
    options.add_argument("--started", type=float, default=0.0)
    options.add_argument("--label", default="")
    options.add_argument("--because", default="", help="a term that must have decided the label")
    given = options.parse_args()
    faults = list(left_processes(os.path.realpath(given.engines), given.started, os.getcwd()))
    try:
        summary = json.loads((given.folder / "summary.json").read_text())
    except (OSError, ValueError) as problem:
        faults.append(f"summary.json cannot be read: {problem}")
    else:
        faults += summary_faults(summary, [name for name in given.systems.split(",") if name], given.label, given.because)
        if not faults:
            figures(summary)
    print("\n".join(f"wrong: {fault}" for fault in faults), file=sys.stderr, end="\n" if faults else "")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
