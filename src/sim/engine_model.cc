#include "sim/engine_model.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"

namespace evenbench::sim {
namespace {

// When prompts go first, they stop the decodes once this share of the running number waits, or
// after this many decode steps in a row. Values: TGI's defaults of waiting_served_ratio and
// max_waiting_tokens.
constexpr double kServedRatio = 0.3;
constexpr std::uint32_t kMaxDecodeSteps = 20;

}  // namespace

EngineModel::EngineModel(Profile profile, std::uint64_t seed)
    : profile_(std::move(profile)), rng_(seed, "sim.engine"), free_blocks_(0) {
  EVENBENCH_CHECK(profile_.kv_block > 0 && profile_.max_running > 0, "profile {}", profile_.name);
  EVENBENCH_CHECK(profile_.step_token_budget >= profile_.max_running,
                  "profile {}: {} tokens a step for {} decodes", profile_.name,
                  profile_.step_token_budget, profile_.max_running);
  free_blocks_ = profile_.kv_tokens / profile_.kv_block;
}

std::uint32_t EngineModel::blocks_for(std::uint64_t tokens) const {
  return static_cast<std::uint32_t>((tokens + profile_.kv_block - 1) / profile_.kv_block);
}

bool EngineModel::fits(std::uint32_t prompt_tokens, std::uint32_t output_tokens) const {
  const std::uint64_t tokens = std::uint64_t{std::max(prompt_tokens, 1U)} + output_tokens;
  return tokens <= profile_.kv_tokens / profile_.kv_block * std::uint64_t{profile_.kv_block};
}

bool EngineModel::submit(SequenceId id, std::uint32_t prompt_tokens, std::uint32_t output_tokens,
                         MonoTime now) {
  EVENBENCH_CHECK(output_tokens > 0, "sequence {} asks for no token", id);
  EVENBENCH_CHECK(fits(prompt_tokens, output_tokens), "sequence {}: {} + {} tokens never fit", id,
                  prompt_tokens, output_tokens);
  if (profile_.max_waiting > 0 && waiting_.size() >= profile_.max_waiting) {
    ++gauges_.refused;
    return false;
  }
  Sequence sequence;
  sequence.id = id;
  sequence.arrived = now;
  sequence.prompt = std::max(prompt_tokens, 1U);  // a model starts from at least one token
  sequence.output = output_tokens;
  waiting_.push_back(sequence);
  if (!step_end_) start_step(now);
  return true;
}

void EngineModel::abort(SequenceId id, MonoTime /*now*/) {
  const auto is_it = [id](const Sequence& s) { return s.id == id; };
  if (const auto it = std::find_if(running_.begin(), running_.end(), is_it); it != running_.end()) {
    free_blocks_ += it->blocks;
    running_.erase(it);
    return;
  }
  if (const auto it = std::find_if(waiting_.begin(), waiting_.end(), is_it); it != waiting_.end()) {
    waiting_.erase(it);
  }
}

void EngineModel::advance(MonoTime now, std::vector<EmittedTokens>& out) {
  while (step_end_ && *step_end_ <= now) {
    const MonoTime end = *step_end_;
    end_step(out);
    start_step(end);
  }
}

void EngineModel::start_step(MonoTime at) {
  step_end_.reset();
  if (running_.empty() && waiting_.empty()) return;
  // A caller that advances late submits for an instant beyond the end of the last step.
  if (running_.empty()) at = std::max(at, waiting_.front().arrived);
  StepLoad load;
  if (profile_.prefill_first) {
    if (prompts_go_first() && schedule_running(true, load)) admit_waiting(at, load);
    if (load.tokens() == 0) schedule_running(false, load);
  } else if (schedule_running(false, load)) {
    admit_waiting(at, load);
  }
  EVENBENCH_CHECK(load.tokens() > 0, "{}: {} running, {} waiting, {} blocks free: nothing to do",
                  profile_.name, running_.size(), waiting_.size(), free_blocks_);
  decode_steps_ = load.prefill_tokens > 0 ? 0 : decode_steps_ + 1;
  step_end_ = at + duration_of(load);
}

bool EngineModel::prompts_go_first() const {
  const bool any_decodes =
      std::any_of(running_.begin(), running_.end(), [](const Sequence& s) { return s.decoding(); });
  if (!any_decodes) return true;
  if (decode_steps_ == 0) return false;  // after a prefill the decodes have their turn
  const bool half_done = std::any_of(running_.begin(), running_.end(),
                                     [](const Sequence& s) { return !s.decoding(); });
  if (half_done) return true;
  if (waiting_.empty()) return false;
  return decode_steps_ >= kMaxDecodeSteps ||
         static_cast<double>(waiting_.size()) >=
             kServedRatio * static_cast<double>(running_.size());
}

bool EngineModel::schedule_running(bool prefills_only, StepLoad& load) {
  const std::uint64_t preemptions_before = gauges_.preemptions;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (prefills_only && running_[i].decoding()) continue;
    const std::uint32_t tokens = tokens_in_step(running_[i], load);
    if (tokens == 0) continue;
    while (!grow(running_[i], tokens)) {
      preempt_youngest();
      if (i == running_.size()) return false;  // it was the youngest itself
    }
    schedule(running_[i], tokens, load);
  }
  return gauges_.preemptions == preemptions_before;
}

