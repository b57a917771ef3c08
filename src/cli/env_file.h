// Reads the text of an `.env` file: NAME=value lines with keys of services. Pure; opens no file,
// and no message ever holds what stands in one.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace evenbench::cli {

// Whether a text can be the name of an environment variable: a key written in its place cannot.
bool is_variable_name(std::string_view text);

// Lines of NAME=value, also behind `export`; blank lines and `#` comments. A value stands bare (no
// blanks, quotes, $, ` or backslash), in '...' (as it is), or in "..." (\" \\ \$ \` and \n, no
// other backslash, no bare $ or `). Nothing is expanded and nothing else is understood: Error
// (environment) with `name` and the line's number.
Result<std::map<std::string, std::string>> parse_env_file(std::string_view text,
                                                          const std::string& name);

}  // namespace evenbench::cli
