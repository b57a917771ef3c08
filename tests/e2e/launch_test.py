"""Launches as the spec asks for them: the command lines that `check` prints are those that are run, and containers go when the
visit ends, however it ends."""

import os
import pathlib
import re
import signal
import unittest

from fake_docker import DIGEST, Daemon
from harness import EVENBENCH, Case, free_port, wait_for

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
A100 = """launches
  vllm: docker run --name evenbench-RUN-vllm --gpus device=0 --entrypoint vllm --ipc host --publish 127.0.0.1:8000:8000 --volume \
/models/Llama-3.1-8B-Instruct:/model:ro vllm/vllm-openai:v0.28.0 serve /model --host 0.0.0.0 --port 8000 --dtype bfloat16 \
--max-model-len 4096 --max-num-seqs 256 --gpu-memory-utilization 0.90 --no-enable-prefix-caching
  trtllm: docker run --name evenbench-RUN-trtllm --gpus device=0 --ipc host --ulimit memlock=-1 --ulimit stack=67108864 \
--publish 127.0.0.1:8001:8001 --volume /models/Llama-3.1-8B-Instruct:/model:ro nvcr.io/nvidia/tensorrt-llm/release:1.2.0 \
trtllm-serve /model --host 0.0.0.0 --port 8001 --max_seq_len 4096 --max_batch_size 256 --max_num_tokens 8192
  tgi: docker run --name evenbench-RUN-tgi --gpus device=0 --shm-size 1g --publish 127.0.0.1:8002:8002 --env PREFIX_CACHING \
--volume /models/Llama-3.1-8B-Instruct:/model:ro ghcr.io/huggingface/text-generation-inference:3.3.7 --model-id /model \
--hostname 0.0.0.0 --port 8002 --dtype bfloat16 --usage-stats off --max-total-tokens 4096 --max-input-tokens 3072 \
--max-concurrent-requests 512
    with PREFIX_CACHING=0
"""
NATIVE = """launches
  vllm: /opt/vllm/bin/vllm serve /models/Llama-3.1-8B-Instruct --host 127.0.0.1 --port 8000 --served-model-name llama --dtype \
bfloat16 --max-model-len 4096 --max-num-seqs 256 --no-enable-prefix-caching
    with CUDA_VISIBLE_DEVICES=0
  trtllm: /opt/trtllm/bin/trtllm-serve /models/Llama-3.1-8B-Instruct --host 127.0.0.1 --port 8001 --max_seq_len 4096 \
--max_batch_size 256
    with CUDA_VISIBLE_DEVICES=0
  tgi: text-generation-launcher --model-id /models/Llama-3.1-8B-Instruct --hostname 127.0.0.1 --port 8002 --dtype bfloat16 \
--usage-stats off --max-total-tokens 4096 --max-input-tokens 3072
    with PREFIX_CACHING=0
    with CUDA_VISIBLE_DEVICES=0
"""
SPEC = """evenbench: 1
title: containers
hardware: {{ gpus: [0, 1] }}
model: {{ path: org/model }}
systems:
  - {{ name: vllm, engine: vllm, launch: {{ docker: "vllm/vllm-openai:v1" }}, port: {ports[0]}, env: {{ HF_TOKEN: hf_do_not_tell }} }}
  - {{ name: trtllm, engine: trtllm, launch: {{ docker: "nvcr.io/nvidia/tensorrt-llm/release:1" }}, port: {ports[1]} }}
  - {{ name: tgi, engine: tgi, launch: {{ docker: "ghcr.io/huggingface/text-generation-inference:3" }}, port: {ports[2]} }}
workload: {{ lengths: {{ input: 10, output: 4 }} }}
load: {{ ladder: {{ rates: [20], measure: 1s }} }}
"""


class Printed(Case):
    def launches_of(self, example):
        done = self.run_tool("check", EXAMPLES / example)
        self.assertEqual(done.code, 0, done.err)
        return re.search(r"^launches\n(  .*\n)+", done.out, re.MULTILINE)[0]

    def test_check_prints_the_command_lines_of_containers(self):
        self.assertEqual(self.launches_of("three-engines-a100.yaml"), A100)

    def test_check_prints_the_command_lines_of_programs(self):
        self.assertEqual(self.launches_of("three-engines-native.yaml"), NATIVE)

    def test_options_of_a_container_need_a_container(self):
        spec = self.spec("evenbench: 1\nsystems: [ { name: a, engine: vllm, launch: { native: vllm, options: [--init] } } ]\n"
                         "model: { path: m }\nload: { ladder: { rates: [1] } }\n")
        done = self.run_tool("check", spec)
        self.assertEqual(done.code, 2)
        self.assertIn("spec.yaml:2: launch.options are those of docker run", done.err)


