#include "base/outcome.h"

#include <array>

namespace evenbench {
namespace {

constexpr std::array<std::string_view, kEndingCount> kEndingNames = {
    "done",  "empty",          "http_error", "stream_error", "bad_stream",
    "reset", "connect_failed", "timed_out",  "cut_at_end"};
constexpr std::array<std::string_view, kTokenSourceCount> kSourceNames = {
    "unknown", "usage", "running_usage", "token_ids", "tokenizer"};
constexpr std::array<std::string_view, 3> kPhaseNames = {"warmup", "measure", "cooldown"};

template <typename E, std::size_t N>
std::optional<E> find(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Ending ending) {
  return kEndingNames[static_cast<std::size_t>(ending)];
}
std::optional<Ending> ending_from(std::string_view name) {
  return find<Ending>(kEndingNames, name);
}
std::string_view name_of(TokenSource source) {
  return kSourceNames[static_cast<std::size_t>(source)];
}
std::optional<TokenSource> token_source_from(std::string_view name) {
  return find<TokenSource>(kSourceNames, name);
}
std::string_view name_of(Phase phase) {
  return kPhaseNames[static_cast<std::size_t>(phase)];
}

}  // namespace evenbench
