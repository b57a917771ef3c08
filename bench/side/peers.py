"""Other clients: how each is installed, started as its documents say, and what it reports of TTFT."""

import json
import os
import shutil
import subprocess
import sys

from . import machine, tokenizer
from .figures import quantile
from .process import run

ENVIRONMENTS = machine.ROOT / "build/peers"
TIMEOUT = 180


class Peer:
    """`closed(url, tokens, streams, requests)` and `open(url, tokens, rate, seconds)` give the command line; `ttft_ms()` the
    reported (p50, p99) after a run. All write into `folder`."""

    name = package = ""
    environment = {}

    def __init__(self):
        self.folder = machine.WORK / self.name
        self.program = ENVIRONMENTS / self.name / "bin" / self.name

    def version(self):
        return self.package.partition("==")[2]

    def run(self, kind, url, tokens, **load):
        """One run, its processes all counted; code below 0: it did not end in time."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        command = getattr(self, kind)(url, tokens, **load)
        return run(machine.on_client_core(command), TIMEOUT, tree=True, env=self.environment, cwd=self.folder)


class VllmBench(Peer):
    name, origin = "vllm-bench", "https://github.com/vllm-project/vllm-bench"

    def __init__(self):
        super().__init__()
        self.program = shutil.which("vllm-bench")

    def version(self):
        said = subprocess.run([self.program, "--version"], capture_output=True, text=True).stdout.split()
        return f"{said[-1] if said else 'unknown'}, {self.origin}"

    def _command(self, url, tokens, requests):
        return [self.program, "--backend", "openai-chat", "--endpoint", "/v1/chat/completions", "--base-url", url, "--model",
                "truth", "--tokenizer", tokenizer.folder(), "--dataset-name", "random", "--random-input-len", 8,
                "--random-output-len", tokens, "--num-prompts", requests, "--ignore-eos", "--save-result",
                "--save-detailed", "--result-dir", self.folder, "--result-filename", "result.json",
                "--percentile-metrics", "ttft,tpot,itl,e2el"]

    def closed(self, url, tokens, streams, requests):
        return [*self._command(url, tokens, requests), "--max-concurrency", streams]

    def open(self, url, tokens, rate, seconds):
        return [*self._command(url, tokens, int(rate * seconds)), "--request-rate", rate]

    def ttft_ms(self):
        seconds = json.loads((self.folder / "result.json").read_text())["ttfts"]
        return quantile(seconds, 0.5) * 1e3, quantile(seconds, 0.99) * 1e3


class Aiperf(Peer):
    name, package = "aiperf", "aiperf==0.13.0"

    def _command(self, url, tokens, requests):
        return [self.program, "profile", "-m", "truth", "--url", url, "--endpoint-type", "chat", "--streaming", "--tokenizer",
                tokenizer.folder(), "--request-count", requests, "--isl", 8, "--osl", tokens, "--use-server-token-count",
                "--num-dataset-entries", 50, "--ui", "none", "--no-gpu-telemetry", "--no-server-metrics", "--artifact-dir",
                self.folder]

    def closed(self, url, tokens, streams, requests):
        return [*self._command(url, tokens, requests), "--concurrency", streams]

    def open(self, url, tokens, rate, seconds):
        return [*self._command(url, tokens, int(rate * seconds)), "--request-rate", rate, "--arrival-pattern", "constant"]

    def ttft_ms(self):
        (file,) = self.folder.rglob("profile_export_aiperf.json")
        figures = json.loads(file.read_text())["time_to_first_token"]
        return figures["p50"], figures["p99"]


class Guidellm(Peer):
    name, package = "guidellm", "guidellm==0.8.1"

    def _command(self, url, tokens, requests, profile):
        return [self.program, "run", "--backend", f"kind=openai_http,target={url},model=truth,http2=false", "--tokenizer",
                json.dumps({"kind": "hf_auto", "model": str(tokenizer.folder())}), "--data",
                f"kind=synthetic_text,prompt_tokens=8,output_tokens={tokens}", "--profile", profile, "--constraint",
                f"kind=max_requests,count={requests}", "--output", "kind=json,path=report.json", "--disable-progress"]

    def closed(self, url, tokens, streams, requests):
        return self._command(url, tokens, requests, f"kind=concurrent,streams={streams}")

    def open(self, url, tokens, rate, seconds):
        return self._command(url, tokens, int(rate * seconds), f"kind=constant,rate={rate}")

    def ttft_ms(self):
        report = json.loads((self.folder / "report.json").read_text())
        figures = report["benchmarks"][0]["metrics"]["time_to_first_token_ms"]["successful"]
        return figures["percentiles"]["p50"], figures["percentiles"]["p99"]


class Locust(Peer):
    name, package = "locust", "locust==2.47.0"

    def _command(self, url, tokens, requests, users):
        self.environment = {"BENCH_TOKENS": str(tokens), "BENCH_REQUESTS": str(requests), "BENCH_OUT": "ttfts.json"}
        return [self.program, "-f", machine.ROOT / "bench/side/locust_stream.py", "--headless", "-u", users, "-r", users,
                "--host", url, "--only-summary"]

    def closed(self, url, tokens, streams, requests):
        return self._command(url, tokens, requests, streams)

    def open(self, url, tokens, rate, seconds):
        command = self._command(url, tokens, int(rate * seconds), max(1, int(rate / 5)))
        self.environment["BENCH_RATE_PER_USER"] = "5"
        return command

    def ttft_ms(self):
        ms = json.loads((self.folder / "ttfts.json").read_text())
        return quantile(ms, 0.5), quantile(ms, 0.99)


def _install(peer):
    home = ENVIRONMENTS / peer.name
    done = home / "installed"
    if done.exists() and done.read_text() == peer.package:
        return
    print(f"[bench] installing {peer.package}", file=sys.stderr)
    for command in ([sys.executable, "-m", "venv", "--clear", home],
                    [home / "bin/pip", "install", "--quiet", "--disable-pip-version-check", peer.package]):
        made = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if made.returncode != 0:
            raise RuntimeError(made.stderr.strip().splitlines()[-1] if made.stderr.strip() else "no reason given")
    done.write_text(peer.package)


def available(with_peers):
    """([peers that can be run], [(name, why not)])."""
    usable, missing = [], []
    if shutil.which("vllm-bench"):
        usable.append(VllmBench())
    else:
        missing.append(("vllm-bench", f"no vllm-bench on PATH; build {VllmBench.origin} with cargo build --release"))
    for peer in [Locust(), Aiperf(), Guidellm()] if with_peers else []:
        try:
            os.makedirs(ENVIRONMENTS, exist_ok=True)
            _install(peer)
            usable.append(peer)
        except (OSError, RuntimeError) as trouble:
            missing.append((peer.name, str(trouble)))
    return usable, missing


def shown_commands(usable):
    """How each was started, without the paths of this machine."""
    shown = []
    for peer in usable:
        words = [str(w) for w in peer.closed("URL", "TOKENS", streams="STREAMS", requests="N")]
        text = " ".join([peer.name, *words[1:]]).replace(str(peer.folder), "FOLDER").replace(str(tokenizer.folder()), "TOKENIZER")
        shown.append(text.replace(str(machine.ROOT) + "/", ""))
    return shown
