"""Engines that are built before they are launched: once, whatever happens, and explained where it fails."""

import json
import os
import re
import signal
import sys
import unittest

from fake_docker import DIGEST, Daemon
from harness import EVENBENCH, Case, free_port, processes_with, wait_for

# What the fakes do beyond what they are asked for is said in files of their folder.
BUILDER = """#!{python}
import json, pathlib, sys, time
here = pathlib.Path({here!r})
def value(option): return sys.argv[sys.argv.index(option) + 1]
with open(here / "builds.jsonl", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
print("[TensorRT-LLM] building", flush=True)
out = pathlib.Path(value("--output_dir"))
(out / "config.json").write_text("{{}}")
if (here / "fail").exists():
    sys.exit((here / "fail").read_text())
while (here / "slow").exists():
    time.sleep(0.02)
(out / "rank0.engine").write_bytes((pathlib.Path(value("--checkpoint_dir")) / "rank0.safetensors").read_bytes())
"""
SERVER = """#!{python}
import json, os, pathlib, sys
here = pathlib.Path({here!r})
engine = pathlib.Path(sys.argv[1])
assert (engine / "rank0.engine").read_bytes() == b"weights, converted", engine
with open(here / "serves.jsonl", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
port = sys.argv[sys.argv.index("--port") + 1]
os.execv({tool!r}, [{tool!r}, "simulate", "--profile", "trtllm", "--port", port])
"""
CONVERTER = """#!/bin/sh
echo converting "$1"
printf '%s, converted' "$(cat "$1/model.safetensors")" > "$2/rank0.safetensors"
"""
# Asked for the version of a package; elsewhere it is the real one.
PYTHON = """#!/bin/sh
cat '{here}/version'
"""
SPEC = """evenbench: 1
title: built
model: {{ path: {here}/model }}
systems:
  - name: trt
    engine: trtllm
    launch: {launch}
    port: {port}
    env: {{ HF_TOKEN: hf_do_not_tell }}
    build: {{ convert: [sh, {here}/bin/convert.sh, "{{model}}", "{{checkpoint}}"], args: [--max_batch_size, "{batch}"]{more} }}
workload: {{ lengths: {{ input: 10, output: 4 }} }}
load: {{ ladder: {{ rates: [20], measure: 500ms }} }}
"""


