// A model of a continuous-batching inference engine as a pure state machine: requests and an
// instant in, tokens with instants out. It serves behind sockets (sim/server.h) and in virtual time
// (sim/virtual_transport.h). Always labelled "simulated".
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "base/time.h"

namespace evenbench::sim {

// What makes one engine's shape different from another's, not only its scale.
struct Profile {
  std::string name;                        // vllm | trtllm | tgi | sglang
  std::uint32_t max_len = 8192;            // longest context: prompt and answer
  std::uint32_t max_running = 256;         // sequences in a batch
  std::uint32_t kv_tokens = 200'000;       // KV-cache capacity
  std::uint32_t kv_block = 16;             // tokens per block
  std::uint32_t step_token_budget = 2048;  // prefill + decode tokens per engine step
  bool chunked_prefill = true;    // false: a prompt is prefilled whole, decodes wait for it
  bool prefill_first = false;     // true: waiting prompts stop the decodes (TGI-like)
  bool reserve_output = false;    // true: KV for the whole answer at admission, never a preemption
  std::uint32_t max_waiting = 0;  // queue limit; 0 = none
  Nanos step_base{0};             // fixed cost of one engine step
  Nanos per_prefill_token{0};
  Nanos per_decode_sequence{0};
  Nanos per_context_kilotoken{
      0};               // attention cost of 1000 tokens of context in the batch, per step
  double jitter = 0.0;  // lognormal sigma of each step's duration
  std::uint32_t tokens_per_event = 1;  // how many tokens the front end joins into one event
};
Result<Profile> profile_named(std::string_view name);
// The same engine `speed` times as fast: every modelled duration is divided.
Profile sped_up(Profile profile, double speed);

using SequenceId = std::uint64_t;

struct EmittedTokens {
  SequenceId id = 0;
  MonoTime at = kNever;
  std::uint32_t count = 0;  // tokens since the last event of this sequence
  std::uint32_t total = 0;  // tokens so far
  bool last = false;
};

struct EngineGauges {
  std::uint32_t running = 0, waiting = 0, kv_tokens_used = 0;
  std::uint64_t preemptions = 0, prompt_tokens = 0, generation_tokens = 0, finished = 0,
                refused = 0, steps = 0;
};

class EngineModel {
 public:
  EngineModel(Profile profile, std::uint64_t seed);

  // Whether the KV cache could ever hold such a sequence.
  [[nodiscard]] bool fits(std::uint32_t prompt_tokens, std::uint32_t output_tokens) const;
  // A request arrives at `now` (never earlier than the last instant given; advance to `now` first).
  // false: refused, the queue is full. output_tokens must be above 0 and the sequence must fit.
  bool submit(SequenceId id, std::uint32_t prompt_tokens, std::uint32_t output_tokens,
              MonoTime now);
  // The client has gone away. Its KV is free at once; the running step keeps its duration.
  void abort(SequenceId id, MonoTime now);
  // When the running step ends; nullopt while idle.
  [[nodiscard]] std::optional<MonoTime> next_instant() const { return step_end_; }
  // Ends every step that is over by `now` and starts the next; appends what came out, in order of
  // time.
  void advance(MonoTime now, std::vector<EmittedTokens>& out);
  [[nodiscard]] EngineGauges gauges() const;
  [[nodiscard]] const Profile& profile() const { return profile_; }

 private:
  struct Sequence {
    SequenceId id = 0;
    MonoTime arrived = kNever;
    std::uint32_t prompt = 0, output = 0;
    std::uint32_t cached = 0;  // tokens of the context whose keys and values are in the cache
    std::uint32_t generated = 0;
    std::uint32_t unsent = 0;     // generated but not yet emitted (tokens_per_event > 1)
    std::uint32_t blocks = 0;     // KV blocks held
    std::uint32_t scheduled = 0;  // tokens of the context that the running step computes
    // Context tokens still to compute: the prompt at first, one per decode step, everything again
    // after a preemption.
    [[nodiscard]] std::uint32_t missing() const { return prompt + generated - cached; }
    [[nodiscard]] bool decoding() const { return generated > 0 && missing() == 1; }
  };
  struct StepLoad {  // what one step computes: it decides how long the step takes
    std::uint32_t prefill_tokens = 0;
    std::uint32_t decodes = 0;
    std::uint64_t context = 0;
    [[nodiscard]] std::uint32_t tokens() const { return prefill_tokens + decodes; }
  };

  void start_step(MonoTime at);
  void end_step(std::vector<EmittedTokens>& out);
  void emit(Sequence& sequence, std::vector<EmittedTokens>& out);
  [[nodiscard]] bool prompts_go_first() const;
  // Continue what runs, the oldest first; with `prefills_only` decodes wait. false: a sequence was
  // preempted.
  bool schedule_running(bool prefills_only, StepLoad& load);
  void admit_waiting(MonoTime at, StepLoad& load);
  [[nodiscard]] std::uint32_t tokens_in_step(const Sequence& sequence, const StepLoad& load) const;
  bool grow(Sequence& sequence, std::uint32_t tokens);
  void preempt_youngest();
  static void schedule(Sequence& sequence, std::uint32_t tokens, StepLoad& load);
  [[nodiscard]] std::uint32_t blocks_for(std::uint64_t tokens) const;
  [[nodiscard]] Nanos duration_of(const StepLoad& load);

  Profile profile_;
  Rng rng_;
  std::deque<Sequence> waiting_;   // preempted ones in front
  std::vector<Sequence> running_;  // in order of admission
  std::optional<MonoTime> step_end_;
  std::uint32_t free_blocks_ = 0;
  std::uint32_t decode_steps_ = 0;  // since the last step that prefilled
  EngineGauges gauges_;
};

}  // namespace evenbench::sim
