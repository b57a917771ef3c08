// Any bytes, cut anywhere, give the same events as the same bytes whole.
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (events(bytes, 0) != events(bytes, data[0])) std::abort();
  return 0;
}
