"""Other work on the client's core: processes that want it all the time, at normal priority."""

import contextlib
import subprocess
import sys

from . import machine


@contextlib.contextmanager
def competitors(count):
    """So many of them for as long as the block runs; 0 is none."""
    command = ["taskset", "-c", str(machine.CLIENT_CORE), sys.executable, "-c", "while True: pass"]
    busy = []
    try:
        for _ in range(count):
            busy.append(subprocess.Popen(command))
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
