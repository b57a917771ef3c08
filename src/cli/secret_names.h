// Which names stand for a credential: their values are never written anywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace evenbench::cli {

inline constexpr std::string_view kHidden = "[not recorded]";

// Of a header or of an environment variable: "Authorization", "X-Api-Key", "HF_TOKEN", ...
bool names_secret(std::string_view name);

// Arguments of an engine with the values of --api-key, --hf-token and their like hidden, in either
// form ("--api-key K", "--api-key=K").
std::vector<std::string> without_secret_values(std::vector<std::string> args);

}  // namespace evenbench::cli
