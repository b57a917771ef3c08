#include "sim/words.h"

#include <array>
#include <string_view>

namespace evenbench::sim {
namespace {

constexpr std::array<std::string_view, 32> kWords{
    " alpha", " bravo", " cedar", " delta", " ember", " flint", " grove", " hotel",
    " india", " jolly", " kilos", " lemon", " maple", " north", " oscar", " plain",
    " quiet", " romeo", " stone", " tango", " union", " vivid", " waltz", " xenon",
    " yield", " zebra", " amber", " birch", " coral", " dunes", " eagle", " frost"};
constexpr std::string_view kSigns = "!?#%&*~^@;:=+$|.";

// A step of splitmix64: neighbouring numbers come out unlike.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

void append_signs(std::uint64_t bits, std::string& out) {
  for (std::size_t i = 0; i < Words::kSize; ++i) {
    out += kSigns[bits % kSigns.size()];
    bits /= kSigns.size();
  }
}

}  // namespace

Words::Words(const Settings& settings, const Ask& ask, std::uint64_t number)
    : seed_(mixed(print_of(settings.answers) ^ mixed(ask.prompt_print))),
      gibberish_(settings.gibberish) {
  if (ask.greedy()) return;
  seed_ = mixed(seed_ ^ (ask.seed ? static_cast<std::uint64_t>(*ask.seed) : ~number));
}

void Words::append(std::uint32_t first, std::uint32_t count, std::string& out) const {
  for (std::uint32_t i = first; i < first + count; ++i) {
    const std::uint64_t bits = mixed(seed_ + i);
    if (gibberish_) {
      append_signs(bits, out);
    } else {
      out += kWords[bits % kWords.size()];
    }
  }
}

}  // namespace evenbench::sim
