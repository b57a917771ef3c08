// The event that was parsed last, as a form with one hole: the bytes before and behind its text.
// Engines write events that differ in nothing else, and such an event needs no parser to be
// understood. Knows bytes, not fields.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace evenbench::wire {

class EventTemplate {
 public:
  // `event`: what a JSON parser read, in a buffer that outlives what is learned. The text: where a
  // string value of it begins, behind the opening quote, and how many bytes it has up to the
  // closing one, escapes as they stand.
  void learn(std::string_view event, std::size_t text_begin, std::size_t text_size);
  void forget() { *this = {}; }

  // The text of `data`, if `data` is the learned event with another text in the place of the
  // learned one: then the parser would find the same structure and read all other values as before.
  // nullopt: it may be anything.
  [[nodiscard]] std::optional<std::string_view> text_of(std::string_view data) const;
  // text_of() will be called soon: only makes it faster.
  void prefetch() const;

 private:
  std::string_view before_, behind_;  // empty: nothing is learned
};

// Whether `text` can stand between the quotes of a JSON string and means itself: UTF-8 without
// quotes, backslashes and control characters (RFC 8259, section 7).
bool is_plain(std::string_view text);

}  // namespace evenbench::wire
