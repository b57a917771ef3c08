#include "engine/step_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/adapter.h"

namespace evenbench::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

wire::FailureCount failure(Ending ending, int status, const std::string& detail,
                           std::uint64_t count = 10) {
  Exchanged x;
  x.ending = ending;
  x.http_status = status;
  x.detail = detail;
  return {ending, wire::error_class(x), status, count, MonoTime{}, detail};
}

StepFinding explained_as(const std::string& engine, const wire::FailureCount& what) {
  const auto found = explain_failures(engine, std::vector{what}, 90);
  EXPECT_EQ(found.size(), 1U) << what.detail;
  return found.empty() ? StepFinding{} : found.front();
}

struct Case {
  const char* engine;
  Ending ending;
  int status;
  const char* detail;  // as the answers of tests/data/captures give it
  const char* code;
  const char* flag;
};

TEST(StepRules, ExplainFailuresInTheEnginesOwnFlags) {
  const std::vector<Case> cases = {
      {"tgi", Ending::kStreamError, 200, "in-stream error 422: Model is overloaded",
       "server_overloaded", "--max-concurrent-requests"},
      {"tgi", Ending::kHttpError, 429, "HTTP 429: Model is overloaded", "server_overloaded",
       "--max-concurrent-requests"},
      {"vllm", Ending::kHttpError, 503,
       "HTTP 503: The engine is currently busy and cannot accept new requests.",
       "server_overloaded", "--max-num-queued-reqs"},
      {"vllm", Ending::kStreamError, 200,
       "in-stream error 503: The engine is currently busy and cannot accept new requests.",
       "server_overloaded", "--max-num-queued-reqs"},
      {"sglang", Ending::kHttpError, 503, "HTTP 503: The request queue is full.",
       "server_overloaded", "--max-queued-requests"},
      {"openai", Ending::kHttpError, 503, "HTTP 503: server busy", "server_overloaded", "limit"},
      {"openai", Ending::kHttpError, 429, "HTTP 429: Rate limit reached", "key_throttled", "limit"},
      {"trtllm", Ending::kHttpError, 400,
       "HTTP 400: The sum of prompt length (77.0), query length (0) should not exceed "
       "max_num_tokens (64)",
       "prompt_too_long", "--enable_chunked_prefill"},
      {"trtllm", Ending::kHttpError, 400,
       "HTTP 400: default_max_tokens (-12) must be greater than 0", "prompt_too_long",
       "--max_seq_len"},
      {"vllm", Ending::kHttpError, 400,
       "HTTP 400: This model's maximum context length is 2048 tokens.", "prompt_too_long",
       "--max-model-len"},
      {"tgi", Ending::kStreamError, 200,
       "in-stream error 422: Input validation error: `inputs` must have less than 256 tokens.",
       "prompt_too_long", "--max-input-tokens"},
      {"llama_cpp", Ending::kHttpError, 400,
       "HTTP 400: request (9031 tokens) exceeds the available context size (2048 tokens)",
       "prompt_too_long", "-c"},
      {"llama_cpp", Ending::kEmpty, 200, "the answer held no token", "empty_answers", "-np"},
      {"openai", Ending::kEmpty, 200, "the answer held no token", "empty_answers", "template"},
      {"trtllm", Ending::kReset, 200, "transport: body incomplete", "connections_broken",
       "--kv_cache_free_gpu_memory_fraction"},
      {"tgi", Ending::kStreamError, 200,
       "in-stream error 422: Request failed during generation: Server error: CUDA out of memory.",
       "engine_fault", "--cuda-memory-fraction"},
      {"tgi", Ending::kHttpError, 424,
       "HTTP 424: Request failed during generation: Server error: error trying to connect: "
       "Connection refused (os error 111)",
       "engine_fault", "shard"},
      {"vllm", Ending::kStreamError, 200,
       "in-stream error 500: EngineCore encountered an issue. See stack trace (above)",
       "engine_fault", "further up in its log"},
      {"vllm", Ending::kHttpError, 500, "HTTP 500: cannot schedule new futures after shutdown",
       "server_stopping", "SIGTERM"},
      {"openai", Ending::kHttpError, 401, "HTTP 401: invalid token", "key_refused_at_times",
       "under load"},
      {"openai", Ending::kTimedOut, 200, "idle timeout", "time_limit_passed", "limits"},
  };
  for (const Case& c : cases) {
    const StepFinding found = explained_as(c.engine, failure(c.ending, c.status, c.detail));
    EXPECT_EQ(found.code, c.code) << c.detail;
    EXPECT_THAT(found.text, HasSubstr(c.flag));
    EXPECT_THAT(found.text, HasSubstr(std::string("10 of 100 requests failed with: ") + c.detail));
    EXPECT_THAT(found.text, Not(HasSubstr("..")));
  }
}

TEST(StepRules, EveryWayToFailIsExplainedForEveryEngine) {
  for (const std::string& engine : adapter_names()) {
    for (int e = 0; e < kEndingCount; ++e) {
      const auto ending = static_cast<Ending>(e);
      if (ending == Ending::kDone || ending == Ending::kCutAtEnd) continue;
      wire::FailureCount one = failure(ending, 200, "x");
      if (ending != Ending::kHttpError && ending != Ending::kStreamError) {
        EXPECT_EQ(explain_failures(engine, std::vector{one}, 0).size(), 1U) << name_of(ending);
        continue;
      }
      for (int c = 0; c < wire::kErrorClassCount; ++c) {
        one.error = static_cast<wire::ErrorClass>(c);
        EXPECT_EQ(explain_failures(engine, std::vector{one}, 0).size(), 1U)
            << wire::name_of(*one.error);
      }
    }
  }
}

// An engine's own rule behind one of any engine would never be reached.
TEST(StepRules, NoRuleStandsBehindOneThatTakesAllOfItsFailures) {
  const auto rules = step_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool hidden = (rules[j].engine.empty() || rules[j].engine == rules[i].engine) &&
                          rules[j].ending == rules[i].ending &&
                          (!rules[j].error || rules[j].error == rules[i].error) &&
                          rules[i].words.find(rules[j].words) != std::string_view::npos;
      EXPECT_FALSE(hidden) << "rule " << i << " behind rule " << j;
    }
  }
}

TEST(StepRules, AFewFailuresAreANoteAndManyAWarning) {
  const auto of = [](std::uint64_t count, std::uint64_t good) {
    const auto found = explain_failures(
        "vllm", std::vector{failure(Ending::kReset, 200, "transport: connection reset", count)},
        good);
    return found.front().severity;
  };
  EXPECT_EQ(of(1, 99), "note");
  EXPECT_EQ(of(2, 98), "warning");
  EXPECT_EQ(of(1, 0), "warning");
}

TEST(StepRules, AStepWithoutFailuresHasNothingToExplain) {
  EXPECT_THAT(explain_failures("vllm", {}, 100), IsEmpty());
}

}  // namespace
}  // namespace evenbench::engine
