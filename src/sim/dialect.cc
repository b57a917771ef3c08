#include "sim/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"

namespace evenbench::sim {
namespace {

// Tokens that a guess is taken to be right for. They come in one event; steps take the time they
// would take without.
constexpr std::uint32_t kSpeculated = 3;

}  // namespace

const Dialect& dialect_of(std::string_view profile) {
  static const std::array all{vllm_dialect(), trtllm_dialect(), tgi_dialect(), sglang_dialect()};
  const auto it = std::ranges::find(all, profile, &Dialect::name);
  EVENBENCH_CHECK(it != all.end(), "no dialect is called {}", profile);
  return *it;
}

Result<Engine> engine_of(Profile profile, const Settings& settings, std::string model) {
  if (settings.max_model_len) profile.max_len = *settings.max_model_len;
  if (profile.max_len < 2) return usage_error("max-model-len must be at least 2");
  if (profile.max_len > profile.kv_tokens) {
    return usage_error(fmt::format(
        "max-model-len {} does not fit into the KV cache of {} tokens; choose a smaller one",
        profile.max_len, profile.kv_tokens));
  }
  if (settings.max_num_seqs) profile.max_running = *settings.max_num_seqs;
  if (profile.max_running < 1) return usage_error("max-num-seqs must be at least 1");
  profile.step_token_budget = std::max(profile.step_token_budget, profile.max_running);
  if (settings.chunked_prefill) profile.chunked_prefill = *settings.chunked_prefill;
  if (settings.speculative) profile.tokens_per_event = kSpeculated;
  if (settings.stream_interval) profile.tokens_per_event = *settings.stream_interval;
  if (profile.tokens_per_event < 1) return usage_error("stream-interval must be at least 1");
  if (!(settings.tokens_per_word > 0.0)) return usage_error("tokens-per-word must be above 0");
  if (settings.throttle_rate && !(*settings.throttle_rate > 0.0)) {
    return usage_error("throttle-rate must be above 0");
  }
  if (settings.quota_status != 429 && settings.quota_status != 403) {
    return usage_error("quota-status must be 429 or 403");
  }
  Engine engine;
  engine.dialect = &dialect_of(profile.name);
  engine.profile = std::move(profile);
  engine.settings = settings;
  engine.model = std::move(model);
  return engine;
}

bool prompt_fits(const Engine& engine, Ask& ask, std::uint32_t most) {
  if (ask.prompt_tokens <= most) return true;
  if (!engine.settings.truncate) return false;
  ask.prompt_tokens = most;
  return true;
}

Fault fault_of(const Ask& ask, Fault::Kind kind, std::string field, std::string value) {
  Fault fault;
  fault.kind = kind;
  fault.field = std::move(field);
  fault.value = std::move(value);
  fault.stream = ask.stream;
  fault.api = ask.api;
  return fault;
}

std::string python_float(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace evenbench::sim
