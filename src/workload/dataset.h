// Prompts from a file: text lines, or JSON Lines with a "prompt" in each row. Bad rows are skipped,
// counted and named.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace evenbench::workload {

struct Dataset {
  std::vector<std::string> prompts;
  std::vector<std::string> skipped;  // "row 3: no text under \"prompt\""
};

// A byte-order mark and blank lines are no error. Rows count from 1 and include blank lines.
Dataset parse_dataset(std::string_view text, bool json_lines);

// JSON Lines when the name ends in .jsonl. Error: usage; unreadable, or not one usable row (with
// the first reasons).
Result<Dataset> load_dataset(const std::filesystem::path& file);

}  // namespace evenbench::workload
