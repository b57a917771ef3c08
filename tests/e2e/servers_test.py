"""Servers that want keys, other paths, fewer fields, or close what was idle (cases O-15, O-17 to O-19, O-24, O-26)."""

import json
import pathlib
import unittest

from harness import JSON, SSE, Case, models, scripted, stream

KEY = "sk-e2e-secret-1234"


def refuse(status, message):
    return status, JSON, json.dumps({"error": {"message": message}}).encode()


class Servers(Case):
    def quick(self, url, *args, out="r", tokens=4, **kwargs):
        return self.run_tool("quick", url, "--rate", 20, "--arrivals", "constant", "--output-tokens", tokens,
                             "--input-tokens", 12, "--out", out, *args, **kwargs)

    def key_server(self, accept):
        def answer(method, path, headers, body):
            if not accept(headers):
                return refuse(401, f"the key {headers.get('Authorization')} is not known")
            return models("m") if path == "/v1/models" else stream(["a", "b"])
        return answer

    def assert_key_nowhere(self, done):
        self.assertNotIn(KEY, done.out + done.err)
        for file in pathlib.Path(self.dir).rglob("*"):
            if file.is_file():
                self.assertNotIn(KEY.encode(), file.read_bytes(), file)

    def test_O17_a_key_goes_to_every_path_and_is_written_nowhere(self):
        with scripted(self.key_server(lambda h: h.get("Authorization") == f"Bearer {KEY}")) as server:
            done = self.quick(server.url, "--requests", 5, "--key-env", "E2E_KEY", env={"E2E_KEY": KEY})
            self.assertIn(done.code, (0, 4), done.err)
            self.assertEqual(self.steps("r")[0]["requests"]["good"], 5)
            self.assertTrue(all(h.get("Authorization") == f"Bearer {KEY}" for _, _, h, _ in server.seen))
        self.assert_key_nowhere(done)

    def test_a_line_end_behind_a_key_is_not_part_of_it_and_one_inside_is_refused(self):
        with scripted(self.key_server(lambda h: h.get("Authorization") == f"Bearer {KEY}")) as server:
            done = self.quick(server.url, "--requests", 3, "--key-env", "E2E_KEY", env={"E2E_KEY": KEY + "\n"})
            self.assertIn(done.code, (0, 4), done.err)
            self.assertEqual(self.steps("r")[0]["requests"]["good"], 3)
            self.assert_key_nowhere(done)
            server.seen.clear()
            broken = self.quick(server.url, "--requests", 3, "--key-env", "E2E_KEY", out="r2",
                                env={"E2E_KEY": "sk\r\nX-Evil: 1"})
            self.assertEqual(broken.code, 3)
            self.assertIn("E2E_KEY", broken.err)
            self.assertEqual(server.seen, [])

    def test_a_key_that_a_server_echoes_as_json_text_is_hidden_too(self):
        key = 'sk-"quoted"-9f8e'

        def answer(method, path, headers, body):
            if path == "/v1/models":
                return models("m")
            if len([1 for m, *_ in server.seen if m == "POST"]) == 1:  # the probe
                return stream(["a"])
            return 500, {"Content-Type": "text/plain"}, ("who is " + json.dumps(headers["Authorization"])).encode()

        with scripted(answer) as server:
            self.quick(server.url, "--requests", 2, "--key-env", "E2E_KEY", env={"E2E_KEY": key})
        for file in pathlib.Path(self.dir).rglob("*"):
            if file.is_file():
                self.assertNotIn(b"9f8e", file.read_bytes(), file)
        self.assertIn("[key]", (self.dir / "r" / "summary.json").read_text())

    def test_O17_without_the_key_the_run_stops_at_once_and_sends_no_load(self):
        with scripted(self.key_server(lambda h: h.get("Authorization") == f"Bearer {KEY}")) as server:
            done = self.quick(server.url, "--requests", 5)
            self.assertEqual(done.code, 3)
            self.assertIn("401", done.err)
            self.assertIn(server.url, done.err)
            self.assertLess(done.seconds, 10)
            self.assertEqual([p for m, p, _, _ in server.seen if m == "POST"], [])
            missing = self.quick(server.url, "--requests", 5, "--key-env", "NO_SUCH_VARIABLE", out="r2")
            self.assertEqual(missing.code, 3)
            self.assertIn("NO_SUCH_VARIABLE", missing.err)

    def test_O17_a_key_that_expires_fails_the_rest_by_name_and_is_not_echoed(self):
        left = [6]  # one probe, five good

        def accept(headers):
            left[0] -= 1
            return left[0] >= 0

        def answer(method, path, headers, body):
            if path == "/v1/models":
                return models("m")
            return self.key_server(accept)(method, path, headers, body)

        with scripted(answer) as server:
            done = self.quick(server.url, "--requests", 9, "--key-env", "E2E_KEY", env={"E2E_KEY": KEY})
        self.assertEqual(self.steps("r")[0]["requests"]["good"], 5, done.err)
        step = self.steps("r")[0]
        self.assertEqual(step["requests"]["endings"]["http_error"], 4)
        self.assertIn("HTTP 401", json.dumps(step["failures"]))
        self.assert_key_nowhere(done)

    def test_O18_every_form_of_a_base_address_reaches_the_same_route(self):
        def answer(method, path, headers, body):
            return models("short-name") if path.endswith("/models") else stream(["a"])

        with scripted(answer) as server:
            for i, base in enumerate(("", "/", "/v1", "/v1/", "/openai/v1")):
                done = self.quick(server.url + base, "--requests", 1, "--model", "short-name", out=f"r{i}")
                self.assertIn(done.code, (0, 4), done.err)
            posts = [(p, json.loads(b)["model"]) for m, p, _, b in server.seen if m == "POST"]
            self.assertEqual({m for _, m in posts}, {"short-name"})
            paths = [p for p, _ in posts]
            self.assertEqual(set(paths), {"/v1/chat/completions", "/openai/v1/chat/completions"})
            self.assertEqual(paths.count("/openai/v1/chat/completions"), 2)  # one probe, one measured

    def test_a_tgi_is_asked_for_the_model_tgi_whatever_the_run_calls_it(self):
        def answer(method, path, headers, body):
            return models("/data/its-folder") if path == "/v1/models" else stream(["a"])

        spec = ("evenbench: 1\nmodel: {{ name: llama }}\nsystems: [ {{ name: a, engine: tgi, attach: {{ url: '{url}' }}{more} }} ]\n"
                "workload: {{ lengths: {{ input: 10, output: 1 }} }}\nload: {{ ladder: {{ rates: [5], requests: 2 }} }}\n")
        for folder, more, asked in (("r", "", "tgi"), ("r2", ", model_name: an-adapter", "an-adapter")):
            with scripted(answer) as server:
                done = self.run_tool("run", self.spec(spec.format(url=server.url, more=more)), "--out", folder)
                self.assertIn(done.code, (0, 4), done.err)
                self.assertEqual(self.steps(folder)[0]["requests"]["good"], 2)
                bodies = [json.loads(b) for m, path, _, b in server.seen if m == "POST" and path.endswith("completions")]
                self.assertGreaterEqual(len(bodies), 3)  # what is asked before the load, and two measured
                self.assertEqual({b["model"] for b in bodies}, {asked})

    def test_O18_a_wrong_path_stops_the_run_with_the_full_address(self):
        with scripted(lambda *_: refuse(404, "no such route")) as server:
            done = self.quick(server.url + "/api", "--requests", 1, "--model", "m")
            self.assertEqual(done.code, 3)
            self.assertIn(f"{server.url}/api/v1/", done.err)
            self.assertIn("404", done.err)

    def test_O11_the_name_of_the_length_field_decides_whether_the_length_is_honoured(self):
        def answer(method, path, headers, body):
            if path == "/v1/models":
                return models("m")
            asked = json.loads(body).get("max_completion_tokens", 16)
            return stream(["w"] * asked, finish="length")

        with scripted(answer) as server:
            self.quick(server.url, "--requests", 3, tokens=64)
            self.assertIn("length_not_honoured", json.dumps(self.summary("r")["findings"]))
            self.assertEqual(self.steps("r")[0]["output_tokens"]["total"], 48)
            server.seen.clear()
            self.quick(server.url, "--requests", 3, "--output-field", "max_completion_tokens", "--ignore-eos",
                       out="r2", tokens=64)
            self.assertNotIn("length_not_honoured", json.dumps(self.summary("r2")["findings"]))
            self.assertEqual(self.steps("r2")[0]["output_tokens"]["total"], 192)
            measured = [json.loads(b) for m, _, _, b in server.seen if m == "POST"][1:]
            self.assertEqual([b["max_completion_tokens"] for b in measured], [64] * 3)
            self.assertTrue(all(b["ignore_eos"] is True and "max_tokens" not in b for b in measured))

    def strict(self, method, path, headers, body):
        """Refuses every field beyond the four that the API cannot do without, and every null."""
        if path == "/v1/models":
            return models("m")
        for name, value in json.loads(body).items():
            if name not in ("model", "messages", "stream", "max_tokens") or value is None:
                detail = [{"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted"}]
                return 422, JSON, json.dumps({"detail": detail}).encode()
        return stream(["a", "b"])

    def test_O19_a_server_that_refuses_stream_options_is_measured_without_them_and_it_is_said(self):
        with scripted(self.strict) as server:
            done = self.quick(server.url, "--requests", 3)
            self.assertIn(done.code, (0, 4), done.err)
            self.assertEqual(self.steps("r")[0]["requests"]["good"], 3)
            last = json.loads([b for m, _, _, b in server.seen if m == "POST"][-1])
            self.assertEqual(set(last), {"model", "messages", "stream", "max_tokens"})
        self.assertIn("stream_options", done.err)
        self.assertIn("stream_options", json.dumps(self.summary("r")["findings"]))

    def test_O19_a_field_the_user_asked_for_is_only_dropped_with_leave(self):
        with scripted(self.strict) as server:
            done = self.quick(server.url, "--requests", 3, "--ignore-eos")
            self.assertEqual(done.code, 3)
            self.assertIn("ignore_eos", done.err)
            allowed = self.quick(server.url, "--requests", 3, "--ignore-eos", "--allow-dropping", "ignore_eos", out="r2")
            self.assertIn(allowed.code, (0, 4), allowed.err)
            self.assertEqual(self.steps("r2")[0]["requests"]["good"], 3)
            self.assertIn("ignore_eos", json.dumps(self.summary("r2")["findings"]))

    def test_O15_a_refusal_is_a_failure_unless_retries_are_asked_for_and_then_counted(self):
        known = set()

        def answer(method, path, headers, body):
            if path == "/v1/models":
                return models("m")
            again = body in known
            known.add(body)
            if not again and len(known) % 2 == 0:  # the first attempt of every second request
                return 503, {"Retry-After": "0", **JSON}, b'{"error":{"message":"busy"}}'
            return stream(["a"])

        with scripted(answer) as server:
            plain = self.quick(server.url, "--requests", 4)
            step = self.steps("r")[0]
            self.assertEqual(step["requests"]["endings"]["http_error"], 2, plain.err)
            self.assertIn("HTTP 503: busy", json.dumps(step["failures"]))
            known.clear()
            self.quick(server.url, "--requests", 4, "--retries", 1, "--retry-wait", 0.01, out="r2")
            self.assertEqual(self.steps("r2")[0]["requests"]["good"], 4)

    def test_failures_of_a_step_are_explained_in_the_flags_of_its_engine(self):
        seen = []

        def answer(method, path, headers, body):
            if path == "/v1/models":
                return models("m")
            if method == "GET":
                return 200, JSON, b"{}"
            seen.append(1)
            if len(seen) % 2 == 0:
                return 200, SSE, (b'data: {"error":{"message":"Model is overloaded","http_status_code":422}}\n\n'
                                  b"data: [DONE]\n\n")
            return stream(["a"])

        with scripted(answer) as server:
            spec = self.spec(f"""evenbench: 1
systems: [ {{ name: t, engine: tgi, attach: {{ url: "{server.url}" }} }} ]
workload: {{ lengths: {{ input: 12, output: 4 }} }}
load: {{ ladder: {{ rates: [40], requests: 10, arrivals: constant }} }}
""")
            done = self.run_tool("run", spec, "--out", "r")
        self.assertIn(done.code, (0, 4), done.err)
        found = [f for f in self.summary("r")["findings"] if f["code"] == "server_overloaded"]
        self.assertEqual(len(found), 1, self.summary("r")["findings"])
        self.assertEqual((found[0]["scope"], found[0]["severity"]), ("step", "warning"))
        self.assertIn("--max-concurrent-requests", found[0]["text"])
        self.assertIn("Model is overloaded", found[0]["text"])

    def test_O24_a_connection_that_the_server_closed_is_opened_again_and_counted(self):
        url, _ = self.truth("--ttft", 2, "--interval", 1, "--tokens", 2, "--max-idle", 0.25)
        done = self.run_tool("quick", url, "--rate", 2, "--arrivals", "constant", "--requests", 4, "--output-tokens", 2,
                             "--out", "r")
        self.assertIn(done.code, (0, 4), done.err)
        self.assertEqual(self.steps("r")[0]["requests"]["good"], 4)

    def test_O26_a_proxy_in_the_environment_does_not_take_local_traffic(self):
        url, _ = self.simulated()
        dead = "http://127.0.0.1:9"
        done = self.quick(url, "--requests", 3, env={"HTTP_PROXY": dead, "http_proxy": dead, "ALL_PROXY": dead})
        self.assertIn(done.code, (0, 4), done.err)
        self.assertEqual(self.steps("r")[0]["requests"]["good"], 3)
        self.assertIn("proxy: none", done.err)

    def test_O04_whole_answers_have_no_time_to_first_token_and_say_why(self):
        url, _ = self.simulated()
        done = self.quick(url, "--requests", 3, "--no-stream")
        self.assertIn(done.code, (0, 4), done.err)
        step = self.steps("r")[0]
        self.assertEqual(step["ttft_ms"]["count"], 0)
        self.assertEqual(step["e2e_ms"]["count"], 3)
        self.assertIn("not streamed", " ".join(step["reasons"]))


if __name__ == "__main__":
    unittest.main()
