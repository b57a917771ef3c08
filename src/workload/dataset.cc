#include "workload/dataset.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace evenbench::workload {
namespace {

void add_json_row(std::string_view line, std::size_t row, Dataset& out) {
  const auto parsed = nlohmann::json::parse(line, nullptr, false);
  if (parsed.is_discarded()) {
    out.skipped.push_back(fmt::format("row {}: not JSON", row));
  } else if (!parsed.is_object() || !parsed.contains("prompt") || !parsed["prompt"].is_string() ||
             parsed["prompt"].get_ref<const std::string&>().empty()) {
    out.skipped.push_back(fmt::format("row {}: no text under \"prompt\"", row));
  } else {
    out.prompts.push_back(parsed["prompt"]);
  }
}

}  // namespace

Dataset parse_dataset(std::string_view text, bool json_lines) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Dataset out;
  for (std::size_t row = 1; !text.empty(); ++row) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (json_lines) {
      add_json_row(line, row, out);
    } else {
      out.prompts.emplace_back(line);
    }
  }
  return out;
}

Result<Dataset> load_dataset(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    return usage_error(
        fmt::format("{}: cannot be read; check the path of the data set", file.string()));
  }
  std::stringstream text;
  text << in.rdbuf();
  Dataset out = parse_dataset(text.str(), file.extension() == ".jsonl");
  if (!out.prompts.empty()) return out;
  return usage_error(fmt::format("{}: no usable prompt in it{}{}", file.string(),
                                 out.skipped.empty() ? "" : "; ",
                                 out.skipped.empty() ? "" : out.skipped.front()));
}

}  // namespace evenbench::workload
