#include "cli/secret_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace evenbench::cli {

bool names_secret(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static constexpr std::array<std::string_view, 8> kParts = {
      "auth", "cookie", "key", "token", "secret", "passw", "credential", "signature"};
  return std::ranges::any_of(
      kParts, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

std::vector<std::string> without_secret_values(std::vector<std::string> args) {
  // Whole names: "--max-num-batched-tokens" is no secret.
  static constexpr std::array<std::string_view, 6> kOptions = {
      "--api-key", "--api_key", "--hf-token", "--hf_token", "--token", "--password"};
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::size_t equals = args[i].find('=');
    const std::string_view name = std::string_view(args[i]).substr(0, equals);
    if (std::ranges::find(kOptions, name) == kOptions.end()) continue;
    if (equals != std::string::npos) {
      args[i] = args[i].substr(0, equals + 1) + std::string(kHidden);
    } else if (i + 1 < args.size()) {
      args[++i] = kHidden;
    }
  }
  return args;
}

}  // namespace evenbench::cli
