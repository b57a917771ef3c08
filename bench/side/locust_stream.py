"""What a user of locust has to write to measure streams: it has no notion of a token. Run by locust, told by BENCH_* variables."""

import json
import os
import time

import gevent
from locust import FastHttpUser, constant_throughput, events, task

TOKENS, REQUESTS = int(os.environ["BENCH_TOKENS"]), int(os.environ["BENCH_REQUESTS"])
RATE_PER_USER = float(os.environ.get("BENCH_RATE_PER_USER", 0))
BODY = {"model": "truth", "messages": [{"role": "user", "content": "one two three four five six"}], "max_tokens": TOKENS,
        "stream": True, "stream_options": {"include_usage": True}}
started, ttfts_ms = 0, []


class Streamer(FastHttpUser):
    if RATE_PER_USER:
        wait_time = constant_throughput(RATE_PER_USER)

    @task
    def stream(self):
        global started
        if started >= REQUESTS:
            gevent.sleep(1)
            return
        started += 1
        begun, first = time.perf_counter(), None
        with self.client.post("/v1/chat/completions", json=BODY, stream=True, catch_response=True) as response:
            while line := response.stream.readline(b"\n"):
                if not line.startswith(b"data: ") or line.startswith(b"data: [DONE]"):
                    continue
                choices = json.loads(line[6:])["choices"]
                if first is None and choices and choices[0]["delta"].get("content"):
                    first = time.perf_counter()
            response.success()
        ttfts_ms.append(((first or time.perf_counter()) - begun) * 1e3)


@events.init.add_listener
def watch(environment, **_):
    def until_done():
        while len(ttfts_ms) < REQUESTS:
            gevent.sleep(0.05)
        with open(os.environ["BENCH_OUT"], "w") as out:
            json.dump(ttfts_ms, out)
        environment.runner.quit()

    gevent.spawn(until_done)  # quit() from a user's own greenlet hangs
