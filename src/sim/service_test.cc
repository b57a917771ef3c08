#include "sim/service.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/exchange.h"

namespace evenbench::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr MonoTime kStart{seconds{50}};
constexpr WallTime kWall{seconds{1'800'000'000}};

ServerOptions options_of(std::string_view name) {
  ServerOptions options;
  options.profile = profile_named(name).value();
  return options;
}

// Reads what comes as the measuring client would, and keeps the bytes.
class Reader final : public Client {
 public:
  explicit Reader(bool stream) { exchange_.begin(stream, true); }
  void send(std::string_view bytes) override {
    text += bytes;
    status = exchange_.on_bytes(bytes, {now, now});
  }
  void end() override { ended = true; }
  Exchanged take() { return exchange_.take(); }

  MonoTime now = kStart;
  std::string text;
  bool ended = false;
  wire::Exchange::Status status = wire::Exchange::Status::kMore;

 private:
  wire::Exchange exchange_;
};

std::string chat(std::string_view more, std::string_view prompt = "one two  three\\nfour") {
  return fmt::format(R"({{"model":"sim-model","messages":[{{"role":"user","content":"{}"}}]{}}})",
                     prompt, more);
}

void run_out(Service& service, Reader& reader) {
  while (const auto next = service.next_instant()) {
    reader.now = *next;
    service.advance(*next);
  }
}

Exchanged ask(std::string_view profile, std::string_view route, const std::string& body,
              std::string* bytes = nullptr) {
  Service service(options_of(profile), kStart, kWall);
  Reader reader(body.find("\"stream\":true") != std::string::npos);
  service.handle({"POST", route, body, true}, reader, kStart);
  run_out(service, reader);
  EXPECT_TRUE(reader.ended);
  EXPECT_EQ(reader.status, wire::Exchange::Status::kComplete) << reader.text;
  if (bytes != nullptr) *bytes = reader.text;
  return reader.take();
}

std::string got(Service& service, std::string_view target, MonoTime now = kStart) {
  Reader reader(false);
  service.handle({"GET", target, "", true}, reader, now);
  EXPECT_TRUE(reader.ended);
  return reader.text;
}

constexpr const char* kChat = "/v1/chat/completions";
constexpr const char* kCompletions = "/v1/completions";
constexpr const char* kStreamed =
    R"(,"stream":true,"max_tokens":5,"stream_options":{"include_usage":true})";

TEST(Service, StreamsInEveryDialectAsTheClientReadsIt) {
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang"}) {
    const Exchanged x = ask(name, kChat, chat(kStreamed));
    EXPECT_EQ(x.ending, Ending::kDone) << name << ": " << x.detail;
    EXPECT_EQ(x.tokens.size(), 5U) << name;
    EXPECT_EQ(x.output_tokens, 5U) << name;
    EXPECT_EQ(x.prompt_tokens, 4U) << name;
    EXPECT_EQ(x.source, TokenSource::kUsage) << name;
    EXPECT_EQ(x.finish_reason, "length") << name;
    EXPECT_TRUE(x.done_mark) << name;
    EXPECT_EQ(count_words(x.text), 5U) << name << ": " << x.text;
    EXPECT_EQ(x.merged_reads, 0U) << name;
    EXPECT_EQ(x.headers.user, kStart);
    EXPECT_GT(x.first_token.user, kStart + milliseconds{5});
  }
}

TEST(Service, StreamsCompletionsToo) {
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang"}) {
    const Exchanged x = ask(name, kCompletions,
                            fmt::format(R"({{"model":"sim-model","prompt":"a b"{}}})", kStreamed));
    EXPECT_EQ(x.ending, Ending::kDone) << name << ": " << x.detail;
    EXPECT_EQ(x.tokens.size(), 5U) << name;
    EXPECT_EQ(x.output_tokens, 5U) << name;
    EXPECT_EQ(x.prompt_tokens, 2U) << name;
  }
}

TEST(Service, KeepsTheOdditiesOfEachDialect) {
  std::string vllm, trtllm, tgi;
  ask("vllm", kChat, chat(kStreamed), &vllm);
  ask("trtllm", kChat, chat(kStreamed), &trtllm);
  ask("tgi", kChat, chat(kStreamed), &tgi);
  EXPECT_THAT(vllm, HasSubstr(R"("delta":{"role":"assistant","content":""})"));
  EXPECT_THAT(trtllm, HasSubstr("\"delta\":{\"role\":\"assistant\"}}]} \n\n"));
  EXPECT_THAT(tgi, Not(HasSubstr(R"("content":"")")));
  EXPECT_THAT(tgi, HasSubstr(R"("id":"")"));
  for (const std::string& text : {vllm, trtllm, tgi}) {
    EXPECT_THAT(text, HasSubstr(R"("choices":[],"usage":{"prompt_tokens":4,)"));
  }
  EXPECT_TRUE(vllm.ends_with("e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"));
  EXPECT_TRUE(tgi.ends_with("E\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"));
}