class Containers(Case):
    def setUp(self):
        super().setUp()
        self.docker = Daemon(self.dir / "docker", EVENBENCH, deaf=["deaf/vllm:1"])
        self.addCleanup(self.docker.close)
        self.docker.program(self.dir / "bin")
        self.env = {"PATH": f"{self.dir / 'bin'}:{os.environ['PATH']}"}

    def containers(self):
        """Those that exist, running or not."""
        return self.docker.notes.names("made")

    def write_spec(self):
        return self.spec(SPEC.format(ports=[free_port() for _ in range(3)]))

    def one_that_hears_no_term(self, seconds):
        return self.spec("evenbench: 1\nmodel: { path: org/model }\nlimits: { stop: 200ms }\n"
                         f"systems: [ {{ name: a, engine: vllm, launch: {{ docker: 'deaf/vllm:1' }}, port: {free_port()} }} ]\n"
                         "workload: { lengths: { input: 10, output: 4 } }\n"
                         f"load: {{ ladder: {{ rates: [5], measure: {seconds}s }} }}\n")

    def test_what_is_run_is_what_check_prints_and_every_container_is_removed(self):
        spec = self.write_spec()
        printed = self.run_tool("check", spec, env=self.env).out
        self.assertIn("with HF_TOKEN=[not recorded]", printed)
        done = self.run_tool("run", spec, "--out", "r", env=self.env)
        self.assertIn(done.code, (0, 4), done.err)
        calls = [call["argv"] for call in self.docker.notes.calls()]
        ran = [" ".join(["docker", *argv]) for argv in calls if argv[0] == "run"]
        self.assertEqual(len(ran), 3)
        for line in ran:
            self.assertIn(re.sub(r"evenbench-r-\d-", "evenbench-RUN-", line) + "\n", printed.replace("'", ""))
        names = [argv[argv.index("--name") + 1] for argv in calls if argv[0] == "run"]
        self.assertEqual(sorted(re.sub(r"-\d-", "-", name) for name in names),
                         ["evenbench-r-tgi", "evenbench-r-trtllm", "evenbench-r-vllm"])
        self.assertEqual([argv[-1] for argv in calls if argv[0] == "rm"], names)
        self.assertEqual(self.containers(), [])
        for system in self.summary("r")["systems"]:
            facts = {fact["key"]: fact["value"] for fact in system["manifest"]}
            self.assertEqual(facts["image_digest"], DIGEST, system["name"])
            self.assertEqual(system["steps"][0]["requests"]["failed"], 0, system["name"])

    def test_a_variable_reaches_the_container_by_name_and_its_value_is_nowhere(self):
        done = self.run_tool("run", self.write_spec(), "--out", "r", env=self.env)
        self.assertIn(done.code, (0, 4), done.err)
        run = next(call for call in self.docker.notes.calls() if "vllm/vllm-openai:v1" in call["argv"])
        self.assertEqual(run["env"], {"HF_TOKEN": "hf_do_not_tell"})
        self.assertNotIn("hf_do_not_tell", " ".join(run["argv"]) + done.out + done.err)
        for file in (self.dir / "r").rglob("*"):
            if file.is_file():
                self.assertNotIn(b"hf_do_not_tell", file.read_bytes(), file)

    def test_a_container_that_hears_no_term_is_removed_all_the_same(self):
        done = self.run_tool("run", self.one_that_hears_no_term(1), "--out", "r", env=self.env)
        self.assertIn(done.code, (0, 4), done.err)
        self.assertIn("a did not stop in time and was killed", done.err)
        self.assertEqual(self.containers(), [])

    def test_a_container_does_not_outlive_a_tool_that_is_killed(self):
        tool = self.start_tool("run", self.one_that_hears_no_term(60), "--out", "r", env=self.env)
        wait_for(self.containers, what="a container")
        tool.send_signal(signal.SIGKILL)
        tool.wait()
        wait_for(lambda: not self.containers(), what="the container's removal")


if __name__ == "__main__":
    unittest.main()
