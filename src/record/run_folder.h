// Where a run's files lie: a folder of its own for every run, and the run file in it. Knows names
// only, nothing of what is in the files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace evenbench::record {

inline constexpr const char* kRunFileName = "run.sqlite";

// Makes parent/<UTC time>-<title>/ and logs/ inside, and parent itself where it is missing. The
// folder is new: whoever asks in the same second, from whatever process, gets another one.
Result<std::filesystem::path> make_run_folder(const std::filesystem::path& parent, WallTime now,
                                              std::string_view title);

// The run file that a person means by `path`: a run folder, or the file itself.
Result<std::filesystem::path> find_run_file(const std::filesystem::path& path);

// The title as one part of a file name: letters and digits of any script in lower case, anything
// else one '-', at most 40 characters; "run" if nothing is left.
std::string folder_slug(std::string_view title);

}  // namespace evenbench::record
