// Any bytes, cut anywhere, give the events that a scanner gives which looks at one byte after the
// other.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "wire/sse_scanner.h"

using evenbench::wire::SseScanner;

namespace {

std::vector<std::string> events(std::string_view bytes, std::uint8_t piece) {
  std::vector<std::string> out;
  SseScanner scanner;
  const SseScanner::OnEvent keep = [&](std::string_view data) { out.emplace_back(data); };
  const std::size_t step = piece == 0 ? bytes.size() + 1 : piece;
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    if (!scanner.feed(bytes.substr(i, step), keep)) break;
  }
  return out;
}

// WHATWG HTML, section 9.2, word for word. What is behind the last blank line is no event.
std::vector<std::string> reference(std::string_view bytes) {
  std::vector<std::string> out;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::string line, data;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\r' && bytes[i] != '\n') {
      line += bytes[i];
      continue;
    }
    if (bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n') ++i;
    if (line.empty()) {
      if (!data.empty()) data.pop_back();  // the LF behind its last line
      if (!data.empty()) out.push_back(data);
      data.clear();
    } else if (line == "data") {
      data += '\n';
    } else if (line.starts_with("data:")) {
      data += line.substr(line.starts_with("data: ") ? 6 : 5) + '\n';
    }
    line.clear();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto expected = reference(bytes);
  if (events(bytes, 0) != expected || events(bytes, data[0]) != expected) std::abort();
  return 0;
}
