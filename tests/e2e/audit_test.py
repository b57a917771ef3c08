"""Even terms: three simulated engines that are alike, and one planted difference after the other."""
import json
import re
import unittest

from harness import Case, free_port

SPEC = """evenbench: 1
title: terms
systems:
{systems}
workload: {{ lengths: {{ input: 20, output: 8 }} }}
request: {request}
load: {{ ladder: {{ rates: [20], requests: 10 }} }}
{more}"""
ALIKE = ["--speed", "20", "--max-num-seqs", "64", "--chunked-prefill", "on"]
SENT = "{ temperature: 0, top_p: 0.9 }"

# Arguments of the second of two systems, the term that must be named, and the label.
PLANTED = [
    (["--dtype", "float16"], "dtype", "NOT_COMPARABLE"),
    (["--quantization", "awq"], "quantization", "NOT_COMPARABLE"),
    (["--kv-cache-dtype", "fp8"], "kv_cache_dtype", "NOT_COMPARABLE"),
    (["--answers", "other"], "weights_hash", "NOT_COMPARABLE"),
    (["--answers", "other"], "answers", "NOT_COMPARABLE"),
    (["--gibberish"], "answers", "NOT_COMPARABLE"),
    (["--tokens-per-word", "1.5"], "token_counts", "NOT_COMPARABLE"),
    (["--max-model-len", "4096"], "max_model_len", "WITH_RESERVATIONS"),
    (["--prefix-caching", "off"], "prefix_cache", "WITH_RESERVATIONS"),
    (["--chunked-prefill", "off"], "chunked_prefill", "WITH_RESERVATIONS"),
    (["--max-num-seqs", "32"], "max_running", "WITH_RESERVATIONS"),
    (["--speculative", "ngram"], "speculative", "WITH_RESERVATIONS"),
    (["--stream-interval", "4"], "stream_interval", "WITH_RESERVATIONS"),
    (["--truncate"], "truncation", "WITH_RESERVATIONS"),
]


def replaced(base, planted):
    """The arguments of `base`, where `planted` sets the same flag, with its value."""
    flags = [word for word in planted if word.startswith("--")]
    kept, skip = [], False
    for word in base:
        if skip:
            skip = False
        elif word in flags:
            skip = True
        else:
            kept.append(word)
    return kept + planted


class EvenTerms(Case):
    def compare(self, profiles, second=(), request=SENT, more=""):
        lines = []
        for number, profile in enumerate(profiles):
            args = replaced(ALIKE, list(second)) if number == 1 else ALIKE
            lines.append(f"  - {{ name: s{number}, engine: sim, profile: {profile}, port: {free_port()}, "
                         f"args: {json.dumps(args)} }}")
        spec = self.spec(SPEC.format(systems="\n".join(lines), request=request, more=more))
        done = self.run_tool("run", spec, "--json")
        return done, (json.loads(done.out)["comparability"] if done.out else None)

    def test_three_engines_that_are_alike_are_like_for_like(self):
        done, terms = self.compare(["vllm", "trtllm", "tgi"])
        self.assertEqual(terms["label"], "LIKE_FOR_LIKE", terms["findings"])
        self.assertEqual(terms["findings"], [])
        self.assertIn("LIKE_FOR_LIKE", done.err)

    def test_every_planted_difference_is_named_with_the_right_label(self):
        for planted, term, label in PLANTED:
            with self.subTest(planted=planted, term=term):
                done, terms = self.compare(["vllm", "vllm"], planted)
                self.assertEqual(terms["label"], label, terms["findings"])
                named = [finding for finding in terms["findings"] if finding["term"] == term]
                self.assertTrue(named, terms["findings"])
                self.assertIn("s1", named[0]["text"])
                self.assertEqual(done.code, 4 if label == "NOT_COMPARABLE" else done.code)

    def test_a_system_whose_answers_are_empty_is_not_measured_at_all(self):
        done, _ = self.compare(["vllm", "vllm"], ["--empty-answers"])
        self.assertEqual(done.code, 3, done.err)
        self.assertNotIn("s1 is ready", done.err)

    def test_strict_ends_before_the_load_of_the_system_that_differs(self):
        done, _ = self.compare(["vllm", "vllm"], ["--dtype", "float16"], more="strict: true\n")
        self.assertEqual(done.code, 4, done.err)
        self.assertIn("the systems are not comparable, and strict: true asks for no such run", done.err)
        loads = re.findall(r"^s\d, 20 requests/s", done.err, re.MULTILINE)
        self.assertEqual(len(loads), 1, done.err)


if __name__ == "__main__":
    unittest.main()
