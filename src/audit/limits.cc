#include "audit/limits.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace evenbench::audit {
namespace {

struct Flags {  // of one engine: what sets each limit
  std::string_view engine, max_model_len, max_running, queue, prefill_budget, chunked_prefill,
      memory;
};

constexpr std::array kFlags{
    Flags{"vllm", "--max-model-len", "--max-num-seqs", "--max-num-queued-reqs",
          "--max-num-batched-tokens", "--enable-chunked-prefill", "--gpu-memory-utilization"},
    Flags{"trtllm", "--max_seq_len", "--max_batch_size", "", "--max_num_tokens",
          "--enable_chunked_prefill", "--kv_cache_free_gpu_memory_fraction"},
    Flags{"tgi", "--max-total-tokens and --max-input-tokens", "--max-batch-size",
          "--max-concurrent-requests", "--max-batch-prefill-tokens", "PREFILL_CHUNKING=1",
          "--cuda-memory-fraction"},
    Flags{"sglang", "--context-length", "--max-running-requests", "--max-queued-requests",
          "--max-prefill-tokens", "--chunked-prefill-size", "--mem-fraction-static"},
    Flags{"llama_cpp", "-c (shared by the slots of -np)", "-np", "", "-b", "", "-c"},
    Flags{"sim", "--max-model-len", "--max-num-seqs", "", "", "--chunked-prefill", ""},
};

std::string_view flag_of(std::string_view engine, std::string_view Flags::*flag) {
  for (const Flags& flags : kFlags) {
    if (flags.engine == engine && !(flags.*flag).empty()) return flags.*flag;
  }
  return "the limit";
}

// nullopt: not known, or no number ("none").
std::optional<std::uint64_t> number(const std::map<std::string, Stated>& settings,
                                    const std::string& key) {
  const auto it = settings.find(key);
  if (it == settings.end()) return std::nullopt;
  const std::string& text = it->second.effective;
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_off(const std::map<std::string, Stated>& settings, const std::string& key) {
  const auto it = settings.find(key);
  return it != settings.end() && it->second.effective == "off";
}

using Settings = std::map<std::string, Stated>;
using Findings = std::vector<LimitFinding>;

void check_context(const PlanNeeds& needs, std::string_view engine, const Settings& settings,
                   Findings& out) {
  constexpr std::uint64_t kFarTooLarge = 4;
  const auto longest = number(settings, "max_model_len");
  if (!longest || needs.longest_request == 0) return;
  const auto flag = flag_of(engine, &Flags::max_model_len);
  if (*longest < needs.longest_request) {
    out.push_back({"error", "plan_over_context",
                   fmt::format("requests of up to {} tokens (input and output) are planned and the "
                               "engine takes {}: some will be refused or cut; raise {}",
                               needs.longest_request, *longest, flag)});
  } else if (*longest > kFarTooLarge * needs.longest_request) {
    out.push_back({"note", "context_far_over_plan",
                   fmt::format("the longest planned request has {} tokens and the engine is ready "
                               "for {}: memory for it is kept or planned in vain; lower {}",
                               needs.longest_request, *longest, flag)});
  }
}

void check_cache(const PlanNeeds& needs, std::string_view engine, const Settings& settings,
                 Findings& out) {
  const auto tokens = number(settings, "kv_cache_tokens");
  if (!tokens || needs.longest_request == 0 || *tokens >= needs.longest_request) return;
  out.push_back({"error", "plan_over_kv_cache",
                 fmt::format("the longest planned request has {} tokens and the KV cache holds {}; "
                             "give it more memory ({}) or plan shorter requests",
                             needs.longest_request, *tokens, flag_of(engine, &Flags::memory))});
}

void check_prefill(const PlanNeeds& needs, std::string_view engine, const Settings& settings,
                   Findings& out) {
  const auto budget = number(settings, "prefill_budget");
  if (!budget || !is_off(settings, "chunked_prefill") || *budget >= needs.longest_input) return;
  out.push_back({"error", "plan_over_prefill",
                 fmt::format("prompts of up to {} tokens are planned and the engine prefills {} at "
                             "once without cutting them: longer ones will be refused; raise {} or "
                             "set {}",
                             needs.longest_input, *budget, flag_of(engine, &Flags::prefill_budget),
                             flag_of(engine, &Flags::chunked_prefill))});
}

// TGI refuses what is over; a fifth to spare, because a request counts until its last byte is out.
void check_concurrent(const PlanNeeds& needs, std::string_view engine, const Settings& settings,
                      Findings& out) {
  const auto limit = number(settings, "concurrent_limit");
  const double asked = 1.2 * needs.most_at_once;
  if (!limit || needs.most_at_once == 0 || static_cast<double>(*limit) >= asked) return;
  out.push_back(
      {"error", "plan_over_concurrent",
       fmt::format("{} requests at once are planned and the server takes {}, which leaves "
                   "less than 20 % to spare: others are refused (429); set {} {}",
                   needs.most_at_once, *limit, flag_of(engine, &Flags::queue),
                   static_cast<std::uint64_t>(std::ceil(asked)))});
}

void check_running(const PlanNeeds& needs, std::string_view engine, const Settings& settings,
                   Findings& out) {
  const auto running = number(settings, "max_running");
  if (!running || needs.most_at_once <= *running) return;
  const auto queued = number(settings, "max_queued");
  if (queued && needs.most_at_once > *running + *queued) {
    out.push_back(
        {"error", "plan_over_queue",
         fmt::format("{} requests at once are planned; the engine runs {} and lets {} "
                     "wait: the rest is refused; raise {}",
                     needs.most_at_once, *running, *queued, flag_of(engine, &Flags::queue))});
    return;
  }
  out.push_back({"warning", "plan_over_running",
                 fmt::format("{} requests at once are planned and the engine runs {}: the rest "
                             "waits, and TTFT is mostly that wait; raise {} if that is not meant",
                             needs.most_at_once, *running, flag_of(engine, &Flags::max_running))});
}

// An open loop has no number at once: it is the rate times how long answers take (Little's law).
void check_rate(const PlanNeeds& needs, std::string_view engine, const Settings& settings,
                Findings& out) {
  constexpr double kLongAnswer = 30;  // s
  const auto limit = number(settings, "concurrent_limit");
  if (!limit || needs.highest_rate <= 0) return;
  const double seconds = static_cast<double>(*limit) / needs.highest_rate;
  if (seconds > kLongAnswer) return;
  out.push_back({"note", "rate_near_concurrent",
                 fmt::format("at {:g} requests/s the server's {} at once are reached when answers "
                             "take {:.1f} s; from there it refuses (429); {} moves that",
                             needs.highest_rate, *limit, seconds, flag_of(engine, &Flags::queue))});
}

void check_round_trip(const PlanNeeds& needs, Findings& out) {
  if (!needs.tightest_slo || !needs.round_trip) return;
  constexpr double kShare = 0.1;
  if (to_seconds(*needs.round_trip) <= kShare * to_seconds(*needs.tightest_slo)) return;
  out.push_back(
      {"warning", "slo_near_round_trip",
       fmt::format("the round trip to the server takes {:.1f} ms, more than a tenth of the "
                   "TTFT limit of {:.1f} ms: measure from nearer, or mind the network",
                   1e3 * to_seconds(*needs.round_trip), 1e3 * to_seconds(*needs.tightest_slo))});
}

}  // namespace

std::vector<LimitFinding> check_limits(const PlanNeeds& needs, std::string_view engine,
                                       const std::map<std::string, Stated>& settings) {
  Findings out;
  check_context(needs, engine, settings, out);
  check_cache(needs, engine, settings, out);
  check_prefill(needs, engine, settings, out);
  check_concurrent(needs, engine, settings, out);
  check_running(needs, engine, settings, out);
  check_rate(needs, engine, settings, out);
  check_round_trip(needs, out);
  return out;
}

}  // namespace evenbench::audit
