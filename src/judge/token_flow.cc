#include "judge/token_flow.h"

#include "judge/request_tokens.h"
#include "judge/seconds.h"

namespace evenbench::judge {

TokenFlow::TokenFlow(const StepSpan& span, Instants instants)
    : span_(span),
      instants_(instants),
      counted_(seconds_between(span.begin, span.end)),
      uncounted_(counted_.size()) {}

void TokenFlow::add(const Exchanged& x) {
  const bool good = x.ending == Ending::kDone;
  if (!good && x.ending != Ending::kCutAtEnd) {
    for (const TokenEvent& event : x.tokens) {
      if (span_.window.holds(instants_.of(event.at))) failed_events_ += 1.0;
    }
    return;
  }
  const auto n = output_count(x);
  if (!x.streamed) {
    if (good) arrive(instants_.of(x.last_token), n);
    return;
  }
  if (good && n && !x.tokens.empty()) {
    ratio_tokens_ += *n;
    ratio_events_ += static_cast<double>(x.tokens.size());
  }
  const auto counts = judge::tokens_per_event(x);
  for (std::size_t i = 0; i < x.tokens.size(); ++i) {
    arrive(instants_.of(x.tokens[i].at), counts ? std::optional((*counts)[i]) : std::nullopt);
  }
}

void TokenFlow::arrive(MonoTime at, std::optional<double> tokens) {
  if (!observed(at)) return;
  const std::size_t second = second_of_end(span_.begin, at);
  const bool inside = span_.window.holds(at);
  if (tokens) {
    add_at(counted_, second, *tokens);
    if (inside) counted_in_window_ += *tokens;
  } else {
    any_uncounted_ = true;
    add_at(uncounted_, second, 1.0);
    if (inside) uncounted_in_window_ += 1.0;
  }
}

std::optional<double> TokenFlow::tokens_per_event() const {
  if (ratio_events_ == 0.0) return std::nullopt;
  return ratio_tokens_ / ratio_events_;
}

std::optional<double> TokenFlow::tokens_in_window() const {
  const auto ratio = tokens_per_event();
  if (any_uncounted_ && !ratio) return std::nullopt;
  return counted_in_window_ + uncounted_in_window_ * ratio.value_or(0.0);
}

std::vector<double> TokenFlow::tokens_per_second() const {
  const auto ratio = tokens_per_event();
  if (any_uncounted_ && !ratio) return {};
  std::vector<double> out = counted_;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += uncounted_[i] * ratio.value_or(0.0);
  return out;
}

}  // namespace evenbench::judge
