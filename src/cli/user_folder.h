// Where this user's files of a kind stand, by the XDG base directory specification.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace evenbench::cli {

// What `variable` (XDG_STATE_HOME, ...) names, else `below_home` of the home folder, and there
// evenbench's own. Error: environment, neither is set; names `what` has no place.
Result<std::filesystem::path> user_folder(const char* variable, const std::string& below_home,
                                          const std::string& what);

}  // namespace evenbench::cli
