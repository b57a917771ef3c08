"""What the end-to-end tests share: starting the program and its counterparts, and reading what it left behind."""

import contextlib
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

EVENBENCH = os.environ["EVENBENCH"]
TRUTH_SERVER = os.environ["EVENBENCH_TRUTH_SERVER"]


class Finished:
    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def processes_with(text):
    """Pids of living processes whose command line holds `text`."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if text in command and state not in "ZX":
            found.append(int(entry.name))
    return found


def wait_for(condition, seconds=20.0, what="the condition"):
    """Waits until condition() is true; a slow machine gets time, a wrong one an error."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what} did not come true within {seconds} s")


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="evenbench-e2e-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def command(self, *args):
        return [EVENBENCH, *[str(a) for a in args]]

    def run_tool(self, *args, env=None, limit_file_bytes=None, timeout=120):
        argv = self.command(*args)
        if limit_file_bytes is not None:
            argv = ["bash", "-c", f"ulimit -f {limit_file_bytes // 1024}; exec \"$@\"", "bash", *argv]
        return self.run_argv(argv, env, timeout)

    def run_argv(self, argv, env=None, timeout=120):
        started = time.monotonic()
        done = subprocess.run(argv, cwd=self.dir, env={**os.environ, **(env or {})}, timeout=timeout,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"),
                        time.monotonic() - started)

    def start_tool(self, *args, env=None):
        err = open(self.dir / "stderr.txt", "w+b")
        self.addCleanup(err.close)
        process = subprocess.Popen(self.command(*args), cwd=self.dir, env={**os.environ, **(env or {})},
                                   stdout=subprocess.DEVNULL, stderr=err)

        def end():
            if process.poll() is None:
                process.kill()
            process.wait()

        self.addCleanup(end)
        return process

    def stderr(self):
        return (self.dir / "stderr.txt").read_text(errors="replace")

    def start_server(self, argv, pattern):
        """Starts a server that prints its port; returns (process, port)."""
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.dir)

        def end():
            process.terminate()
            process.wait(timeout=20)
            process.stdout.close()

        self.addCleanup(end)
        line = process.stdout.readline().decode()
        return process, int(re.search(pattern, line).group(1))

    def truth(self, *args):
        """The truth server; returns (url, a function that gives its log once it has been stopped)."""
        log = self.dir / f"truth-{len(list(self.dir.iterdir()))}.jsonl"
        process, port = self.start_server([TRUTH_SERVER, *[str(a) for a in args], "--log", str(log)],
                                          r"listening (\d+)")

        def stopped():
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)
            return [json.loads(line) for line in log.read_text().splitlines()]

        return f"http://127.0.0.1:{port}", stopped

    def simulated(self, profile="vllm", *args):
        process, port = self.start_server(
            self.command("simulate", "--profile", profile, "--port", 0, *args), r":(\d+)")
        return f"http://127.0.0.1:{port}", process

    def summary(self, folder):
        return json.loads((self.dir / folder / "summary.json").read_text())

    def steps(self, folder):
        return self.summary(folder)["systems"][0]["steps"]

    def rows(self, folder):
        with open(self.dir / folder / "steps.csv", newline="") as file:
            return list(csv.DictReader(file))

    def assert_readable(self, folder):
        """The run file of `folder` gives a report again."""
        done = self.run_tool("report", folder, "--json")
        self.assertEqual(done.code, 0, done.err)
        return json.loads(done.out)

    def spec(self, text, name="spec.yaml"):
        (self.dir / name).write_text(text)
        return name


class Scripted:
    """An HTTP server of 127.0.0.1 whose every answer is a function of (method, path, headers, body) -> (status, headers, body)."""

    def __init__(self, answer):
        import http.server

        outer = self
        self.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                outer.seen.append((self.command, self.path, dict(self.headers), body))
                status, headers, data = answer(self.command, self.path, self.headers, body)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = respond

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@contextlib.contextmanager
def scripted(answer):
    server = Scripted(answer)
    try:
        yield server
    finally:
        server.close()


JSON = {"Content-Type": "application/json"}
SSE = {"Content-Type": "text/event-stream"}


def models(*names):
    return 200, JSON, json.dumps({"object": "list", "data": [{"id": n} for n in names]}).encode()


def stream(texts, finish="stop", prompt=5):
    """A streamed chat answer: one event a text, then finish, usage and [DONE]."""
    events = [{"choices": [{"index": 0, "delta": {"content": t}}]} for t in texts]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    events.append({"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": len(texts)}})
    body = "".join(f"data: {json.dumps(e)}\n\n" for e in events) + "data: [DONE]\n\n"
    return 200, SSE, body.encode()
