#include "engine/exposition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace evenbench::engine {
namespace {

constexpr std::size_t kShownBytes = 60;

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// One line, read from left to right. Every take_ function leaves the rest of the line.
class Line {
 public:
  explicit Line(std::string_view rest) : rest_(rest) {}

  // What is wrong with it; nullptr: `sample` is whole.
  const char* read(Sample& sample) {
    if (!take_name(sample.name, true)) return "it does not begin with a name";
    skip_blanks();
    if (take('{')) {
      if (const char* trouble = take_labels(sample)) return trouble;
      skip_blanks();
    }
    if (!take_value(sample.value)) return "it has no number";
    skip_blanks();
    if (!rest_.empty() && !take_timestamp()) return "something stands behind its number";
    return nullptr;
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
  }

  bool take_name(std::string& name, bool colons) {
    std::size_t end = 0;
    const auto fits = [&](char c) {
      return begins_name(c) || (colons && c == ':') || (end > 0 && c >= '0' && c <= '9');
    };
    while (end < rest_.size() && fits(rest_[end])) ++end;
    name = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return end > 0;
  }

  const char* take_labels(Sample& sample) {
    while (true) {
      skip_blanks();
      if (take('}')) return nullptr;
      std::string name, value;
      if (!take_name(name, false)) return "a label has no name";
      skip_blanks();
      if (!take('=')) return "a label has no value";
      skip_blanks();
      if (!take_quoted(value)) return "the value of a label is not closed or escaped wrongly";
      sample.labels.emplace_back(std::move(name), std::move(value));
      skip_blanks();
      if (!take(',') && !rest_.starts_with('}')) return "its labels do not end";
    }
  }

  bool take_quoted(std::string& value) {
    if (!take('"')) return false;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (c != '\\') {
        value += c;
      } else if (take('n')) {
        value += '\n';
      } else if (take('\\')) {
        value += '\\';
      } else if (take('"')) {
        value += '"';
      } else {
        return false;
      }
    }
    return false;
  }

  std::string_view take_word() {
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    rest_.remove_prefix(word.size());
    return word;
  }

  bool take_value(double& value) {
    std::string_view word = take_word();
    if (word.starts_with('+')) word.remove_prefix(1);
    if (word.starts_with('+') || word.empty()) return false;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    return fault == std::errc{} && end == word.data() + word.size();
  }

  bool take_timestamp() {
    const std::string_view word = take_word();
    std::int64_t millis = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), millis);
    skip_blanks();
    return fault == std::errc{} && end == word.data() + word.size() && rest_.empty();
  }

  std::string_view rest_;
};

}  // namespace

std::string_view Sample::label(std::string_view key) const {
  for (const auto& label : labels) {
    if (label.first == key) return label.second;
  }
  return "";
}

Result<std::vector<Sample>> read_exposition(std::string_view page) {
  std::vector<Sample> samples;
  for (std::size_t number = 1; !page.empty(); ++number) {
    const std::size_t end = page.find('\n');
    const std::string_view line = page.substr(0, end);
    const auto refuse = [&](std::string_view why) {
      return environment_error(fmt::format("line {} of the metrics cannot be read, {}: {}", number,
                                           why, line.substr(0, kShownBytes)));
    };
    if (end == std::string_view::npos) return refuse("the page is cut short");
    page.remove_prefix(end + 1);
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    Sample sample;
    if (const char* trouble = Line(line.substr(begin)).read(sample)) return refuse(trouble);
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace evenbench::engine
