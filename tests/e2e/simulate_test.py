"""`simulate` as a counterpart that has been told to differ: over its own routes, and what a run against it makes of it."""

import json
import os
import re
import unittest
import urllib.error
import urllib.request

from harness import Case


def get(url):
    with urllib.request.urlopen(url, timeout=20) as answer:
        return answer.read().decode()


def ask(url, prompt="one two", **fields):
    body = {"model": "sim-model", "messages": [{"role": "user", "content": prompt}], "max_tokens": 8, **fields}
    request = urllib.request.Request(url + "/v1/chat/completions", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


class Simulate(Case):
    def test_every_profile_serves_a_run_and_writes_a_log(self):
        for profile in ("vllm", "trtllm", "tgi", "sglang"):
            url, _ = self.simulated(profile, "--speed", 20)
            done = self.run_tool("quick", url, "--rate", 20, "--requests", 4, "--output-tokens", 3, "--out", profile)
            self.assertIn(done.code, (0, 4), done.err)
            step = self.steps(profile)[0]
            self.assertEqual(step["requests"]["good"], 4, profile)
            self.assertEqual(step["output_tokens"]["total"], 12, profile)

    def test_a_setting_is_shown_and_other_weights_answer_otherwise(self):
        url, _ = self.simulated("sglang", "--dtype", "float16", "--prefix-caching", "off", "--speed", 20)
        shown = json.loads(get(url + "/server_info"))
        self.assertEqual((shown["dtype"], shown["disable_radix_cache"]), ("float16", True))
        other, _ = self.simulated("vllm", "--answers", "other", "--speed", 20)
        same, _ = self.simulated("tgi", "--speed", 20)
        texts = [ask(u, temperature=0)["choices"][0]["message"]["content"] for u in (url, other, same)]
        self.assertEqual(texts[0], texts[2])
        self.assertNotEqual(texts[0], texts[1])

    def test_args_of_a_spec_reach_the_engine_that_is_launched(self):
        spec = self.spec("""evenbench: 1
systems:
  - { name: a, engine: sim, profile: vllm, port: 18321, args: [--max-model-len, "512", --speed, "20"] }
workload: { lengths: { input: 20, output: 4 } }
load: { closed: { concurrency: 1, requests: 3 } }
""")
        done = self.run_tool("run", spec, "--out", "r")
        self.assertIn(done.code, (0, 4), done.err)
        log = "".join(f.read_text() for f in (self.dir / "r" / "logs").rglob("*") if f.is_file())
        self.assertIn("max_seq_len=512", log)
        self.assertRegex(log, re.escape("KV cache size: 160,000 tokens"))

    def test_a_key_is_asked_for_and_never_shown(self):
        os.environ["SIM_KEY"] = "sim-secret-4711"
        self.addCleanup(os.environ.pop, "SIM_KEY")
        url, _ = self.simulated("sglang", "--api-key-env", "SIM_KEY", "--speed", 20)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            get(url + "/server_info")
        self.assertEqual(refused.exception.code, 401)
        self.assertNotIn("sim-secret", refused.exception.read().decode())
        request = urllib.request.Request(url + "/server_info", headers={"Authorization": "Bearer sim-secret-4711"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            self.assertNotIn("sim-secret", answer.read().decode())
        done = self.run_tool("quick", url, "--rate", 20, "--requests", 2, "--output-tokens", 2)
        self.assertEqual(done.code, 3, done.err)

    def test_a_flag_that_cannot_be_is_refused_with_its_name(self):
        for args, says in ((("--api-key-env", "NO_SUCH_KEY"), "NO_SUCH_KEY"),
                           (("--max-model-len", 999999), "max-model-len"),
                           (("--key-after", 3), "--api-key-env"),
                           (("--prefix-caching", "maybe"), "--prefix-caching")):
            done = self.run_tool("simulate", "--port", 0, *args)
            self.assertEqual(done.code, 2, args)
            self.assertIn(says, done.err)


if __name__ == "__main__":
    unittest.main()
