"""Keys: where they come from, who is sent them, and what becomes of a run whose key does not hold."""

import json
import os
import pathlib
import time
import unittest

from harness import JSON, Case, free_port, models, processes_with, scripted, stream

KEY = "sk-e2e-taotoken-7741-secret"


def refuse(status, message, code=None):
    return status, JSON, json.dumps({"error": {"message": message, "code": code}}).encode()


def key_of(headers):
    return (headers.get("Authorization") or "").removeprefix("Bearer ")


class Credentials(Case):
    def quick(self, url, *args, rate=100, key=KEY, out="r"):
        return self.run_tool("quick", url, "--rate", rate, "--arrivals", "constant", "--output-tokens", 2, "--input-tokens", 12,
                             "--key-env", "E2E_KEY", "--out", out, *args, env={"E2E_KEY": key})

    def assert_key_nowhere(self, *done):
        for one in done:
            self.assertNotIn(KEY, one.out + one.err)
        for file in pathlib.Path(self.dir).rglob("*"):
            if file.is_file() and file.name != ".env":
                self.assertNotIn(KEY.encode(), file.read_bytes(), file)

    def finding(self, code, folder="r"):
        return [f for f in self.summary(folder)["findings"] if f["code"] == code]

    def two_systems(self, attach, more="", steps="rates: [20], requests: 3"):
        """A launched simulated engine and an attached system."""
        return self.spec(f"""evenbench: 1
{more}
systems:
  - {{ name: local, engine: sim, port: {free_port()} }}
  - {{ name: cloud, engine: openai, model_name: m, {attach} }}
workload: {{ lengths: {{ input: 12, output: 2 }} }}
load: {{ ladder: {{ {steps}, arrivals: constant }} }}
""")

    def test_a_wrong_key_costs_nothing_because_it_is_found_before_any_launch(self):
        def answer(method, path, headers, body):
            if path.endswith("/models"):  # open to everyone, as TGI's list is
                return models("m")
            return refuse(401, f"unknown key {key_of(headers)}")

        with scripted(answer) as server:
            spec = self.two_systems(f'attach: {{ url: "{server.url}" }}, key_env: E2E_KEY')
            done = self.run_tool("run", spec, "--out", "r", env={"E2E_KEY": KEY})
            self.assertEqual(done.code, 3, done.err)
            self.assertIn("cloud: ", done.err)
            self.assertIn("key_refused: the key in E2E_KEY is not accepted", done.err)
            self.assertNotIn("starting local", done.err)
            self.assertFalse((self.dir / "r").exists())
            posts = [json.loads(b) for m, _, _, b in server.seen if m == "POST"]
            self.assertEqual([p["max_tokens"] for p in posts], [1])
        self.assert_key_nowhere(done)

    def test_each_refusal_before_the_load_has_its_class_and_code_3(self):
        cases = [
            (401, "Unauthorized", None, "key_refused"),
            (403, "model not allowed", None, "permission"),
            (403, "user quota is not enough", "insufficient_user_quota", "quota"),
            (429, "You exceeded your current quota, please check your plan", "insufficient_quota", "quota"),
            (429, "Rate limit reached for requests", "rate_limit_exceeded", "throttled"),
            (502, "Bad gateway", None, "provider_fault"),
            (404, "The model `m` does not exist", "model_not_found", "unknown_model"),
        ]
        for i, (status, message, code, name) in enumerate(cases):
            def answer(method, path, headers, body, status=status, message=message, code=code):
                if method == "GET":
                    return models("m")
                return refuse(status, f"{message} ({key_of(headers)})", code)

            with self.subTest(name), scripted(answer) as server:
                done = self.quick(server.url, "--requests", 2, out=f"r{i}")
                self.assertEqual(done.code, 3, done.err)
                self.assertIn(f"; {name}: ", done.err)
                self.assertIn(str(status), done.err)
                self.assert_key_nowhere(done)

    def expiring(self, after, refusal):
        """Serves one probe and then `after` requests, and refuses the rest."""
        seen = []

        def answer(method, path, headers, body):
            if method == "GET":
                return models("m")
            seen.append(time.monotonic())
            return stream(["a", "b"]) if len(seen) <= 1 + after else refusal(headers)

        answer.seen = seen
        return answer

    def test_a_key_that_expires_after_50_requests_ends_the_step_and_keeps_them(self):
        argv = []

        def expired(headers):
            if not argv:
                argv.append(processes_with(KEY))
            return refuse(401, f"token {key_of(headers)} has expired (request id: {time.monotonic_ns()})")

        answer = self.expiring(50, expired)
        with scripted(answer) as server:
            done = self.quick(server.url, "--requests", 1000)
        self.assertEqual(done.code, 3, done.err)
        self.assertTrue(argv and not any(argv), argv)  # no command line of any process held the key
        step = self.steps("r")[0]
        self.assertEqual(step["requests"]["good"], 50)
        self.assertLess(len(answer.seen), 400)  # about a second of refusals at 100 a second, not a thousand requests
        found = self.finding("key_refused_mid_run")
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0]["scope"], "step")
        self.assertIn("after its begin", found[0]["text"])
        self.assertIn("[key] has expired", found[0]["text"])
        self.assertIn("put a valid one into E2E_KEY", found[0]["text"])
        self.assertIn("key_refused_mid_run", json.dumps(self.assert_readable("r")))
        self.assert_key_nowhere(done)

    def test_a_quota_that_runs_out_ends_the_step_by_its_own_name(self):
        for i, (status, code) in enumerate([(403, "insufficient_user_quota"), (429, "insufficient_quota"), (402, None)]):
            with self.subTest(status), scripted(self.expiring(10, lambda h: refuse(status, "payment required", code))) as server:
                done = self.quick(server.url, "--requests", 400, out=f"r{i}")
                self.assertEqual(done.code, 3, done.err)
                self.assertEqual(self.steps(f"r{i}")[0]["requests"]["good"], 10)
                self.assertEqual(len(self.finding("quota_exhausted_mid_run", f"r{i}")), 1)
                self.assertIn("quota: the money or allowance behind the key in E2E_KEY", done.err)

    def test_a_throttle_is_counted_and_does_not_end_the_step(self):
        answer = self.expiring(10, lambda h: (429, {"Retry-After": "1", **JSON},
                                              b'{"error":{"message":"Rate limit: 10 requests per minute"}}'))
        with scripted(answer) as server:
            done = self.quick(server.url, "--requests", 250)
        self.assertIn(done.code, (0, 4), done.err)
        step = self.steps("r")[0]
        self.assertEqual(step["requests"]["good"], 10)
        self.assertEqual(step["requests"]["endings"]["http_error"], 240)
        self.assertNotIn("mid_run", json.dumps(self.summary("r")["findings"]))

    def test_a_gateway_that_refuses_a_valid_key_now_and_then_is_measured_to_the_end(self):
        seen = []

        def answer(method, path, headers, body):
            if method == "GET":
                return models("m")
            seen.append(1)
            return refuse(401, "invalid token") if len(seen) % 3 == 0 else stream(["a"])

        with scripted(answer) as server:
            done = self.quick(server.url, "--requests", 200)
        self.assertIn(done.code, (0, 4), done.err)
        self.assertGreater(self.steps("r")[0]["requests"]["endings"]["http_error"], 60)
        self.assertNotIn("mid_run", json.dumps(self.summary("r")["findings"]))

    def test_address_and_key_come_from_the_environment_whatever_the_path_of_the_base(self):
        def answer(method, path, headers, body):
            if key_of(headers) != KEY:
                return refuse(401, "no")
            return models("m") if path.endswith("/models") else stream(["a"])

        for i, (base, prefix) in enumerate([("/api/v1", "/api/v1"), ("/api/v1/", "/api/v1"), ("/v1", "/v1"), ("", "/v1"), ("/", "/v1")]):
            with self.subTest(base), scripted(answer) as server:
                spec = self.two_systems("attach: {}")
                done = self.run_tool("run", spec, "--out", f"r{i}",
                                     env={"TAOTOKEN_API_KEY": KEY, "TAOTOKEN_BASE_URL": server.url + base})
                self.assertIn(done.code, (0, 4), done.err)
                self.assertEqual({p for m, p, _, _ in server.seen if m == "POST"}, {f"{prefix}/chat/completions"})
                self.assertEqual({p for m, p, _, _ in server.seen if m == "GET"}, {f"{prefix}/models"})
                cloud = [s for s in self.summary(f"r{i}")["systems"] if s["name"] == "cloud"][0]
                self.assertEqual(cloud["steps"][0]["requests"]["good"], 3)
                # A path of its own tells of a gateway; without one, loopback is this machine.
                self.assertEqual(len(self.finding("remote_system", f"r{i}")), 1 if prefix == "/api/v1" else 0)
                self.assert_key_nowhere(done)

    def test_a_local_server_is_not_sent_the_usual_key(self):
        with scripted(lambda m, p, h, b: models("m") if m == "GET" else stream(["a"])) as server:
            for i, (remote, sent) in enumerate([("", set()), (", remote: true", {KEY})]):
                server.seen.clear()
                spec = self.two_systems(f'attach: {{ url: "{server.url}" }}{remote}')
                done = self.run_tool("run", spec, "--out", f"r{i}", env={"TAOTOKEN_API_KEY": KEY})
                self.assertIn(done.code, (0, 4), done.err)
                self.assertEqual({key_of(h) for _, _, h, _ in server.seen} - {""}, sent)
                self.assertEqual(len(self.finding("remote_system", f"r{i}")), len(sent))

    def test_an_env_file_gives_the_key_and_is_complained_of_when_others_can_read_it(self):
        def answer(method, path, headers, body):
            if key_of(headers) != KEY:
                return refuse(401, "no")
            return models("m") if method == "GET" else stream(["a"])

        env = self.dir / ".env"
        env.write_text(f"# keys\nexport E2E_FILE_KEY='{KEY}' # mine\n")
        with scripted(answer) as server:
            spec = self.two_systems(f'attach: {{ url: "{server.url}" }}', "credentials: { key_env: E2E_FILE_KEY }")
            for i, (mode, warns) in enumerate([(0o600, False), (0o644, True)]):
                os.chmod(env, mode)
                done = self.run_tool("run", spec, "--out", f"r{i}", "--quiet")
                self.assertIn(done.code, (0, 4), done.err)
                self.assertEqual("chmod 600" in done.err, warns, done.err)
                self.assertEqual(len(self.finding("env_file_readable", f"r{i}")), int(warns))
                self.assert_key_nowhere(done)
            server.seen.clear()
            wins = self.run_tool("run", spec, "--out", "r9", env={"E2E_FILE_KEY": "sk-of-the-environment"})
            self.assertEqual(wins.code, 3)
            self.assertEqual({key_of(h) for _, _, h, _ in server.seen}, {"sk-of-the-environment"})

    def test_a_line_of_an_env_file_that_is_not_understood_is_named_and_not_shown(self):
        (self.dir / "my.env").write_text(f"A=1\nE2E_FILE_KEY = {KEY}\n")
        spec = self.two_systems('attach: { url: "http://127.0.0.1:9" }', "credentials: { env_file: my.env, key_env: E2E_FILE_KEY }")
        done = self.run_tool("run", spec, "--out", "r")
        self.assertEqual(done.code, 3)
        self.assertIn("my.env:2: this is not NAME=value", done.err)
        self.assertNotIn(KEY, done.out + done.err)

    def test_check_asks_nobody_unless_told_to(self):
        with scripted(lambda m, p, h, b: models("m") if m == "GET" else refuse(401, "no")) as server:
            spec = self.two_systems(f'attach: {{ url: "{server.url}" }}')
            self.assertEqual(self.run_tool("check", spec).code, 0)
            self.assertEqual(server.seen, [])
            asked = self.run_tool("check", spec, "--preflight")
            self.assertEqual(asked.code, 3)
            self.assertIn("key_refused", asked.err)
            self.assertEqual(len([1 for m, *_ in server.seen if m == "POST"]), 1)


if __name__ == "__main__":
    unittest.main()
