// What is understood without a parser, against the parser: every field of every event, by a decoder
// that saw the events before it and by one that saw none.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "wire/event_decoder.h"
#include "wire/testing/pieces.h"

using namespace evenbench::wire;  // NOLINT

namespace {

DecodedEvent parsed(std::string_view data, bool keep_text) {
  EventDecoder fresh;
  return fresh.decode(data, keep_text);
}

std::string filled(std::string_view form, std::string_view text) {
  std::string out;
  for (const char c : form) {
    if (c == '@') {
      out += text;
    } else {
      out += c;
    }
  }
  return out;
}

// The first line is an event with '@' where a text goes, each other line is a text.
void compare_forms(std::string_view lines, bool keep_text) {
  const std::string_view form = lines.substr(0, lines.find('\n'));
  EventDecoder decoder;
  while (lines.size() > form.size()) {
    lines.remove_prefix(std::min(lines.size(), lines.find('\n')));
    if (!lines.empty()) lines.remove_prefix(1);
    const std::string event = filled(form, lines.substr(0, lines.find('\n')));
    if (decoder.decode(event, keep_text) != parsed(event, keep_text)) std::abort();
    if (lines.find('\n') == std::string_view::npos) break;
  }
}

// A body in any pieces, understood as a stream.
void compare_stream(std::string_view body, bool chunked, bool keep_text, std::uint32_t seed) {
  const std::string bytes = std::string("HTTP/1.1 200 OK\r\n") +
                            (chunked ? "transfer-encoding: chunked\r\n\r\n" : "\r\n") +
                            std::string(body);
  EventDecoder decoder;
  const auto piece = [&] { return 1 + (seed = seed * 1664525U + 1013904223U) % 200U; };
  const testing::Decoded fast = testing::decode_in_pieces(
      bytes, piece, [&](auto data) { return decoder.decode(data, keep_text); });
  const testing::Decoded slow = testing::decode_in_pieces(
      bytes, [] { return 1U; }, [&](auto data) { return parsed(data, keep_text); });
  if (fast.broken != slow.broken) std::abort();
  const std::size_t common = std::min(fast.events.size(), slow.events.size());
  if (!fast.broken && fast.events.size() != slow.events.size()) std::abort();
  for (std::size_t i = 0; i < common; ++i) {
    if (fast.events[i] != slow.events[i]) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  const bool keep_text = (data[0] & 2U) != 0;
  if ((data[0] & 1U) == 0) {
    compare_forms(rest, keep_text);
  } else {
    compare_stream(rest, (data[0] & 4U) != 0, keep_text, data[1]);
  }
  return 0;
}
