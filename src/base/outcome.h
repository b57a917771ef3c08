// The words for what happened to a request, shared by the side that measures and the side that
// judges.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace evenbench {

// How a request ended. docs/terminology.md explains each for users; the names are those of
// run.sqlite and summary.json.
enum class Ending : std::uint8_t {
  kDone,         // good: HTTP 200, at least one token event, a proper end, no error event
  kEmpty,        // a proper end, but not one token event
  kHttpError,    // a status other than 200
  kStreamError,  // an error event inside a 200 stream
  kBadStream,  // a 200 stream that breaks the protocol or ends without a finish reason or done mark
  kReset,      // the connection broke before the response was whole
  kConnectFailed,  // no connection, or TLS refused
  kTimedOut,       // a time limit of the spec passed
  kCutAtEnd,       // still open when its step was over; no fault of the server
};
inline constexpr int kEndingCount = 9;
std::string_view name_of(Ending ending);
std::optional<Ending> ending_from(std::string_view name);

// Where the number of output tokens of a request comes from.
enum class TokenSource : std::uint8_t {
  kUnknown,       // no usage, no ids, no tokenizer: the number is absent, never guessed
  kUsage,         // the server's final usage
  kRunningUsage,  // usage on the events, the last one seen
  kTokenIds,      // token ids on the events
  kTokenizer,     // the reference tokenizer: an estimate
};
inline constexpr int kTokenSourceCount = 5;
std::string_view name_of(TokenSource source);
std::optional<TokenSource> token_source_from(std::string_view name);

// The part of a step to which a request belongs by its planned instant, however late it ends.
enum class Phase : std::uint8_t { kWarmup, kMeasure, kCooldown };
std::string_view name_of(Phase phase);

}  // namespace evenbench
