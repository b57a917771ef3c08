#include "wire/event_template.h"

#include <simdjson.h>

#include <cstdint>
#include <cstring>

#include "base/prefetch.h"

namespace evenbench::wire {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101U;
constexpr std::uint64_t kHighs = 0x8080808080808080U;

constexpr std::uint64_t all_of(char c) {
  return kOnes * static_cast<unsigned char>(c);
}

// Not 0 where one of the eight bytes is below `n` (at most 128): Bit Twiddling Hacks, "Determine if
// a word has a byte less than n".
constexpr std::uint64_t any_below(std::uint64_t word, std::uint64_t n) {
  return (word - kOnes * n) & ~word & kHighs;
}

constexpr bool has_special(std::uint64_t word) {
  return (any_below(word, ' ') | any_below(word ^ all_of('"'), 1) |
          any_below(word ^ all_of('\\'), 1)) != 0;
}

std::uint64_t word_at(const char* bytes, std::size_t size) {
  std::uint64_t word = all_of('a');
  std::memcpy(&word, bytes, size);
  return word;
}

}  // namespace

bool is_plain(std::string_view text) {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < text.size(); i += 8) {
    const std::uint64_t word = text.size() - i >= 8 ? word_at(text.data() + i, 8)
                                                    : word_at(text.data() + i, text.size() - i);
    if (has_special(word)) return false;
    seen |= word;
  }
  return (seen & kHighs) == 0 || simdjson::validate_utf8(text);
}

void EventTemplate::learn(std::string_view event, std::size_t text_begin, std::size_t text_size) {
  before_ = event.substr(0, text_begin);
  behind_ = event.substr(text_begin + text_size);
}

void EventTemplate::prefetch() const {
  evenbench::prefetch(before_.data(), before_.size());
  evenbench::prefetch(behind_.data(), behind_.size());
}

std::optional<std::string_view> EventTemplate::text_of(std::string_view data) const {
  if (before_.empty() || data.size() < before_.size() + behind_.size()) return std::nullopt;
  if (!data.starts_with(before_) || !data.ends_with(behind_)) return std::nullopt;
  const std::string_view text =
      data.substr(before_.size(), data.size() - before_.size() - behind_.size());
  if (!is_plain(text)) return std::nullopt;
  return text;
}

}  // namespace evenbench::wire
