// A ReadinessMachine, the instant it lives in, and the steps that its tests take. No server, no
// process, no clock.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "engine/readiness_machine.h"

namespace evenbench::engine::testing {

class NoProcess final : public ChildProcess {
 public:
  [[nodiscard]] int pid() const override { return 1; }
  std::optional<ExitStatus> poll() override { return std::nullopt; }
  [[nodiscard]] std::vector<int> living() const override { return {}; }
  ExitStatus stop(Nanos) override { return {}; }
};

inline const char* const kModels = R"({"object":"list","data":[{"id":"mine"}]})";

inline Exchanged good() {
  Exchanged out;
  out.ending = Ending::kDone;
  out.http_status = 200;
  out.output_tokens = 4;
  out.source = TokenSource::kUsage;
  return out;
}

inline Exchanged http_error(int status, const std::string& text) {
  Exchanged out;
  out.ending = Ending::kHttpError;
  out.http_status = status;
  out.detail = "HTTP " + std::to_string(status) + (text.empty() ? "" : ": " + text);
  return out;
}

inline Exchanged failed(Ending ending, const std::string& detail) {
  Exchanged out;
  out.ending = ending;
  out.detail = detail;
  return out;
}

class ReadinessBench : public ::testing::Test {
 protected:
  ReadinessBench() {
    options_.adapter = *adapter_named("vllm");
    options_.transport.endpoint = *wire::parse_endpoint("http://h:1");
    options_.headers = {{"Authorization", "Bearer K1-secret"}};
    options_.log = "/logs/x.log";
  }

  void launched() { options_.child = &process_; }
  ReadinessMachine& machine() {
    if (!machine_) machine_.emplace(options_, now_);
    return *machine_;
  }
  Ask next() { return machine().next(now_); }
  void answers(int status, const std::string& body = "") {
    machine().on_answer(net::Fetched{status, "application/json", body}, now_);
  }
  void refused() {
    machine().on_answer(environment_error("GET http://h:1/health: connection refused"), now_);
  }
  void probes(const Exchanged& exchanged) { machine().on_probe(exchanged, now_); }
  void pause() {
    ASSERT_EQ(next().what, Ask::What::kPause);
    now_ += next().limit;
    machine().on_paused();
  }
  // As far as the streamed request.
  void up_to_probe() {
    answers(200);
    answers(200, kModels);
    answers(200, R"({"version":"0.11.0"})");
    ASSERT_EQ(next().what, Ask::What::kProbe);
  }
  std::string error() {
    EXPECT_EQ(next().what, Ask::What::kGiveUp);
    return next().what == Ask::What::kGiveUp ? machine().error().message : "";
  }

  NoProcess process_;
  ReadinessOptions options_;
  MonoTime now_{std::chrono::seconds{100}};
  std::optional<ReadinessMachine> machine_;
};

}  // namespace evenbench::engine::testing