TEST(Service, GivesUsageOnlyWhereItIsAskedFor) {
  const Exchanged x = ask("vllm", kChat, chat(R"(,"stream":true)"));
  EXPECT_EQ(x.tokens.size(), 15U) << "and the token that ends the text";
  EXPECT_EQ(x.finish_reason, "stop");
  EXPECT_EQ(x.output_tokens, std::nullopt);
  const Exchanged running = ask(
      "vllm", kChat,
      chat(
          R"(,"stream":true,"stream_options":{"include_usage":true,"continuous_usage_stats":true})"));
  for (const TokenEvent& e : running.tokens) EXPECT_EQ(e.tokens, 1U);
}

TEST(Service, AnswersWithoutAStreamInOnePiece) {
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang"}) {
    for (const char* route : {kChat, kCompletions}) {
      const std::string body = route == kChat
                                   ? chat(R"(,"max_tokens":3)")
                                   : R"({"model":"sim-model","prompt":"a b c d","max_tokens":3})";
      const Exchanged x = ask(name, route, body);
      EXPECT_EQ(x.ending, Ending::kDone) << name << ": " << x.detail;
      EXPECT_FALSE(x.streamed);
      EXPECT_EQ(x.output_tokens, 3U);
      EXPECT_EQ(x.prompt_tokens, 4U);
      EXPECT_EQ(count_words(x.text), 3U) << x.text;
    }
  }
}

TEST(Service, RefusesWhatCannotBeServed) {
  struct Case {
    std::string body;
    const char* says;
    int tgi_status;
  };
  const std::vector<Case> cases{{"{\"model\":", "JSON", 400},
                                {"[1]", "JSON", 400},
                                {R"({"model":"sim-model"})", "messages", 422},
                                {chat(R"(,"max_tokens":0)"), "max_", 422},
                                {chat(R"(,"max_tokens":1.5)"), "max_", 422}};
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang"}) {
    for (const Case& c : cases) {
      const Exchanged x = ask(name, kChat, c.body);
      EXPECT_EQ(x.ending, Ending::kHttpError) << c.body;
      EXPECT_EQ(x.http_status, std::string_view(name) == "tgi" ? c.tgi_status : 400) << c.body;
      EXPECT_THAT(x.detail, HasSubstr(c.says)) << name;
    }
  }
  EXPECT_EQ(ask("vllm", kChat, R"({"model":"other","messages":[{}]})").http_status, 404);
  EXPECT_EQ(ask("trtllm", kChat, R"({"model":"other","messages":[{}]})").http_status, 200);
}

TEST(Service, ALimitBeyondTheContextIsTakenAsEachEngineTakesIt) {
  const auto longer = [](const char* name, const char* tokens) {
    return ask(name, kChat, chat(fmt::format(R"(,"max_tokens":{})", tokens)));
  };
  EXPECT_EQ(longer("vllm", "9000").http_status, 400);
  EXPECT_EQ(longer("vllm", "8192").output_tokens, 8188U) << "cut to the room without a word";
  EXPECT_EQ(longer("trtllm", "9000").output_tokens, 8188U);
  EXPECT_EQ(longer("sglang", "8192").http_status, 400);
  EXPECT_EQ(longer("tgi", "1500").output_tokens, 2048U) << "in pieces of 1024";
}

TEST(Service, AFullQueueIsSaidInTheEnginesOwnWay) {
  const auto refused = [](const char* profile, const char* more) {
    ServerOptions options = options_of(profile);
    options.profile.max_running = 1;
    options.profile.max_waiting = 1;
    Service service(options, kStart, kWall);
    Reader a(true), b(true), c(true);
    const std::string body = chat(more);
    service.handle({"POST", kChat, body, true}, a, kStart);
    service.handle({"POST", kChat, body, true}, b, kStart);
    service.handle({"POST", kChat, body, true}, c, kStart);
    EXPECT_TRUE(c.ended);
    EXPECT_FALSE(b.ended);
    return c.take();
  };
  const Exchanged stream = refused("tgi", R"(,"stream":true)");
  EXPECT_EQ(stream.ending, Ending::kStreamError);
  EXPECT_EQ(stream.detail, "in-stream error 422: Model is overloaded");
  EXPECT_EQ(stream.http_status, 200);
  EXPECT_EQ(refused("tgi", "").http_status, 429);
  EXPECT_EQ(refused("vllm", R"(,"stream":true)").http_status, 503);
}

