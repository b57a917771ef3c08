#include "wire/detail_text.h"

#include <simdjson.h>

namespace evenbench::wire {
namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

std::string detail_text(std::string_view text, std::size_t max_bytes) {
  const bool utf8 = simdjson::validate_utf8(text.data(), text.size());
  std::string out;
  bool space_due = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7F) {
      space_due = !out.empty();
      continue;
    }
    if (space_due) out += ' ';
    space_due = false;
    out += byte >= 0x80 && !utf8 ? '?' : c;
    if (out.size() > max_bytes) break;
  }
  if (out.size() <= max_bytes) return out;
  std::size_t end = max_bytes;
  while (end > 0 && continues_character(out[end])) --end;
  out.resize(end);
  return out;
}

}  // namespace evenbench::wire