class Builds(Case):
    def setUp(self):
        super().setUp()
        (self.dir / "bin").mkdir()
        (self.dir / "model").mkdir()
        (self.dir / "model" / "model.safetensors").write_text("weights")
        self.version("0.20.0")
        for name, text in {"trtllm-build": BUILDER, "trtllm-serve": SERVER, "convert.sh": CONVERTER, "python3": PYTHON}.items():
            file = self.dir / "bin" / name
            file.write_text(text.format(python=sys.executable, here=str(self.dir), tool=EVENBENCH) if name != "convert.sh"
                            else text)
            file.chmod(0o755)
        self.env = {"PATH": f"{self.dir / 'bin'}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(self.dir / "cache")}

    def version(self, text):
        (self.dir / "version").write_text(text + "\n")

    def write(self, name="spec.yaml", batch=64, launch="{}", more=""):
        return self.spec(SPEC.format(here=self.dir, port=free_port(), batch=batch, launch=launch, more=more), name)

    def calls(self, kind):
        file = self.dir / f"{kind}.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def cache(self):
        """What lies in the cache beside locks."""
        folder = self.dir / "cache" / "evenbench" / "engines"
        return [p for p in folder.iterdir() if p.suffix != ".lock"] if folder.exists() else []

    def done(self, spec, out):
        done = self.run_tool("run", spec, "--out", out, env=self.env)
        self.assertIn(done.code, (0, 4), done.err)
        system = self.summary(out)["systems"][0]
        self.assertEqual(system["steps"][0]["requests"]["failed"], 0)
        return done, {fact["key"]: fact["value"] for fact in system["manifest"]}

    def log(self, out):
        return (self.dir / out / "logs" / "build-trt.log").read_text()

    def test_the_second_run_takes_the_engine_of_the_first(self):
        _, first = self.done(self.write(), "r1")
        self.assertRegex(first["engine_build"], r"^built in \d+ s$")
        done, second = self.done(self.write(), "r2")
        self.assertRegex(second["engine_build"], r"^cached, built in \d+ s on 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(len(self.calls("builds")), 1)
        self.assertNotIn("unknown", done.err)
        for out in ("r1", "r2"):
            self.assertEqual(self.log(out), f"converting {self.dir}/model\n[TensorRT-LLM] building\n")
        entry, = self.cache()
        self.assertEqual(first["engine_build_command"], second["engine_build_command"])
        self.assertEqual(first["engine_build_command"],
                         f"sh {self.dir}/bin/convert.sh {self.dir}/model {entry}/checkpoint && trtllm-build --checkpoint_dir "
                         f"{entry}/checkpoint --output_dir {entry}/engine --max_batch_size 64")
        self.assertEqual(first["converter"], "trtllm-build of tensorrt_llm 0.20.0")
        note = json.loads((entry / "build.json").read_text())
        self.assertEqual(note["commands"], first["engine_build_command"])
        self.assertEqual((entry / "build.log").read_text(), self.log("r1"))
        self.assertEqual(sorted(p.name for p in entry.iterdir()), ["build.json", "build.log", "engine"])
        for words in self.calls("serves"):
            self.assertEqual(words[0], f"{entry}/engine")
            self.assertEqual(words[words.index("--tokenizer") + 1], f"{self.dir}/model")

    def test_what_may_change_the_engine_builds_it_anew(self):
        def builds(spec, out):
            self.done(spec, out)
            return len(self.calls("builds"))

        self.assertEqual(builds(self.write(), "r1"), 1)
        self.assertEqual(builds(self.write(batch=32), "r2"), 2)
        self.version("0.21.0")
        self.assertEqual(builds(self.write(), "r3"), 3)
        (self.dir / "model" / "config.json").write_text('{"torch_dtype": "float16"}')
        self.assertEqual(builds(self.write(), "r4"), 4)
        with open(self.dir / "bin" / "convert.sh", "a") as script:
            script.write("# a later release\n")
        self.assertEqual(builds(self.write(), "r5"), 5)
        (self.dir / "model" / "tokenizer.json").write_text("{}")
        self.assertEqual(builds(self.write(), "r6"), 5)
        self.assertEqual(len(self.cache()), 5)

    def test_a_build_that_fails_is_explained_and_nothing_of_it_is_kept(self):
        (self.dir / "fail").write_text("trtllm-build: error: unrecognized arguments: --max_output_len 9")
        done = self.run_tool("run", self.write(), "--out", "r", env=self.env)
        self.assertEqual(done.code, 3, done.err)
        self.assertRegex(done.err, r"trt: its engine could not be built: trtllm-build ended with exit code 1 after \d+ s; "
                                   r"bad_argument: it does not know one of its arguments")
        self.assertIn("unrecognized arguments: --max_output_len 9", done.err)
        self.assertIn("r/logs/build-trt.log", done.err)
        self.assertIn("converting", self.log("r"))
        self.assertEqual(self.cache(), [])
        self.assertEqual(self.calls("serves"), [])
        (self.dir / "fail").unlink()
        self.done(self.write(), "r2")

    def test_a_model_without_weights_is_said_before_anything_is_run(self):
        (self.dir / "model" / "model.safetensors").unlink()
        done = self.run_tool("run", self.write(), "--out", "r", env=self.env)
        self.assertEqual(done.code, 3, done.err)
        self.assertIn(f"no weights (*.safetensors, *.bin) were found in {self.dir}/model", done.err)
        self.assertEqual(self.calls("builds"), [])

    def building(self, spec, out="r"):
        (self.dir / "slow").touch()
        tool = self.start_tool("run", spec, "--out", out, env=self.env)
        wait_for(lambda: self.calls("builds"), what="a build")
        self.assertTrue(self.builders())
        return tool

    def builders(self):
        return processes_with(f"{self.dir}/cache")

    def test_a_tool_that_is_killed_leaves_no_builder_and_no_engine(self):
        tool = self.building(self.write())
        tool.kill()
        tool.wait()
        wait_for(lambda: not self.builders(), what="the end of the builder")
        left, = self.cache()
        self.assertRegex(left.name, r"^[0-9a-f]{64}\..{6}$")  # a folder in work, which the next build removes
        (self.dir / "slow").unlink()
        self.done(self.write(), "r2")
        self.assertEqual(len(self.calls("builds")), 2)
        self.assertRegex("".join(p.name for p in self.cache()), r"^[0-9a-f]{64}$")

    def test_an_interrupt_ends_the_build_and_keeps_nothing(self):
        tool = self.building(self.write())
        tool.send_signal(signal.SIGINT)
        self.assertEqual(tool.wait(timeout=30), 130)
        self.assertEqual(self.builders(), [])
        self.assertEqual(self.cache(), [])
        self.assertIn("trt: interrupted while an engine was built", self.stderr())

    def test_two_runs_at_once_build_the_same_once(self):
        tool = self.building(self.write())
        other = self.start_tool("run", self.write("other.yaml"), "--out", "r2", env=self.env)
        wait_for(lambda: "another run builds the same engine" in self.stderr(), what="a run that waits")
        (self.dir / "slow").unlink()
        for each in (tool, other):
            self.assertIn(each.wait(timeout=60), (0, 4))
        self.assertEqual(len(self.calls("builds")), 1)
        self.assertEqual(len(self.calls("serves")), 2)

    def test_check_prints_the_command_lines_and_builds_nothing(self):
        done = self.run_tool("check", self.write(), env=self.env)
        self.assertEqual(done.code, 0, done.err)
        entry = f"{self.dir}/cache/evenbench/engines/KEY"
        self.assertIn(f"    its engine is built first, unless it is in the cache, by\n"
                      f"      sh {self.dir}/bin/convert.sh {self.dir}/model {entry}/checkpoint\n"
                      f"      trtllm-build --checkpoint_dir {entry}/checkpoint --output_dir {entry}/engine --max_batch_size 64\n",
                      done.out)
        self.assertFalse((self.dir / "cache").exists())
        refused = self.run_tool("check", self.spec((self.dir / "spec.yaml").read_text().replace("--max_batch_size", "--output_dir")),
                                env=self.env)
        self.assertEqual(refused.code, 2)
        self.assertIn("trt: build.args: --output_dir is set by evenbench itself", refused.err)

    def in_containers(self):
        docker = Daemon(self.dir / "docker", EVENBENCH)
        self.addCleanup(docker.close)
        docker.program(self.dir / "bin")
        return docker, self.write(launch='{ docker: "nvcr.io/nvidia/tensorrt-llm/unfetched:0.20" }',
                                  more=f", program: {self.dir}/bin/trtllm-build")

    def test_an_engine_is_built_in_the_container_that_serves_it(self):
        docker, spec = self.in_containers()
        printed = self.run_tool("check", spec, env=self.env).out
        _, facts = self.done(spec, "r")
        entry, = self.cache()
        calls = [call["argv"] for call in docker.notes.calls()]
        ran = [" ".join(["docker", *argv]) for argv in calls if argv[0] == "run"]
        self.assertEqual(len(ran), 3)
        for line in ran:
            line = re.sub(r"evenbench-r-\d-", "evenbench-RUN-", re.sub(r"/[0-9a-f]{64}(\.\w{6})?", "/KEY", line))
            self.assertIn(line + "\n", printed)
        self.assertIn("--volume " + str(entry) + "/engine:/engine:ro", ran[2])
        self.assertEqual(docker.notes.names("made"), [])
        self.assertEqual(facts["converter"],
                         f"trtllm-build of nvcr.io/nvidia/tensorrt-llm/unfetched:0.20 ({DIGEST})")
        self.assertEqual((entry / "engine" / "rank0.engine").read_bytes(), b"weights, converted")
        self.assertIn("Downloaded newer image", self.log("r"))
        self.assertNotIn("hf_do_not_tell", self.log("r") + (entry / "build.json").read_text() + " ".join(ran))
        _, facts = self.done(spec, "r2")
        self.assertIn("cached", facts["engine_build"])

    def test_a_container_that_builds_does_not_outlive_a_tool_that_is_killed(self):
        docker, spec = self.in_containers()
        tool = self.building(spec)
        self.assertEqual(len(docker.notes.names("made")), 1)
        tool.kill()
        tool.wait()
        wait_for(lambda: not docker.notes.names("made") and not self.builders(), what="the container's removal")


if __name__ == "__main__":
    unittest.main()
