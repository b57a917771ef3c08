// How values are spelt alike for all engines.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

#include "engine/setting_rules.h"

namespace evenbench::engine {
namespace {

using Spelling = std::pair<std::string_view, std::string_view>;

constexpr std::array kDtypes{Spelling{"bf16", "bfloat16"}, Spelling{"f16", "float16"},
                             Spelling{"fp16", "float16"},  Spelling{"half", "float16"},
                             Spelling{"f32", "float32"},   Spelling{"fp32", "float32"},
                             Spelling{"float", "float32"}, Spelling{"f64", "float64"}};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string dtype(std::string name) {
  if (name.starts_with("torch.")) name.erase(0, 6);
  if (name == "auto") return "";
  const auto* known = std::find_if(kDtypes.begin(), kDtypes.end(),
                                   [&](const Spelling& one) { return one.first == name; });
  return known == kDtypes.end() ? name : std::string(known->second);
}

std::string switched(const std::string& word, bool yes) {
  for (const char* on : {"true", "1", "on", "yes", "enabled"}) {
    if (word == on) return yes ? "on" : "off";
  }
  for (const char* off : {"false", "0", "off", "no", "disabled"}) {
    if (word == off) return yes ? "off" : "on";
  }
  return "";
}

// "0.90" and "0.9" are one number.
std::string plain_number(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = fault == std::errc{} && end == text.data() + text.size();
  return whole ? fmt::format("{}", value) : std::string(text);
}

std::string share_of(std::string_view value, std::string_view base) {
  return value.empty() ? "" : plain_number(value) + std::string(base);
}

std::string chunk_size(const std::string& word) {
  long long value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc{} || end != word.data() + word.size()) return "";
  return value > 0 ? "on" : "off";
}

bool says_nothing(const std::string& word) {
  return word.empty() || word == "null" || word == "none" || word == "unknown";
}

}  // namespace

std::string spelt(Form form, std::string_view value) {
  const std::string word = lower(value);
  switch (form) {
    case Form::kLimit:
      return says_nothing(word) ? "none" : std::string(value);
    case Form::kAbsentNone:
      return word == "auto" ? "" : says_nothing(word) ? "none" : word;
    case Form::kAbsentOff:
      return says_nothing(word) ? "off" : std::string(value);
    default:
      break;
  }
  if (says_nothing(word)) return "";
  switch (form) {
    case Form::kDtype:
      return dtype(word);
    case Form::kSwitch:
      return switched(word, true);
    case Form::kNotSwitch:
      return switched(word, false);
    case Form::kOfTotal:
      return share_of(value, " of total");
    case Form::kOfFree:
      return share_of(value, " of free after weights");
    case Form::kOfCache:
      return std::string(value) + " bytes of KV cache";
    case Form::kChunkSize:
      return chunk_size(word);
    case Form::kSampling:
      return word == "auto" || word == "model" ? "model's generation_config.json" : "engine";
    default:
      return std::string(value);
  }
}

}  // namespace evenbench::engine