TEST(Service, ADisconnectEndsItsGenerationOnly) {
  Service service(options_of("vllm"), kStart, kWall);
  Reader stays(true), leaves(true);
  service.handle({"POST", kChat, chat(kStreamed), true}, stays, kStart);
  service.handle({"POST", kChat, chat(kStreamed), true}, leaves, kStart);
  EXPECT_THAT(got(service, "/metrics"), HasSubstr("vllm:num_requests_waiting"));
  service.gone(leaves, kStart);
  const std::string before = leaves.text;
  run_out(service, stays);
  EXPECT_TRUE(stays.ended);
  EXPECT_FALSE(leaves.ended);
  EXPECT_EQ(leaves.text, before);
  service.gone(leaves, kStart);
}

TEST(Service, HealthAndGenerationWaitForTheStart) {
  ServerOptions options = options_of("tgi");
  options.start_delay = seconds{3};
  Service service(options, kStart, kWall);
  EXPECT_THAT(got(service, "/health"), HasSubstr(" 503 "));
  EXPECT_THAT(got(service, "/health", kStart + seconds{3}), HasSubstr(" 200 "));
  Reader reader(true);
  service.handle({"POST", kChat, chat(kStreamed), true}, reader, kStart);
  run_out(service, reader);
  EXPECT_GT(reader.take().first_token.user, kStart + seconds{3});
}

TEST(Service, SpeedDividesTheTimeOfAnAnswer) {
  const auto time_of = [](double speed) {
    ServerOptions options = options_of("trtllm");
    options.speed = speed;
    Service service(options, kStart, kWall);
    Reader reader(true);
    service.handle({"POST", kChat, chat(kStreamed), true}, reader, kStart);
    run_out(service, reader);
    return to_seconds(reader.now - kStart);
  };
  EXPECT_NEAR(time_of(1.0) / time_of(10.0), 10.0, 0.01);
}

TEST(Service, SaysThatItIsSimulatedAndWhatItIs) {
  Service service(options_of("vllm"), kStart, kWall);
  EXPECT_THAT(
      got(service, "/v1/models"),
      AllOf(HasSubstr(R"("owned_by":"evenbench-simulated")"), HasSubstr(R"("id":"sim-model")"),
            HasSubstr(R"("max_model_len":8192)"), HasSubstr(R"("object":"list","data":[{)")));
  EXPECT_THAT(got(service, "/version"), HasSubstr("\r\n\r\n{\"version\":\"vllm-sim-1\"}"));
  EXPECT_THAT(got(service, "/nothing"), HasSubstr(" 404 "));
  EXPECT_THAT(got(service, kChat), HasSubstr(" 405 "));
  Service tgi(options_of("tgi"), kStart, kWall);
  EXPECT_THAT(got(tgi, "/info"), HasSubstr(R"("version":"tgi-sim-1")"));
  EXPECT_THAT(got(tgi, "/version"), HasSubstr(" 404 "));
}

TEST(Service, CountsUnderTheEnginesOwnNames) {
  const auto metrics_of = [](const char* profile, const char* route = "/metrics") {
    Service service(options_of(profile), kStart, kWall);
    Reader reader(true);
    service.handle({"POST", kChat, chat(kStreamed), true}, reader, kStart);
    run_out(service, reader);
    return got(service, route);
  };
  const std::string vllm = metrics_of("vllm");
  constexpr const char* kLabels = "{engine=\"0\",model_name=\"sim-model\"}";
  EXPECT_THAT(vllm, HasSubstr(fmt::format("vllm:generation_tokens_total{} 5.0\n", kLabels)));
  EXPECT_THAT(vllm, HasSubstr(fmt::format("vllm:prompt_tokens_total{} 4.0\n", kLabels)));
  EXPECT_THAT(vllm,
              HasSubstr(fmt::format("vllm:time_to_first_token_seconds_count{} 1.0\n", kLabels)));
  EXPECT_THAT(metrics_of("trtllm", "/prometheus/metrics"),
              HasSubstr("trtllm_request_success_total{engine_type=\"undefined\","
                        "finished_reason=\"length\",model_name=\"sim-model\"} 1.0\n"));
  EXPECT_THAT(metrics_of("tgi"), HasSubstr("tgi_request_generated_tokens_sum 5\n"));
  EXPECT_THAT(metrics_of("sglang"),
              HasSubstr("sglang:generation_tokens_total{model_name=\"sim-model\"} 5.0\n"));
}

TEST(Service, TrtllmsIterationsAreGoneOnceTheyAreRead) {
  Service service(options_of("trtllm"), kStart, kWall);
  Reader reader(true);
  service.handle({"POST", kChat, chat(kStreamed), true}, reader, kStart);
  run_out(service, reader);
  EXPECT_THAT(got(service, "/metrics"), HasSubstr("\"numActiveRequests\":1"));
  EXPECT_THAT(got(service, "/metrics"), HasSubstr("\r\n\r\n[]"));
}

}  // namespace
}  // namespace evenbench::sim
