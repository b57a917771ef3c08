// The answers of the simulated engines against recorded ones of the real engines, key by key and in
// order: what differs is only what texts and numbers say. The values of a few keys are words of the
// dialect itself and must be equal too. On purpose differs: "owned_by" of the model list, by which
// a simulated engine is told from a real one. SGLang has no recorded answers here:
// tests/data/sglang-shapes says where its shapes come from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "sim/service.h"
#include "sim/testing/answer_shape.h"

namespace evenbench::sim {
namespace {

using namespace testing;  // NOLINT: the short hand of the cases
using std::chrono::seconds;

constexpr MonoTime kStart{seconds{50}};
constexpr WallTime kWall{seconds{1'800'000'000}};

struct Case {
  std::string name;
  std::string target = "/v1/chat/completions";
  std::uint32_t natural_end = 0;
  std::string method = "POST";
  std::string_view authorization = "";
  void (*set)(ServerOptions&) = [](ServerOptions&) {};
  std::string_view content_type = kJsonType;
};

Case get(
    std::string name, std::string target, void (*set)(ServerOptions&) = [](ServerOptions&) {}) {
  return {std::move(name), std::move(target), 0, "GET", "", set};
}

void with_key(ServerOptions& options) {
  options.settings.key = "sk-test-good";
}

class Collector final : public Client {
 public:
  void send(std::string_view bytes) override { text += bytes; }
  void end() override { ended = true; }
  std::string text;
  bool ended = false;
};

AnswerShape simulated(const Source& source, const Case& c) {
  ServerOptions options;
  options.profile = profile_named(source.profile).value();
  options.model = source.model;
  options.settings.natural_end = c.natural_end;
  c.set(options);
  Service service(options, kStart, kWall);
  const std::string body = c.method == "POST" ? request_of(source, c.name) : "";
  Collector client;
  service.handle({c.method, c.target, body, true, c.authorization, c.content_type}, client, kStart);
  while (const auto next = service.next_instant()) service.advance(*next);
  EXPECT_TRUE(client.ended) << c.name;
  const std::size_t end = client.text.find("\r\n\r\n") + 4;
  return seen_of(client.text.substr(0, end), client.text.substr(end));
}

void expect_like_the_real_one(const Source& source, const Case& c) {
  SCOPED_TRACE(source.folder + "/" + c.name);
  const AnswerShape real = seen_of(file(path_of(source, c.name + ".headers.txt")),
                                   file(path_of(source, c.name + ".body.txt")));
  const AnswerShape sim = simulated(source, c);
  EXPECT_EQ(sim.status, real.status);
  EXPECT_EQ(sim.type, real.type);
  EXPECT_EQ(sim.body, real.body);
}

void expect_all(const Source& source, const std::vector<Case>& cases) {
  for (const Case& c : cases) expect_like_the_real_one(source, c);
}

constexpr const char* kCompletions = "/v1/completions";

TEST(DialectShapes, VllmAnswersAsTheRealOneDid) {
  expect_all(kVllm, {{"chat-nonstream"},
                     {"chat-stream-usage"},
                     {"chat-stream-usage-false"},
                     {"chat-stream-no-usage"},
                     {"chat-stream-max-tokens-1"},
                     {"chat-stream-max-completion-tokens"},
                     {"chat-stream-continuous-usage"},
                     {"completion-nonstream", kCompletions},
                     {"completion-stream-no-usage", kCompletions},
                     {"completion-stream-usage", kCompletions},
                     {"completion-stream-continuous-usage", kCompletions},
                     {"completion-token-ids-prompt", kCompletions},
                     {"unknown-field"},
                     {"missing-model"}});
  Case natural{"smollm2-chat-stream-natural-stop", "/v1/chat/completions", 8};
  natural.set = [](ServerOptions& options) { options.model = "smollm2"; };
  expect_like_the_real_one(kVllm, natural);
  Case clipped{"max-tokens-plus-prompt-over-context"};
  clipped.set = [](ServerOptions& options) { options.settings.max_model_len = 2048; };
  expect_like_the_real_one(kVllm, clipped);
}

TEST(DialectShapes, VllmRefusesAsTheRealOneDid) {
  expect_all(kVllm, {{"bad-json"},
                     {"bad-type"},
                     {"missing-messages"},
                     {"empty-messages"},
                     {"empty-prompt", kCompletions},
                     {"max-tokens-0"},
                     {"max-tokens-negative"},
                     {"max-tokens-too-large-stream"},
                     {"temperature-out-of-range"},
                     {"stream-options-without-stream"},
                     {"unknown-model"},
                     {"unknown-model-stream"}});
  for (const char* name : {"too-long-prompt", "too-long-prompt-stream"}) {
    Case c{name};
    c.set = [](ServerOptions& options) { options.settings.max_model_len = 2048; };
    expect_like_the_real_one(kVllm, c);
  }
  Case text{"wrong-content-type"};
  text.content_type = "text/plain";
  expect_like_the_real_one(kVllm, text);
}

TEST(DialectShapes, VllmsOtherRoutesAnswerAsTheRealOnesDid) {
  expect_all(kVllm, {get("models", "/v1/models"),
                     get("version", "/version"),
                     get("health", "/health"),
                     get("load-gauge", "/load"),
                     get("not-found", "/v1/no-such-route"),
                     get("method-not-allowed", "/v1/chat/completions"),
                     {"tokenize-prompt", "/tokenize"},
                     {"tokenize-chat", "/tokenize"}});
  expect_like_the_real_one(kVllm,
                           get("engine-killed-midstream-health", "/health",
                               [](ServerOptions& options) { options.start_delay = seconds{5}; }));
}

TEST(DialectShapes, VllmAsksForItsKeyAsTheRealOneDid) {
  for (const auto& [name, authorization] :
       std::vector<std::pair<const char*, const char*>>{{"auth-missing-key", ""},
                                                        {"auth-wrong-key", "Bearer wrong"},
                                                        {"auth-no-bearer-prefix", "sk-test-good"},
                                                        {"auth-good-key", "Bearer sk-test-good"}}) {
    expect_like_the_real_one(kVllm,
                             {name, "/v1/chat/completions", 0, "POST", authorization, with_key});
  }
  expect_like_the_real_one(kVllm, get("auth-models-no-key", "/v1/models", with_key));
  expect_like_the_real_one(kVllm, get("auth-health-no-key", "/health", with_key));
  expect_like_the_real_one(kVllm, {"auth-tokenize-no-key", "/tokenize", 0, "POST", "", with_key});
}

TEST(DialectShapes, TrtllmAnswersAsItsSourceDoes) {
  const std::string chat = "/v1/chat/completions";
  expect_all(kTrtllm, {{"chat-nonstream", chat, 4},
                       {"chat-stream", chat, 4},
                       {"chat-stream-usage", chat, 4},
                       {"chat-stream-usage-empty-options", chat, 2},
                       {"chat-stream-continuous-usage", chat, 3},
                       {"chat-stream-length"},
                       {"chat-stream-max_completion_tokens"},
                       {"chat-unknown-model", chat, 2},
                       {"cmpl-nonstream", kCompletions, 4},
                       {"cmpl-stream", kCompletions, 4},
                       {"cmpl-stream-usage", kCompletions, 4},
                       {"cmpl-stream-length", kCompletions}});
}

TEST(DialectShapes, TrtllmRefusesAsItsSourceDoes) {
  expect_all(kTrtllm, {{"chat-bad-json"},
                       {"chat-missing-model"},
                       {"chat-unknown-field"},
                       {"chat-stream_options-without-stream"}});
  Case c{"chat-too-long"};
  c.set = [](ServerOptions& options) {
    options.profile.step_token_budget = options.profile.max_running = 64;
  };
  expect_like_the_real_one(kTrtllm, c);
}

TEST(DialectShapes, TrtllmsOtherRoutesAnswerAsItsSourceDoes) {
  expect_all(kTrtllm,
             {get("models", "/v1/models"), get("version", "/version"), get("health", "/health"),
              get("not-found", "/v1/nope"), get("method-not-allowed", "/v1/chat/completions")});
}

TEST(DialectShapes, TgiAnswersAsTheRealOneDid) {
  const std::string chat = "/v1/chat/completions";
  expect_all(kTgi, {{"chat-stream", chat, 4},
                    {"chat-stream-usage", chat, 4},
                    {"chat-stream-usage-empty-options", chat, 2},
                    {"chat-stream-length"},
                    {"chat-stream-one-token"},
                    {"chat-stream-max_completion_tokens"},
                    {"chat-stream-ignore_eos", chat, 2},
                    {"chat-stream-temperature-0", chat, 2},
                    {"chat-missing-model", chat, 2},
                    {"chat-unknown-model", chat, 2},
                    {"chat-unknown-field", chat, 2},
                    {"chat-nonstream", chat, 4},
                    {"chat-nonstream-too-many-tokens", chat, 64},
                    {"cmpl-nonstream", kCompletions, 4},
                    {"cmpl-stream", kCompletions, 4},
                    {"cmpl-stream-usage", kCompletions, 4},
                    {"cmpl-stream-length", kCompletions},
                    {"cmpl-unknown-model", kCompletions, 2}});
}

TEST(DialectShapes, TgiRefusesAsTheRealOneDid) {
  expect_all(kTgi, {{"chat-bad-json"},
                    {"chat-missing-messages"},
                    {"chat-stream-max_tokens-0"},
                    {"chat-stream-temperature-negative"},
                    {"chat-stream-top_p-1"},
                    {"chat-nonstream-top_p-1"},
                    {"cmpl-token-ids", kCompletions}});
  for (const char* name : {"chat-stream-input-too-long", "chat-nonstream-input-too-long"}) {
    Case c{name};
    c.set = [](ServerOptions& options) { options.settings.max_model_len = 257; };
    expect_like_the_real_one(kTgi, c);
  }
  Case text{"chat-wrong-content-type"};
  text.content_type = "text/plain";
  expect_like_the_real_one(kTgi, text);
}

TEST(DialectShapes, TgisOtherRoutesAnswerAsTheRealOnesDid) {
  expect_all(kTgi, {get("info", "/info"),
                    get("models", "/v1/models"),
                    get("health", "/health"),
                    get("not-found", "/v1/nope"),
                    get("method-not-allowed", "/v1/chat/completions"),
                    get("metrics-idle", "/metrics"),
                    get("deadshard-health", "/health",
                        [](ServerOptions& options) { options.start_delay = seconds{5}; }),
                    {"tokenize", "/tokenize"},
                    {"chat-tokenize", "/chat_tokenize"}});
}

TEST(DialectShapes, TgiAsksForItsKeyAsTheRealOneDid) {
  const auto keyed = [](ServerOptions& options) { options.settings.key = "SECRET-KEY"; };
  const std::string chat = "/v1/chat/completions";
  expect_all(kTgi, {{"apikey-missing", chat, 2, "POST", "", keyed},
                    {"apikey-wrong", chat, 2, "POST", "Bearer wrong", keyed},
                    {"apikey-ok", chat, 2, "POST", "bearer secret-key", keyed},
                    get("apikey-models-open", "/v1/models", keyed),
                    get("apikey-info-open", "/info", keyed),
                    get("apikey-health-open", "/health", keyed)});
}

TEST(DialectShapes, SglangAnswersAsItsSourceDoes) {
  const std::string chat = "/v1/chat/completions";
  expect_all(kSglang, {{"chat-nonstream"},
                       {"chat-stream-usage"},
                       {"chat-stream-natural-stop", chat, 3},
                       {"completion-stream", kCompletions},
                       {"chat-too-long"},
                       {"auth-missing-key", chat, 0, "POST", "", with_key},
                       {"tokenize", "/tokenize"},
                       get("models", "/v1/models"),
                       get("server-info", "/server_info"),
                       get("health", "/health")});
}

TEST(DialectShapes, TheModelListAloneSaysThatItIsSimulated) {
  for (const char* profile : {"vllm", "trtllm", "tgi", "sglang"}) {
    ServerOptions options;
    options.profile = profile_named(profile).value();
    Service service(options, kStart, kWall);
    Collector client;
    service.handle({"GET", "/v1/models", "", true}, client, kStart);
    EXPECT_THAT(client.text, ::testing::HasSubstr(R"("owned_by":"evenbench-simulated")"))
        << profile;
  }
}

// Answers of a full engine: those of the real ones, byte for byte but for their heads.
TEST(DialectShapes, AFullEngineAnswersAsTheRealOneDid) {
  struct Full {
    const Source& source;
    const char* name;
    const char* target;
  };
  const std::string chat = "/v1/chat/completions";
  for (const Full& full : {Full{kTgi, "overload-chat-stream.rejected", "/v1/chat/completions"},
                           Full{kTgi, "overload-cmpl-stream.rejected", kCompletions},
                           Full{kTgi, "overload-chat-nonstream.rejected", "/v1/chat/completions"},
                           Full{kVllm, "overload-503-stream", "/v1/chat/completions"},
                           Full{kVllm, "overload-503-nonstream", "/v1/chat/completions"}}) {
    SCOPED_TRACE(full.name);
    ServerOptions options;
    options.profile = profile_named(full.source.profile).value();
    options.profile.max_running = options.profile.max_waiting = 1;
    options.model = full.source.model;
    Service service(options, kStart, kWall);
    const std::string body = request_of(full.source, full.name);
    std::array<Collector, 3> clients;
    for (Collector& client : clients) {
      service.handle({"POST", full.target, body, true}, client, kStart);
    }
    ASSERT_TRUE(clients[2].ended);
    const std::size_t end = clients[2].text.find("\r\n\r\n") + 4;
    EXPECT_EQ(clients[2].text.substr(end),
              file(path_of(full.source, std::string(full.name) + ".body.txt")));
  }
}

}  // namespace
}  // namespace evenbench::sim
