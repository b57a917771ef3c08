// An answer that comes in pieces, read as the program reads it: HTTP, then SSE, then each event by
// whatever decoder the test or the fuzzer holds against another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "wire/event_decoder.h"
#include "wire/http_reader.h"
#include "wire/sse_scanner.h"

namespace evenbench::wire::testing {

struct Decoded {
  std::vector<DecodedEvent> events;
  bool broken = false;  // of HTTP or of SSE; how far it came depends on the pieces then
  bool operator==(const Decoded&) const = default;
};

// `piece` gives the length of the next piece, from 1; `decode` an event's DecodedEvent.
template <typename Piece, typename Decode>
Decoded decode_in_pieces(std::string_view bytes, Piece&& piece, Decode&& decode) {
  Decoded out;
  HttpReader http;
  SseScanner sse;
  const SseScanner::OnEvent on_event = [&](std::string_view data) {
    out.events.push_back(decode(data));
  };
  const HttpReader::OnBody on_body = [&](std::string_view body) {
    if (!out.broken) out.broken = !sse.feed(body, on_event);
  };
  http.begin();
  auto status = HttpReader::Status::kMore;
  while (!bytes.empty() && status == HttpReader::Status::kMore) {
    const std::size_t n = std::min<std::size_t>(bytes.size(), piece());
    status = http.feed(bytes.substr(0, n), on_body);
    bytes.remove_prefix(n);
  }
  out.broken |= status == HttpReader::Status::kBroken;
  return out;
}

}  // namespace evenbench::wire::testing
