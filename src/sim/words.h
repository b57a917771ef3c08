// The text of the answers of a simulated engine: the same for the same weights, prompt and
// sampling, whatever the engine. Words of one length, one to a token, so that sizes can be told
// beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/ask.h"
#include "sim/settings.h"

namespace evenbench::sim {

class Words {
 public:
  static constexpr std::size_t kSize = 6;  // bytes of every word, its blank included

  // A greedy request, or one with a seed, gets the same words each time; another one words of its
  // own, for which `number` stands.
  Words(const Settings& settings, const Ask& ask, std::uint64_t number);
  // Appends the words of tokens `first` to `first + count - 1`. No byte needs an escape in JSON.
  void append(std::uint32_t first, std::uint32_t count, std::string& out) const;

 private:
  std::uint64_t seed_;
  bool gibberish_;
};

}  // namespace evenbench::sim
