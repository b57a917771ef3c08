#include "base/secrets.h"

#include <algorithm>
#include <string_view>

namespace evenbench {
namespace {

constexpr std::string_view kMask = "[key]";
constexpr std::size_t kShortest = 2;
constexpr std::size_t kShortestBeginning = 4;

void hide_everywhere(std::string& text, const std::string& secret) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, from)) {
    out.append(text, from, at - from).append(kMask);
    from = at + secret.size();
  }
  if (from == 0) return;
  text = out.append(text, from);
}

void hide_beginning_at_end(std::string& text, std::string_view secret) {
  for (std::size_t n = std::min(secret.size() - 1, text.size()); n >= kShortestBeginning; --n) {
    if (!text.ends_with(secret.substr(0, n))) continue;
    text.resize(text.size() - n);
    text += kMask;
    return;
  }
}

}  // namespace

void hide_secrets(std::string& text, std::span<const std::string> secrets) {
  for (const std::string& secret : secrets) {
    if (secret.size() < kShortest) continue;
    hide_everywhere(text, secret);
    hide_beginning_at_end(text, secret);
  }
}

}  // namespace evenbench
