#include "cli/env_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace evenbench::cli {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// What may stand behind a value: nothing, or a comment set off by a blank.
bool is_rest(std::string_view rest) {
  if (rest.empty()) return true;
  const auto first = rest.find_first_not_of(kBlanks);
  return first == std::string_view::npos || (first > 0 && rest[first] == '#');
}

std::optional<std::string> in_single_quotes(std::string_view text) {
  const auto end = text.find('\'', 1);
  if (end == std::string_view::npos || !is_rest(text.substr(end + 1))) return std::nullopt;
  return std::string(text.substr(1, end - 1));
}

std::optional<std::string> in_double_quotes(std::string_view text) {
  std::string out;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') return is_rest(text.substr(i + 1)) ? std::optional(out) : std::nullopt;
    if (c == '$' || c == '`') return std::nullopt;
    if (c != '\\') {
      out += c;
      continue;
    }
    constexpr std::string_view kEscaped = "\"\\$`n";
    if (++i == text.size() || kEscaped.find(text[i]) == std::string_view::npos) return std::nullopt;
    out += text[i] == 'n' ? '\n' : text[i];
  }
  return std::nullopt;
}

std::optional<std::string> bare(std::string_view text) {
  const auto end = std::min(text.find_first_of(kBlanks), text.size());
  const std::string_view value = text.substr(0, end);
  if (value.find_first_of("'\"$`\\") != std::string_view::npos) return std::nullopt;
  if (value.starts_with('#') || !is_rest(text.substr(end))) return std::nullopt;
  return std::string(value);
}

std::optional<std::string> value_of(std::string_view text) {
  // Behind blanks there can only be a comment: NAME= is a name without a value.
  if (is_rest(text)) return "";
  if (text.front() == '\'') return in_single_quotes(text);
  if (text.front() == '"') return in_double_quotes(text);
  return bare(text);
}

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return trimmed(line);
}

}  // namespace

bool is_variable_name(std::string_view text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, fits);
}

Result<std::map<std::string, std::string>> parse_env_file(std::string_view text,
                                                          const std::string& name) {
  std::map<std::string, std::string> out;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = next_line(text);
    if (line.empty() || line.front() == '#') continue;
    constexpr std::string_view kExport = "export ";
    if (line.starts_with(kExport)) line = trimmed(line.substr(kExport.size()));
    const auto equals = std::min(line.find('='), line.size());
    const auto value =
        equals < line.size() ? value_of(line.substr(equals + 1)) : std::optional<std::string>();
    if (!value || !is_variable_name(line.substr(0, equals))) {
      return environment_error(fmt::format(
          "{}:{}: this is not NAME=value; put a value with blanks, quotes, $, ` or \\ into '...', "
          "and nothing around the =",
          name, number));
    }
    if (!out.emplace(line.substr(0, equals), *value).second) {
      return environment_error(
          fmt::format("{}:{}: this name is set a second time; keep one", name, number));
    }
  }
  return out;
}

}  // namespace evenbench::cli
