// Any bytes in any pieces, then any end: exactly one ending, bounded words, and the same for every
// way of cutting.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "wire/exchange.h"

using namespace evenbench;  // NOLINT

namespace {

constexpr Stamp kNow{MonoTime{Nanos{1}}, kNever};

std::string summary(std::string_view bytes, std::size_t piece, bool stream, int end) {
  wire::Exchange exchange;
  exchange.begin(stream, true);
  auto status = wire::Exchange::Status::kMore;
  for (std::size_t i = 0; i < bytes.size() && status == wire::Exchange::Status::kMore; i += piece) {
    status = exchange.on_bytes(bytes.substr(i, piece), kNow);
  }
  if (end == 0) exchange.on_lost(wire::Loss::kEof, kNow);
  if (end == 1) exchange.on_limit(wire::Limit::kIdle, kNow);
  exchange.on_cut(kNow);
  const Exchanged x = exchange.take();
  if (x.detail.size() > 300) std::abort();
  if (x.ending == Ending::kDone && x.tokens.empty() && x.streamed) std::abort();
  if (x.ending == Ending::kBadStream) return "broken";  // how far it came may differ
  return fmt::format("{} {} {} {} {}", name_of(x.ending), x.http_status, x.tokens.size(),
                     x.output_tokens.value_or(0), x.text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const bool stream = (data[1] & 1U) != 0;
  const int end = (data[1] >> 1U) % 3;
  if (summary(bytes, bytes.size(), stream, end) != summary(bytes, data[0] % 97U + 1, stream, end)) {
    std::abort();
  }
  return 0;
}
