// Output tokens by the instant at which they arrived: inside the measuring window, in every second
// of the step, and per event. Streams that were cut at the end count with what arrived of them;
// failed ones are in no rate, but counted.
#pragma once

#include <optional>
#include <vector>

#include "base/exchange.h"
#include "judge/step_span.h"

namespace evenbench::judge {

class TokenFlow {
 public:
  explicit TokenFlow(const StepSpan& span, Instants instants = {});

  void add(const Exchanged& exchanged);

  // Tokens per token event, over the good streamed answers whose count is known.
  [[nodiscard]] std::optional<double> tokens_per_event() const;
  // Absent where tokens arrived of which nobody can tell how many they were.
  [[nodiscard]] std::optional<double> tokens_in_window() const;
  // Empty where tokens_in_window() is absent.
  [[nodiscard]] std::vector<double> tokens_per_second() const;
  // Token events of failed requests that arrived inside the window.
  [[nodiscard]] double failed_events() const { return failed_events_; }

 private:
  void arrive(MonoTime at, std::optional<double> tokens);

  StepSpan span_;
  Instants instants_;
  double ratio_tokens_ = 0.0;
  double ratio_events_ = 0.0;
  double counted_in_window_ = 0.0;
  double uncounted_in_window_ = 0.0;  // events, each worth tokens_per_event()
  double failed_events_ = 0.0;
  bool any_uncounted_ = false;
  std::vector<double> counted_;
  std::vector<double> uncounted_;
};

}  // namespace evenbench::judge
