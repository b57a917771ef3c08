#include "judge/request_tokens.h"

#include <algorithm>

namespace evenbench::judge {
namespace {

bool every_event_has_its_count(const TokenEvents& events) {
  return std::all_of(events.begin(), events.end(),
                     [](const TokenEvent& e) { return e.tokens > 0; });
}

}  // namespace

std::optional<std::uint32_t> output_count(const Exchanged& exchanged) {
  if (exchanged.source == TokenSource::kUnknown) return std::nullopt;
  if (exchanged.output_tokens == 0U && !exchanged.tokens.empty()) return std::nullopt;
  return exchanged.output_tokens;
}

std::optional<std::vector<double>> tokens_per_event(const Exchanged& exchanged) {
  const TokenEvents& events = exchanged.tokens;
  const std::optional<std::uint32_t> n = output_count(exchanged);
  const bool counted = every_event_has_its_count(events);
  if (!n && !counted) return std::nullopt;
  double known = 0.0;
  double unknown_events = 0.0;
  for (const TokenEvent& event : events) {
    known += event.tokens;
    unknown_events += event.tokens == 0 ? 1.0 : 0.0;
  }
  const double total = n ? static_cast<double>(*n) : known;
  const bool fits = unknown_events == 0.0 || total > known;
  std::vector<double> out;
  out.reserve(events.size());
  for (const TokenEvent& event : events) {
    if (!fits) {  // counts of some events contradict n: trust n alone
      out.push_back(total / static_cast<double>(events.size()));
    } else if (counted) {
      out.push_back(event.tokens * (total / known));
    } else {
      out.push_back(event.tokens > 0 ? event.tokens : (total - known) / unknown_events);
    }
  }
  return out;
}

bool event_counts_are_known(const Exchanged& exchanged) {
  const TokenEvents& events = exchanged.tokens;
  if (events.size() < 2) return false;
  if (every_event_has_its_count(events)) return true;
  const std::optional<std::uint32_t> n = output_count(exchanged);
  return n && exchanged.source != TokenSource::kTokenizer && *n == events.size();
}

}  // namespace evenbench::judge
