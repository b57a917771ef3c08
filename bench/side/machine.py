"""Where things run: which core, at which priority, and what machine this is."""

import os
import pathlib
import platform
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/release"
WORK = ROOT / "build/bench"
EVENBENCH = BUILD / "evenbench"
LIMIT = BUILD / "bench/limit_client"
TRUTH = BUILD / "truth_server"

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, CLIENT_CORE = CORES[0], CORES[-1]
FIFO_SERVER, FIFO_METER, CLIENT_NICE = 20, 21, -15


def _works(*command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


MAY_FIFO = _works("chrt", "-f", str(FIFO_SERVER), "true")
MAY_NICE = not subprocess.run(["nice", "-n", str(CLIENT_NICE), "true"], capture_output=True).stderr


def on_server_core(command):
    """The server keeps its core whatever else runs: its own instants are the truth."""
    fifo = ["chrt", "-f", str(FIFO_SERVER)] if MAY_FIFO else []
    return ["taskset", "-c", str(SERVER_CORE), *fifo, *map(str, command)]


def on_client_core(command, favoured=True):
    """`favoured`: above other work of the machine, every client alike; not where the competition is what is measured."""
    nice = ["nice", "-n", str(CLIENT_NICE)] if favoured and MAY_NICE else []
    return ["taskset", "-c", str(CLIENT_CORE), *nice, *map(str, command)]


def _first_match(path, pattern):
    try:
        found = re.search(pattern, pathlib.Path(path).read_text())
    except OSError:
        return "unknown"
    return found[1].strip() if found else "unknown"


def _output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()
    except OSError:
        return ""


def describe():
    """Facts of the machine, without its name and without paths."""
    memory_kib = int(_first_match("/proc/meminfo", r"MemTotal:\s+(\d+)"))
    return {
        "cpu": _first_match("/proc/cpuinfo", r"model name\s*:\s*(.*)"),
        "cores": len(CORES),
        "memory_gib": round(memory_kib / 2**20),
        "kernel": platform.release(),
        "os": _first_match("/etc/os-release", r'PRETTY_NAME="(.*)"'),
        "compiler": (_output("c++", "--version").splitlines() or ["unknown"])[0],
        "python": platform.python_version(),
        "evenbench": _output(str(EVENBENCH), "--version"),
        "commit": _output("git", "rev-parse", "--short=12", "HEAD"),
        "load_before_the_series": f"{os.getloadavg()[0]:.1f}",
        "server": f"own core, SCHED_FIFO {FIFO_SERVER}" if MAY_FIFO else "own core, normal priority",
        "clients": f"other core, nice {CLIENT_NICE}" if MAY_NICE else "other core, normal priority",
    }
