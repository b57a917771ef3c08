"""A `docker` for the tests. The command line program only leaves notes in a folder; the containers are run by a Daemon that lives
in the test, so that they outlive the program that asked for them, as real ones do."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

DIGEST = "the/image@sha256:0123456789abcdef"
PROFILES = {"vllm": "vllm", "tensorrt-llm": "trtllm", "text-generation-inference": "tgi"}


def wait(condition, seconds):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


class Notes:
    """What the program and the daemon tell each other: files of a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for kind in ("asked", "made", "up", "term", "remove", "fetched", "said", "code"):
            (self.folder / kind).mkdir(parents=True, exist_ok=True)

    def of(self, kind, name):
        return self.folder / kind / name

    def names(self, kind):
        return sorted(p.name for p in (self.folder / kind).iterdir())

    def record(self, argv, env):
        with open(self.folder / "calls.jsonl", "a") as calls:
            calls.write(json.dumps({"argv": argv, "env": env}) + "\n")

    def calls(self):
        file = self.folder / "calls.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def values_of(argv, option):
    return [argv[i + 1] for i, word in enumerate(argv) if word == option]


def client(folder, argv):
    """The program: `docker run`, `docker rm --force`, `docker image inspect`, `docker pull`."""
    notes = Notes(folder)
    notes.record(argv, {name: os.environ.get(name) for name in values_of(argv, "--env")})
    if argv[:2] == ["image", "inspect"]:
        if "unfetched" in argv[-1] and not notes.of("fetched", argv[-1].replace("/", "-")).exists():
            print(f"Error: No such image: {argv[-1]}", file=sys.stderr)
            return 1
        print(DIGEST)
        return 0
    if argv[0] == "pull":
        notes.of("fetched", argv[-1].replace("/", "-")).touch()
        print(f"Downloaded newer image for {argv[-1]}")
        return 0
    if argv[0] == "rm":
        name = argv[-1]
        if not notes.of("made", name).exists():
            print(f"Error response from daemon: No such container: {name}", file=sys.stderr)
            return 1
        notes.of("remove", name).touch()
        return 0 if wait(lambda: not notes.of("made", name).exists(), 10) else 1
    (name,), published = values_of(argv, "--name"), values_of(argv, "--publish")
    signal.signal(signal.SIGTERM, lambda *_: notes.of("term", name).touch())
    part = notes.of("asked", name + ".part")
    image = next(w for w in argv if "/" in w and ":" in w and w[0] not in "-/")
    asked = {"image": image}
    if published:
        asked["port"] = int(published[0].split(":")[1])
    else:
        asked["job"] = on_this_machine(argv[argv.index(image) + 1:], values_of(argv, "--volume"))
    part.write_text(json.dumps(asked))
    part.rename(notes.of("asked", name))
    if not wait(lambda: notes.of("up", name).exists() or notes.of("code", name).exists(), 10):
        return 125
    while notes.of("up", name).exists():
        time.sleep(0.02)
    if published:
        return 0
    print(notes.of("said", name).read_text(), end="")
    return int(notes.of("code", name).read_text())


def on_this_machine(words, volumes):
    """A command line of a container, as one of this machine that has no such mounts."""
    for volume in volumes:
        outside, inside = volume.split(":")[:2]
        words = [outside + w[len(inside):] if (w + "/").startswith(inside + "/") else w for w in words]
    return words


class Daemon:
    """Runs a simulated engine, or the program that is asked for, for each container. Those whose image is in `deaf` ignore
    SIGTERM."""

    def __init__(self, folder, evenbench, deaf=()):
        self.notes, self.evenbench, self.deaf = Notes(folder), evenbench, set(deaf)
        self._running, self._jobs, self._over = {}, {}, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def program(self, folder):
        """Puts a `docker` into `folder`."""
        pathlib.Path(folder).mkdir(exist_ok=True)
        file = pathlib.Path(folder) / "docker"
        file.write_text(f"#!{sys.executable}\nimport sys\nsys.dont_write_bytecode = True\n"
                        f"sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})\nimport fake_docker\n"
                        f"sys.exit(fake_docker.client({str(self.notes.folder)!r}, sys.argv[1:]))\n")
        file.chmod(0o755)

    def _start(self, name):
        asked = json.loads(self.notes.of("asked", name).read_text())
        if "job" in asked:
            with open(self.notes.of("said", name), "w") as said:
                self._jobs[name] = subprocess.Popen(asked["job"], stdout=said, stderr=said, start_new_session=True)
            return self._made(name, asked)
        profile = next(p for part, p in PROFILES.items() if part in asked["image"].split(":")[0])
        self._running[name] = subprocess.Popen(
            [self.evenbench, "simulate", "--profile", profile, "--host", "127.0.0.1", "--port", str(asked["port"])],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._made(name, asked)

    def _made(self, name, asked):
        self.notes.of("made", name).write_text(asked["image"])
        self.notes.of("up", name).touch()
        self.notes.of("asked", name).unlink()

    def _end(self, name):
        process = self._running.pop(name, None)
        if process:
            process.kill()
            process.wait()
        job = self._jobs.pop(name, None)
        if job:
            os.killpg(job.pid, signal.SIGKILL)
            self._job_over(name, job.wait())
        self.notes.of("up", name).unlink(missing_ok=True)

    def _job_over(self, name, code):
        self.notes.of("code", name).write_text(str(code if code >= 0 else 128 - code))
        self.notes.of("up", name).unlink(missing_ok=True)

    def _look_at_jobs(self):
        for name in [name for name, job in self._jobs.items() if job.poll() is not None]:
            self._job_over(name, self._jobs.pop(name).returncode)

    def _run(self):
        while not self._over.wait(0.01):
            self._look_at_jobs()
            for name in self.notes.names("asked"):
                if not name.endswith(".part"):
                    self._start(name)
            for name in self.notes.names("term"):
                self.notes.of("term", name).unlink()
                if self.notes.of("made", name).read_text() not in self.deaf:
                    self._end(name)
            for name in self.notes.names("remove"):
                self._end(name)
                self.notes.of("made", name).unlink()
                self.notes.of("remove", name).unlink()

    def close(self):
        self._over.set()
        self._thread.join()
        for name in [*self._running, *self._jobs]:
            self._end(name)
