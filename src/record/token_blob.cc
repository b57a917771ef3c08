#include "record/token_blob.h"

#include <cstdint>
#include <optional>

namespace evenbench::record {
namespace {

constexpr unsigned char kVersion = 1;
constexpr unsigned kMerged = 0x01;
constexpr unsigned kHasUser = 0x02;
constexpr unsigned kHasKernel = 0x04;
constexpr unsigned kTokensShift = 3;
// Token counts up to 30 ride in the flag byte; 31 says that a varint follows.
constexpr std::uint32_t kTokensFollow = 31;

void put_varint(std::uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// Small numbers of either sign become small unsigned ones: 0, -1, 1, -2 … -> 0, 1, 2, 3 …
std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1) ^ (difference >> 63 != 0 ? ~std::uint64_t{0} : 0);
}
std::uint64_t unzigzag(std::uint64_t coded) {
  return (coded >> 1) ^ ((coded & 1) != 0 ? ~std::uint64_t{0} : 0);
}

class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

  std::optional<unsigned char> byte() {
    if (rest_.empty()) return std::nullopt;
    const auto first = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto next = byte();
      if (!next) return std::nullopt;
      const std::uint64_t part = *next & 0x7fU;
      if (shift == 63 && part > 1) return std::nullopt;  // more than 64 bits
      value |= part << shift;
      if ((*next & 0x80U) == 0) return value;
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

void encode_event(const TokenEvent& event, const Anchor& anchor, std::uint64_t& last_user,
                  std::string& blob) {
  const bool has_user = observed(event.at.user);
  const bool has_kernel = observed(event.at.kernel);
  const std::uint32_t inline_tokens = event.tokens < kTokensFollow ? event.tokens : kTokensFollow;
  blob.push_back(static_cast<char>((event.merged ? kMerged : 0U) | (has_user ? kHasUser : 0U) |
                                   (has_kernel ? kHasKernel : 0U) |
                                   (inline_tokens << kTokensShift)));
  if (inline_tokens == kTokensFollow) put_varint(event.tokens, blob);
  if (has_user) {
    const auto user = static_cast<std::uint64_t>(anchor.offset_of(event.at.user));
    put_varint(zigzag(user - last_user), blob);
    last_user = user;
  }
  if (has_kernel) {
    // Back from the user stamp, not from the last kernel stamp: microseconds, so two or three
    // bytes.
    const auto kernel = static_cast<std::uint64_t>(anchor.offset_of(event.at.kernel));
    put_varint(zigzag(last_user - kernel), blob);
  }
}

bool decode_event(Bytes& bytes, const Anchor& anchor, std::uint64_t& last_user, TokenEvent& event) {
  const auto flags = bytes.byte();
  if (!flags) return false;
  event.merged = (*flags & kMerged) != 0;
  event.tokens = *flags >> kTokensShift;
  if (event.tokens == kTokensFollow) {
    const auto tokens = bytes.varint();
    if (!tokens || *tokens > UINT32_MAX) return false;
    event.tokens = static_cast<std::uint32_t>(*tokens);
  }
  if ((*flags & kHasUser) != 0) {
    const auto step = bytes.varint();
    if (!step) return false;
    last_user += unzigzag(*step);
    event.at.user = anchor.instant_at(static_cast<std::int64_t>(last_user));
  }
  if ((*flags & kHasKernel) != 0) {
    const auto back = bytes.varint();
    if (!back) return false;
    event.at.kernel = anchor.instant_at(static_cast<std::int64_t>(last_user - unzigzag(*back)));
  }
  return true;
}

}  // namespace

void encode_token_events(const TokenEvents& events, const Anchor& anchor, std::string& blob) {
  blob.clear();
  blob.push_back(static_cast<char>(kVersion));
  put_varint(events.size(), blob);
  std::uint64_t last_user = 0;
  for (const TokenEvent& event : events) encode_event(event, anchor, last_user, blob);
}

Result<TokenEvents> decode_token_events(std::string_view blob, const Anchor& anchor) {
  Bytes bytes(blob);
  const auto version = bytes.byte();
  if (!version || *version != kVersion) {
    return environment_error(
        version ? fmt::format("token events of coding {}, this program knows coding {}", *version,
                              kVersion)
                : std::string("token events without a single byte"));
  }
  const auto count = bytes.varint();
  // Every event takes a byte at least; this keeps a damaged count from asking for all memory.
  if (!count || *count > bytes.left()) return environment_error("token events cut short");
  TokenEvents events(static_cast<std::size_t>(*count));
  std::uint64_t last_user = 0;
  for (TokenEvent& event : events) {
    if (!decode_event(bytes, anchor, last_user, event)) {
      return environment_error("token events cut short");
    }
  }
  if (bytes.left() != 0) {
    return environment_error(fmt::format("{} bytes after the last token event", bytes.left()));
  }
  return events;
}

}  // namespace evenbench::record
