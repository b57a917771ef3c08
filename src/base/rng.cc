#include "base/rng.h"

#include "base/check.h"

namespace evenbench {
namespace {

// SplitMix64's output function (Steele, Lea, Flood, OOPSLA 2014): spreads every input bit over
// all 64.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

std::uint64_t seed_of(std::uint64_t seed, std::string_view stream, std::uint64_t index) {
  std::uint64_t h = mix(seed);
  for (const char c : stream) h = mix(h ^ static_cast<unsigned char>(c));
  return mix(h ^ mix(index));
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::string_view stream, std::uint64_t index)
    : engine_(seed_of(seed, stream, index)) {}

double Rng::uniform() {
  // 53 bits, shifted by half a step into the open interval.
  return (static_cast<double>(engine_() >> 11U) + 0.5) * 0x1.0p-53;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  EVENBENCH_CHECK(bound > 0, "below({})", bound);
  // Rejection keeps every value equally likely.
  const std::uint64_t limit = bound * (UINT64_MAX / bound);
  for (;;) {
    const std::uint64_t x = engine_();
    if (x < limit) return x % bound;
  }
}

}  // namespace evenbench