void EngineModel::admit_waiting(MonoTime at, StepLoad& load) {
  while (!waiting_.empty() && running_.size() < profile_.max_running) {
    Sequence& next = waiting_.front();
    if (next.arrived > at) return;
    const std::uint32_t tokens = tokens_in_step(next, load);
    if (tokens == 0 || !grow(next, tokens)) return;
    schedule(next, tokens, load);
    running_.push_back(next);
    waiting_.pop_front();
  }
}

std::uint32_t EngineModel::tokens_in_step(const Sequence& sequence, const StepLoad& load) const {
  const std::uint32_t used = std::min(load.tokens(), profile_.step_token_budget);
  const std::uint32_t left = profile_.step_token_budget - used;
  const std::uint32_t missing = sequence.missing();
  if (profile_.chunked_prefill) return std::min(missing, left);
  // A prompt longer than the budget must still run some day: as the only prompt of its step.
  if (missing <= left || (load.prefill_tokens == 0 && missing > profile_.step_token_budget)) {
    return missing;
  }
  return 0;
}

bool EngineModel::grow(Sequence& sequence, std::uint32_t tokens) {
  const std::uint32_t wanted = profile_.reserve_output
                                   ? blocks_for(std::uint64_t{sequence.prompt} + sequence.output)
                                   : blocks_for(std::uint64_t{sequence.cached} + tokens);
  if (wanted <= sequence.blocks) return true;
  const std::uint32_t more = wanted - sequence.blocks;
  if (more > free_blocks_) return false;
  free_blocks_ -= more;
  sequence.blocks = wanted;
  return true;
}

void EngineModel::preempt_youngest() {
  Sequence youngest = running_.back();
  running_.pop_back();
  free_blocks_ += youngest.blocks;
  youngest.blocks = youngest.cached = youngest.scheduled = 0;  // its tokens stay, its cache is lost
  waiting_.push_front(youngest);
  ++gauges_.preemptions;
}

void EngineModel::schedule(Sequence& sequence, std::uint32_t tokens, StepLoad& load) {
  (sequence.decoding() ? load.decodes : load.prefill_tokens) += tokens;
  load.context += sequence.cached + tokens;
  sequence.scheduled = tokens;
}

Nanos EngineModel::duration_of(const StepLoad& load) {
  Nanos duration = profile_.step_base + profile_.per_prefill_token * load.prefill_tokens +
                   profile_.per_decode_sequence * load.decodes +
                   Nanos{profile_.per_context_kilotoken.count() *
                         static_cast<std::int64_t>(load.context) / 1000};
  if (profile_.jitter > 0.0) {
    // exp(sigma z - sigma^2/2) has the mean 1, so that jitter does not change the capacity.
    const double z = boost::math::quantile(boost::math::normal(), rng_.uniform());
    const double sigma = profile_.jitter;
    duration = from_seconds(to_seconds(duration) * std::exp(sigma * z - sigma * sigma / 2.0));
  }
  return std::max(duration, Nanos{1});
}

void EngineModel::end_step(std::vector<EmittedTokens>& out) {
  ++gauges_.steps;
  for (Sequence& sequence : running_) {
    if (sequence.scheduled == 0) continue;
    sequence.cached += std::exchange(sequence.scheduled, 0U);
    if (sequence.missing() == 0) emit(sequence, out);
    if (sequence.generated == sequence.output) free_blocks_ += sequence.blocks;
  }
  gauges_.finished += std::erase_if(
      running_, [](const Sequence& sequence) { return sequence.generated == sequence.output; });
}

void EngineModel::emit(Sequence& sequence, std::vector<EmittedTokens>& out) {
  if (sequence.generated == 0) gauges_.prompt_tokens += sequence.prompt;
  ++sequence.generated;
  ++sequence.unsent;
  ++gauges_.generation_tokens;
  const bool first = sequence.generated == 1;  // front ends that join tokens send the first at once
  const bool last = sequence.generated == sequence.output;
  if (!first && !last && sequence.unsent < profile_.tokens_per_event) return;
  out.push_back(
      {sequence.id, *step_end_, std::exchange(sequence.unsent, 0U), sequence.generated, last});
}

EngineGauges EngineModel::gauges() const {
  EngineGauges gauges = gauges_;
  gauges.running = static_cast<std::uint32_t>(running_.size());
  gauges.waiting = static_cast<std::uint32_t>(waiting_.size());
  gauges.kv_tokens_used =
      (profile_.kv_tokens / profile_.kv_block - free_blocks_) * profile_.kv_block;
  return gauges;
}

}  // namespace evenbench::sim
