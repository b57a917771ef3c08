// Any bytes: what is read from a metrics page, written down again, is read as the same.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "engine/exposition.h"

#include <fmt/format.h>

using evenbench::engine::read_exposition;
using evenbench::engine::Sample;

namespace {

std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return '"' + out + '"';
}

std::string written(const Sample& sample) {
  std::string labels;
  for (const auto& [name, value] : sample.labels) labels += name + '=' + quoted(value) + ',';
  return fmt::format("{}{{{}}} {}\n", sample.name, labels, sample.value);
}

bool same(const Sample& a, const Sample& b) {
  const bool values = a.value == b.value || (std::isnan(a.value) && std::isnan(b.value));
  return a.name == b.name && a.labels == b.labels && values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto first = read_exposition({reinterpret_cast<const char*>(data), size});
  if (!first) return 0;
  std::string page;
  for (const Sample& sample : *first) page += written(sample);
  const auto second = read_exposition(page);
  if (!second || second->size() != first->size()) std::abort();
  for (std::size_t i = 0; i < first->size(); ++i) {
    if (!same((*first)[i], (*second)[i])) std::abort();
  }
  return 0;
}
