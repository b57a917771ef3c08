// Randomness as a value, made from (seed, stream name, index): the same on every machine, compiler
// and library. Draws use inverse distribution functions of one uniform each, so that two systems
// that share a seed share every draw.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>

namespace evenbench {

class Rng {
 public:
  // Substreams with different names or indices are independent for all practical purposes.
  Rng(std::uint64_t seed, std::string_view stream, std::uint64_t index = 0);

  // 64 uniform bits.
  std::uint64_t bits() { return engine_(); }
  // Uniform in the open interval (0, 1): never 0 and never 1, so that log() and quantiles are
  // finite.
  double uniform();
  // Uniform in [0, bound). bound must be above 0.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::mt19937_64
      engine_;  // its output is fixed by the C++ standard, unlike the library's distributions
};

}  // namespace evenbench
