"""Runs a client and watches what it uses: CPU time against the clock, so that the share of a window can be told afterwards,
and the most memory it held."""

import bisect
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time

from . import machine


def _cpu_clock(pid):
    """The clock of a process's CPU time, all its threads: exact, where the kernel's tick counters are not."""
    return (~pid << 3) | 2


def _members(session):
    """Pids of a session: a client and whatever it started."""
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                fields = pathlib.Path(entry.path, "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                found.append(int(entry.name))
    return found


class Meter(threading.Thread):
    """Samples one process, or with `tree` its whole session, until it is stopped."""

    EVERY_S, LOOK_FOR_CHILDREN_S = 0.02, 0.5

    def __init__(self, pid, tree):
        super().__init__(daemon=True)
        self.pid, self.tree = pid, tree
        self.instants, self.cpu = [time.monotonic_ns()], [0]
        self.peak_rss_kib = 0
        self._last = {pid: 0}
        self._stopped = threading.Event()

    def run(self):
        os.sched_setaffinity(0, {machine.SERVER_CORE})
        if machine.MAY_FIFO:  # a server that never rests would starve the meter
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(machine.FIFO_METER))
        looked = 0.0
        while not self._stopped.wait(self.EVERY_S):
            if self.tree and time.monotonic() - looked > self.LOOK_FOR_CHILDREN_S:
                looked = time.monotonic()
                for pid in _members(self.pid):
                    self._last.setdefault(pid, 0)
            self.sample()

    def sample(self):
        for pid in self._last:
            try:
                self._last[pid] = time.clock_gettime_ns(_cpu_clock(pid))
            except OSError:
                pass  # gone: what it had used still counts
        self.instants.append(time.monotonic_ns())
        self.cpu.append(sum(self._last.values()))
        self._look_at_memory()

    def _look_at_memory(self):
        # Not ru_maxrss: a child inherits that of the interpreter it was started from.
        try:
            for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    self.peak_rss_kib = max(self.peak_rss_kib, int(line.split()[1]))
        except OSError:
            pass

    def stop(self):
        self._stopped.set()
        self.join()

    def cpu_at(self, instant):
        """CPU nanoseconds used until then, between two samples in proportion."""
        i = bisect.bisect_left(self.instants, instant)
        if i == 0:
            return 0
        if i == len(self.instants):
            return self.cpu[-1]
        share = (instant - self.instants[i - 1]) / (self.instants[i] - self.instants[i - 1])
        return self.cpu[i - 1] + share * (self.cpu[i] - self.cpu[i - 1])


class Ran:
    def __init__(self, code, out, err, meter, cpu_s):
        self.code, self.out, self.err, self.meter = code, out, err, meter
        self.cpu_s = cpu_s  # of the whole process with all its children, start and end included
        self.peak_rss_mib = meter.peak_rss_kib / 1024

    def cpu_s_between(self, begin_ns, end_ns):
        return (self.meter.cpu_at(end_ns) - self.meter.cpu_at(begin_ns)) / 1e9


def run(command, seconds, tree=False, env=None, cwd=None):
    """Runs `command` to its end, or kills its group after so many seconds (then code is below 0)."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = subprocess.Popen(list(map(str, command)), stdout=out, stderr=err, start_new_session=True,
                                 env={**os.environ, **(env or {})}, cwd=cwd)
        meter = Meter(child.pid, tree)
        meter.start()
        patience = threading.Timer(seconds, lambda: os.killpg(child.pid, signal.SIGKILL))
        patience.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        finally:
            patience.cancel()
            meter.stop()
            if child.returncode is None:  # the series was ended
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        out.seek(0)
        err.seek(0)
        return Ran(child.returncode, out.read(), err.read(), meter, usage.ru_utime + usage.ru_stime)
