#include "calibrate/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "wire/request.h"

namespace evenbench::calibrate {
namespace {

constexpr Nanos kServerBound = kErrorBound / 2;
constexpr double kHeldShare = 0.99;
constexpr double kQuantile = 0.99;

std::string millis(const std::optional<Nanos>& late) {
  return late ? fmt::format("{:.2f} ms", to_millis(*late)) : std::string("none");
}

ServerEntry entry_of(const nlohmann::json& line) {
  ServerEntry out;
  for (const auto& at : line.at("writes_ns")) {
    out.writes.push_back(MonoTime{Nanos{at.get<std::int64_t>()}});
  }
  for (const auto& late : line.at("late_ns")) out.late.emplace_back(late.get<std::int64_t>());
  out.blocked = line.at("blocked").get<std::uint64_t>();
  return out;
}

}  // namespace

Result<ServerLog> read_server_log(std::istream& lines) {
  ServerLog out;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      const auto parsed = nlohmann::json::parse(line);
      out.emplace(parsed.at("id").get<std::string>(), entry_of(parsed));
    } catch (const nlohmann::json::exception& e) {
      return environment_error(
          fmt::format("line {} of the null server's log cannot be read: {}", number, e.what()));
    }
  }
  return out;
}

void Tally::add(const record::RequestRow& row) {
  const Exchanged& exchanged = row.exchanged;
  if (exchanged.ending != Ending::kDone && exchanged.ending != Ending::kCutAtEnd) {
    if (seen_.failed++ == 0) seen_.first_failure = exchanged.detail;
  }
  if (window_.holds(row.planned)) {
    const MonoTime sent = observed(exchanged.sent) ? exchanged.sent : window_.end;
    send_late_.add(sent - row.planned);
  }
  const auto found = log_.find(wire::request_name(step_id_, row.index));
  if (found != log_.end()) add_tokens(exchanged, found->second);
}

void Tally::add_tokens(const Exchanged& exchanged, const ServerEntry& entry) {
  seen_.blocked += entry.blocked;
  bool in_window = false;
  for (std::size_t i = 0; i < entry.writes.size(); ++i) {
    if (!window_.holds(entry.writes[i])) continue;
    in_window = true;
    ++seen_.tokens;
    if (i < entry.late.size()) server_late_.add(entry.late[i]);
    if (i < exchanged.tokens.size()) {
      token_late_.add(exchanged.tokens[i].at.user - entry.writes[i]);
    } else if (observed(exchanged.closed.user) && exchanged.closed.user > entry.writes[i]) {
      token_late_.add(exchanged.closed.user - entry.writes[i]);
    }
  }
  seen_.streams += in_window ? 1 : 0;
}

Seen Tally::seen() const {
  Seen out = seen_;
  out.token_late = token_late_.quantile(kQuantile);
  out.send_late = send_late_.quantile(kQuantile);
  out.server_late = server_late_.quantile(kQuantile);
  return out;
}

Trial verdict_of(const Seen& seen, std::uint64_t streams) {
  if (seen.failed > 0) {
    return {Verdict::kFailed,
            fmt::format("{} requests failed: {}", seen.failed, seen.first_failure)};
  }
  // A client that does not read makes its server late.
  if (seen.blocked > 0) {
    return {Verdict::kFailed, fmt::format("{} sends waited for the client to read", seen.blocked)};
  }
  if (seen.server_late > kServerBound) {
    return {Verdict::kServerLate,
            fmt::format("the null server itself was late: p99 {}", millis(seen.server_late))};
  }
  if (seen.tokens == 0) return {Verdict::kFailed, "no token came in the measuring time"};
  if (static_cast<double>(seen.streams) < kHeldShare * static_cast<double>(streams)) {
    return {Verdict::kFailed,
            fmt::format("{} of {} streams were under way", seen.streams, streams)};
  }
  if (seen.token_late > kErrorBound) {
    return {Verdict::kFailed, fmt::format("tokens recorded late: p99 {}", millis(seen.token_late))};
  }
  if (seen.send_late > kErrorBound) {
    return {Verdict::kFailed, fmt::format("requests sent late: p99 {}", millis(seen.send_late))};
  }
  return {};
}

std::string text_of(const Seen& seen) {
  return fmt::format("p99 late: tokens {}, sends {}, server {}", millis(seen.token_late),
                     millis(seen.send_late), millis(seen.server_late));
}

}  // namespace evenbench::calibrate
