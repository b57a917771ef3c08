// What to send: lengths and prompts, seeded and the same for every system. Knows nothing of HTTP or
// engines.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "base/time.h"

namespace evenbench::workload {

// A distribution of token counts. Draws are clipped to [min, max] and every clip is counted.
struct LengthSpec {
  enum class Law : std::uint8_t { kFixed, kUniform, kLognormal } law = Law::kFixed;
  double fixed = 0;              // kFixed; 0 = not asked for (the server decides)
  double low = 0, high = 0;      // kUniform, both ends included
  double median = 0, sigma = 0;  // kLognormal
  std::uint32_t min = 1;
  std::uint32_t max = UINT32_MAX;
};
std::uint32_t draw_length(const LengthSpec& spec, Rng& rng, bool* clipped = nullptr);
std::string to_string(const LengthSpec& spec);

// A distribution of durations (think time).
struct DurationSpec {
  enum class Law : std::uint8_t { kFixed, kUniform, kExponential } law = Law::kFixed;
  Nanos fixed{0};         // kFixed, and the mean of kExponential
  Nanos low{0}, high{0};  // kUniform
};
Nanos draw_duration(const DurationSpec& spec, Rng& rng);

// One thing to send.
struct Item {
  std::uint64_t prompt_id = 0;
  std::uint32_t input_tokens = 0;   // asked for; 0 = not stated (text from a file)
  std::uint32_t output_tokens = 0;  // asked for; 0 = not stated
};

// Counts the tokens of a text; nullptr where nothing can count.
using TokenCounter = std::function<std::size_t(std::string_view)>;

struct WorkloadSpec {
  LengthSpec input;
  LengthSpec output;
  bool unique_prompts = true;        // false: one prompt for all (and the report says so)
  std::vector<std::string> prompts;  // texts of a data set, in its order; empty = generated
};

class Workload {
 public:
  Workload(WorkloadSpec spec, std::uint64_t seed);
  [[nodiscard]] const WorkloadSpec& spec() const { return spec_; }

  // Item number `index` of stream `stream` (a name for one phase of one step: "b1/s2/measure").
  // Pure: same arguments, same item. Generated prompts have ids no other stream or index shares.
  [[nodiscard]] Item item(std::string_view stream, std::uint64_t index) const;
  // The text of an item: generated from its id to about input_tokens tokens by a word-based
  // estimate, or exactly when a counter is given and the text can be adjusted to it; or the data
  // set's row.
  [[nodiscard]] std::string prompt(const Item& item, const TokenCounter& counter = nullptr) const;

 private:
  WorkloadSpec spec_;
  std::uint64_t seed_;
};

}  // namespace evenbench::workload
