#include "cli/user_folder.h"

#include <fmt/format.h>

#include <cstdlib>

namespace evenbench::cli {
namespace {

std::filesystem::path folder_named_by(const char* variable) {
  const char* value =
      std::getenv(variable);  // lint-ok(environment): the XDG base directory specification
  return value == nullptr ? "" : value;
}

}  // namespace

Result<std::filesystem::path> user_folder(const char* variable, const std::string& below_home,
                                          const std::string& what) {
  const std::filesystem::path named = folder_named_by(variable);
  // A relative path is to be ignored, says the specification.
  if (named.is_absolute()) return named / "evenbench";
  const std::filesystem::path home = folder_named_by("HOME");
  if (home.is_absolute()) return home / below_home / "evenbench";
  return environment_error(
      fmt::format("there is no place to keep {}: set {} or HOME to a folder", what, variable));
}

}  // namespace evenbench::cli
