// Streams for tests, as (bytes, instant) pairs: the short hand of the acceptance cases. Instants
// are milliseconds after the request was sent.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/stamp.h"
#include "wire/exchange.h"

namespace evenbench::wire::testing {

inline Stamp at_ms(double ms) {
  return {.user = MonoTime{from_seconds(ms / 1e3)}, .kernel = kNever};
}
inline double ms_of(const Stamp& stamp) {
  return observed(stamp) ? to_millis(stamp.user.time_since_epoch()) : -1.0;
}

inline std::string event(std::string_view json) {
  return fmt::format("data: {}\n\n", json);
}
inline std::string delta(std::string_view fields, std::string_view finish = "null") {
  return event(fmt::format(R"({{"choices":[{{"index":0,"delta":{{{}}},"finish_reason":{}}}]}})",
                           fields, finish));
}
inline std::string role_event() {
  return delta(R"("role":"assistant","content":"")");
}
inline std::string text_event(std::string_view text) {
  return delta(fmt::format(R"("content":"{}")", text));
}
inline std::string finish_event(std::string_view reason) {
  return delta("", fmt::format("\"{}\"", reason));
}
inline std::string usage_event(int prompt, int completion) {
  return event(
      fmt::format(R"({{"choices":[],"usage":{{"prompt_tokens":{},"completion_tokens":{}}}}})",
                  prompt, completion));
}
inline std::string done_event() {
  return event("[DONE]");
}

// The pieces of a response body with the instant at which each arrives.
using Pieces = std::vector<std::pair<double, std::string>>;

inline std::string chunk(std::string_view bytes) {
  return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}
inline constexpr std::string_view kStreamHead =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

// Feeds a chunked stream, one chunk per piece; the last piece is joined with the closing chunk.
inline Exchanged play(const Pieces& pieces, bool keep_text = true) {
  Exchange exchange;
  exchange.begin(true, keep_text);
  exchange.on_bytes(kStreamHead, at_ms(1));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool last = i + 1 == pieces.size();
    const std::string bytes = chunk(pieces[i].second) + (last ? "0\r\n\r\n" : "");
    if (exchange.on_bytes(bytes, at_ms(pieces[i].first)) != Exchange::Status::kMore) break;
  }
  return exchange.take();
}

// The whole response as one string, to be cut anywhere.
inline std::string whole(const Pieces& pieces) {
  std::string all(kStreamHead);
  for (const auto& [ms, bytes] : pieces) all += chunk(bytes);
  return all + "0\r\n\r\n";
}

}  // namespace evenbench::wire::testing
