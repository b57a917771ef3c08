#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "engine/child_process.h"
#include "wire/detail_text.h"

namespace evenbench::engine {
namespace {

constexpr std::streamoff kMostBytes = 4096;

// At most `most` bytes from the end, from the start of a line where there is one.
std::string end_of(const std::filesystem::path& log, std::streamoff most) {
  std::ifstream in(log, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : 0;
  const bool whole = size <= most;
  in.seekg(whole ? 0 : size - most);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto newline = text.find('\n');
  if (!whole && newline != std::string::npos && newline + 1 < text.size())
    text.erase(0, newline + 1);
  return text;
}

// One line made fit to print: terminal escapes lose their force, the indentation of tracebacks
// stays.
std::string printable(std::string_view line) {
  const auto indent = std::min(line.find_first_not_of(' '), line.size());
  return std::string(indent, ' ') +
         wire::detail_text(line.substr(indent), static_cast<std::size_t>(kMostBytes));
}

}  // namespace

std::string log_tail(const std::filesystem::path& log, std::size_t lines) {
  const std::string text = end_of(log, kMostBytes);
  std::string_view rest = text;
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) rest.remove_suffix(1);
  std::vector<std::string_view> all;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    all.push_back(line);
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  std::string out;
  for (std::size_t i = all.size() > lines ? all.size() - lines : 0; i < all.size(); ++i) {
    if (!out.empty()) out += '\n';
    out += printable(all[i]);
  }
  // Replacing a byte that is no UTF-8 never makes the text longer, so the bound still holds.
  return out;
}

std::string log_end(const std::filesystem::path& log) {
  constexpr std::streamoff kSearched = std::streamoff{1} << 20;
  return end_of(log, kSearched);
}

}  // namespace evenbench::engine
