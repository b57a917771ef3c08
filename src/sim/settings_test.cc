// Every setting that can be planted is seen over the routes or in the log of the engine, where the
// real one shows it, and is not seen without.
#include "sim/settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "sim/service.h"

namespace evenbench::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr MonoTime kStart{seconds{50}};
constexpr WallTime kWall{seconds{1'800'000'000}};
constexpr const char* kChat = "/v1/chat/completions";

using Set = std::function<void(Settings&)>;

class Collector final : public Client {
 public:
  void send(std::string_view bytes) override { text += bytes; }
  void end() override {}
  std::string text;
};

ServerOptions options_of(std::string_view profile, const Set& set) {
  ServerOptions options;
  options.profile = profile_named(profile).value();
  options.settings.dev_mode = true;
  if (set) set(options.settings);
  return options;
}

std::string answer(Service& service, const Call& call, MonoTime now = kStart) {
  Collector client;
  service.handle(call, client, now);
  while (const auto next = service.next_instant()) service.advance(*next);
  return client.text;
}

std::string get(std::string_view profile, std::string_view route, const Set& set) {
  Service service(options_of(profile, set), kStart, kWall);
  return answer(service, {"GET", route, "", true});
}

std::string ask(std::string_view profile, const Set& set, std::string_view more,
                std::string_view prompt = "the same prompt") {
  Service service(options_of(profile, set), kStart, kWall);
  const std::string body = fmt::format(
      R"({{"model":"sim-model","messages":[{{"role":"user","content":"{}"}}]{}}})", prompt, more);
  return answer(service, {"POST", kChat, body, true});
}

std::string log_of(std::string_view profile, const Set& set) {
  const auto lines = start_log(options_of(profile, set), 8000, kWall).value();
  return fmt::format("{}", fmt::join(lines, "\n"));
}

constexpr const char* kVllmInfo = "/server_info?config_format=json";
constexpr const char* kTrtllmInfo = "/prometheus/metrics";

struct Planted {
  const char* name;
  Set set;
  const char* profile;
  const char* route;  // "log": the log
  const char* shown;
};

std::vector<Planted> planted() {
  const Set dtype = [](Settings& s) { s.dtype = "float16"; };
  const Set quantization = [](Settings& s) { s.quantization = "awq"; };
  const Set kv = [](Settings& s) { s.kv_cache_dtype = "fp8"; };
  const Set length = [](Settings& s) { s.max_model_len = 1234; };
  const Set running = [](Settings& s) { s.max_num_seqs = 77; };
  const Set no_prefix = [](Settings& s) { s.prefix_caching = false; };
  const Set chunks = [](Settings& s) { s.chunked_prefill = true; };
  const Set no_chunks = [](Settings& s) { s.chunked_prefill = false; };
  const Set draft = [](Settings& s) { s.speculative = "ngram"; };
  const Set interval = [](Settings& s) { s.stream_interval = 5; };
  const Set sampling = [](Settings& s) { s.engine_sampling = true; };
  const Set cut = [](Settings& s) { s.truncate = true; };
  return {{"dtype", dtype, "vllm", kVllmInfo, R"("dtype":"torch.float16")"},
          {"dtype", dtype, "vllm", "log", "dtype=torch.float16"},
          {"dtype", dtype, "trtllm", kTrtllmInfo, R"(dtype="float16")"},
          {"dtype", dtype, "tgi", "log", "dtype: Some(float16)"},
          {"dtype", dtype, "sglang", "/server_info", R"("dtype":"float16")"},
          {"quantization", quantization, "vllm", kVllmInfo, R"("quantization":"awq")"},
          {"quantization", quantization, "trtllm", kTrtllmInfo, R"(quantization="awq")"},
          {"quantization", quantization, "tgi", "log", "quantize: Some(awq)"},
          {"quantization", quantization, "sglang", "/server_info", R"("quantization":"awq")"},
          {"kv", kv, "vllm", "/metrics", R"(cache_dtype="fp8")"},
          {"kv", kv, "trtllm", kTrtllmInfo, R"(cache_dtype="fp8")"},
          {"kv", kv, "tgi", "log", "kv_cache_dtype: Some(fp8)"},
          {"kv", kv, "sglang", "/server_info", R"("kv_cache_dtype":"fp8")"},
          {"length", length, "vllm", "/v1/models", R"("max_model_len":1234)"},
          {"length", length, "trtllm", kTrtllmInfo, R"(max_model_len="1234")"},
          {"length", length, "tgi", "/info", R"("max_total_tokens":1234)"},
          {"length", length, "sglang", "/v1/models", R"("max_model_len":1234)"},
          {"running", running, "vllm", kVllmInfo, R"("max_num_seqs":77)"},
          {"running", running, "trtllm", "log", "max_batch_size=77"},
          {"running", running, "tgi", "log", "max_batch_size: Some(77)"},
          {"running", running, "sglang", "/server_info", R"("max_running_requests":77)"},
          {"prefix", no_prefix, "vllm", "/metrics", R"(enable_prefix_caching="False")"},
          {"prefix", no_prefix, "trtllm", kTrtllmInfo, R"(enable_block_reuse="False")"},
          {"prefix", no_prefix, "tgi", "log", "Prefix caching false"},
          {"prefix", no_prefix, "sglang", "/server_info", R"("disable_radix_cache":true)"},
          {"chunks", no_chunks, "vllm", kVllmInfo, R"("enable_chunked_prefill":false)"},
          {"chunks", chunks, "trtllm", "log", "enable_chunked_prefill=True"},
          {"chunks", chunks, "tgi", "log", "Using prefill chunking = True"},
          {"chunks", no_chunks, "sglang", "/server_info", R"("chunked_prefill_size":-1)"},
          {"draft", draft, "vllm", kVllmInfo, R"("speculative_config":{"method":"ngram")"},
          {"draft", draft, "trtllm", kTrtllmInfo, R"(spec_method="ngram")"},
          {"draft", draft, "tgi", "log", "speculate: Some(3)"},
          {"draft", draft, "sglang", "/server_info", R"("speculative_algorithm":"ngram")"},
          {"interval", interval, "vllm", kVllmInfo, R"("stream_interval":5)"},
          {"interval", interval, "trtllm", "log", "stream_interval=5"},
          {"interval", interval, "sglang", "/server_info", R"("stream_interval":5)"},
          {"sampling", sampling, "vllm", kVllmInfo, R"("generation_config":"vllm")"},
          {"sampling", sampling, "sglang", "/server_info", R"("sampling_defaults":"openai")"},
          {"cut", cut, "sglang", "/server_info", R"("allow_auto_truncate":true)"}};
}

TEST(Settings, EachIsShownWhereTheRealEngineShowsIt) {
  for (const Planted& p : planted()) {
    const auto shown = [&](const Set& set) {
      return std::string_view(p.route) == "log" ? log_of(p.profile, set)
                                                : get(p.profile, p.route, set);
    };
    EXPECT_THAT(shown(p.set), HasSubstr(p.shown)) << p.profile << " " << p.name;
    EXPECT_THAT(shown({}), Not(HasSubstr(p.shown))) << p.profile << " " << p.name;
  }
}

TEST(Settings, TheKvCacheStandsInTheLogOfEachEngine) {
  EXPECT_THAT(log_of("vllm", {}), HasSubstr("GPU KV cache size: 160,000 tokens, Maximum"));
  EXPECT_THAT(log_of("trtllm", {}), HasSubstr("paged KV cache (200000)"));
  EXPECT_THAT(log_of("tgi", {}), HasSubstr("Setting max batch total tokens to 80000"));
  EXPECT_THAT(log_of("sglang", {}), HasSubstr("max_total_num_tokens=180000"));
  EXPECT_THAT(log_of("sglang", {}), HasSubstr("The server is fired up and ready to roll!"));
}

TEST(Settings, VllmHidesItsServerInfoOutsideOfItsDevelopmentMode) {
  EXPECT_THAT(get("vllm", kVllmInfo, [](Settings& s) { s.dev_mode = false; }), HasSubstr(" 404 "));
}

std::string text_of(const std::string& answer) {
  const std::size_t begin = answer.find(R"("content":")") + 11;
  return answer.substr(begin, answer.find('"', begin) - begin);
}

constexpr const char* kGreedy = R"(,"max_tokens":12,"temperature":0)";

TEST(Settings, GreedyTextsAreTheSameOnEveryProfileAndOthersWithOtherWeights) {
  const std::string text = text_of(ask("vllm", {}, kGreedy));
  EXPECT_EQ(text.size(), 12U * Words::kSize);
  for (const char* profile : {"vllm", "trtllm", "tgi", "sglang"}) {
    EXPECT_EQ(text_of(ask(profile, {}, kGreedy)), text) << profile;
    const Set other = [](Settings& s) { s.answers = "odd"; };
    EXPECT_NE(text_of(ask(profile, other, kGreedy)), text) << profile;
  }
  EXPECT_NE(text_of(ask("vllm", {}, kGreedy, "another prompt")), text);
}

TEST(Settings, ADrawnTextIsRepeatedOnlyWithASeed) {
  Service service(options_of("vllm", {}), kStart, kWall);
  const auto again = [&](const char* more) {
    return text_of(answer(
        service, {"POST", kChat,
                  fmt::format(R"({{"messages":[{{"content":"a"}}],"max_tokens":9{}}})", more)}));
  };
  EXPECT_NE(again(""), again(""));
  EXPECT_NE(again(R"(,"temperature":0.7)"), again(R"(,"temperature":0.7)"));
  EXPECT_EQ(again(R"(,"seed":4)"), again(R"(,"seed":4)"));
}

TEST(Settings, GibberishHasNoLetterAndAnEmptyAnswerNoText) {
  const std::string signs = text_of(ask(
      "trtllm", [](Settings& s) { s.gibberish = true; }, kGreedy));
  EXPECT_EQ(signs.size(), 12U * Words::kSize);
  EXPECT_EQ(signs.find_first_of("abcdefghijklmnopqrstuvwxyz"), std::string::npos) << signs;
  for (const char* profile : {"vllm", "trtllm", "tgi", "sglang"}) {
    const std::string empty = ask(
        profile, [](Settings& s) { s.empty_answers = true; }, kGreedy);
    EXPECT_EQ(text_of(empty), "") << profile;
    EXPECT_THAT(empty, HasSubstr(" 200 OK"));
    EXPECT_THAT(empty, HasSubstr(R"("completion_tokens":1)"));
  }
}

TEST(Settings, AnotherTokenizerCountsOtherwise) {
  const Set finer = [](Settings& s) { s.tokens_per_word = 1.5; };
  const auto count = [&](const char* profile, const char* route, const Set& set) {
    Service service(options_of(profile, set), kStart, kWall);
    return answer(service, {"POST", route, R"({"prompt":"a b c d","inputs":"a b c d"})"});
  };
  EXPECT_THAT(count("vllm", "/tokenize", {}), HasSubstr(R"("count":4)"));
  EXPECT_THAT(count("vllm", "/tokenize", finer), HasSubstr(R"("count":6)"));
  EXPECT_THAT(count("trtllm", "/_internal/tokenize", finer), HasSubstr(R"("count":6)"));
  EXPECT_THAT(count("sglang", "/v1/tokenize", finer), HasSubstr(R"("count":6)"));
  const std::string tgi = count("tgi", "/tokenize", finer);
  EXPECT_EQ(std::ranges::count(tgi, '{'), 6) << tgi;
  EXPECT_THAT(ask("vllm", finer, kGreedy, "a b c d"), HasSubstr(R"("prompt_tokens":6)"));
}

TEST(Settings, APromptThatIsTooLongIsRefusedOrCutWithoutAWord) {
  const Set narrow = [](Settings& s) { s.max_model_len = 8; };
  const Set cuts = [](Settings& s) {
    s.max_model_len = 8;
    s.truncate = true;
  };
  for (const char* profile : {"vllm", "trtllm", "sglang", "tgi"}) {
    constexpr const char* kLong = "a b c d e f g h i j k l";
    constexpr const char* kOne = R"(,"max_tokens":1)";
    EXPECT_THAT(ask(profile, narrow, kOne, kLong), HasSubstr(" 4")) << profile;
    EXPECT_THAT(ask(profile, cuts, kOne, kLong), HasSubstr(R"("prompt_tokens":7)")) << profile;
  }
}

TEST(Settings, IgnoreEosHoldsANaturalEndOffButNotWithTgi) {
  const Set ends = [](Settings& s) { s.natural_end = 3; };
  for (const char* profile : {"vllm", "trtllm", "sglang", "tgi"}) {
    EXPECT_THAT(ask(profile, ends, kGreedy), HasSubstr(R"("completion_tokens":3)")) << profile;
    const std::string wished = ask(profile, ends, R"(,"max_tokens":12,"ignore_eos":true)");
    const bool tgi = std::string_view(profile) == "tgi";
    EXPECT_THAT(wished, HasSubstr(tgi ? R"("completion_tokens":3)" : R"("completion_tokens":12)"));
    EXPECT_THAT(wished,
                HasSubstr(tgi ? R"("finish_reason":"stop")" : R"("finish_reason":"length")"));
  }
}

std::size_t events_in(const std::string& answer) {
  std::size_t count = 0;
  for (std::size_t at = answer.find("\"content\":\" "); at != std::string::npos;
       at = answer.find("\"content\":\" ", at + 1)) {
    ++count;
  }
  return count;
}

TEST(Settings, TokensShareAnEventWhereTheEngineLetsThem) {
  const Set interval = [](Settings& s) { s.stream_interval = 4; };
  constexpr const char* kStreamed = R"(,"stream":true,"max_tokens":10)";
  EXPECT_EQ(events_in(ask("vllm", {}, kStreamed)), 10U);
  EXPECT_EQ(events_in(ask("vllm", interval, kStreamed)), 4U) << "1 + 4 + 4 + 1";
  EXPECT_EQ(events_in(ask("tgi", interval, kStreamed)), 10U);
}

TEST(Settings, WhatCannotBeIsRefusedWithItsName) {
  const auto why = [](const Set& set) {
    const ServerOptions options = options_of("tgi", set);
    const auto engine = engine_of(options.profile, options.settings, "m");
    return engine ? std::string() : engine.error().message;
  };
  EXPECT_EQ(why({}), "");
  EXPECT_THAT(why([](Settings& s) { s.max_model_len = 90'000; }), HasSubstr("does not fit"));
  EXPECT_THAT(why([](Settings& s) { s.max_num_seqs = 0; }), HasSubstr("max-num-seqs"));
  EXPECT_THAT(why([](Settings& s) { s.stream_interval = 0; }), HasSubstr("stream-interval"));
  EXPECT_THAT(why([](Settings& s) { s.tokens_per_word = 0.0; }), HasSubstr("tokens-per-word"));
  EXPECT_THAT(why([](Settings& s) { s.throttle_rate = 0.0; }), HasSubstr("throttle-rate"));
  EXPECT_THAT(why([](Settings& s) { s.quota_status = 500; }), HasSubstr("quota-status"));
}

}  // namespace
}  // namespace evenbench::sim
