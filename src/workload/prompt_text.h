// Text of a wanted length, made from a number. Knows nothing of tokenizers but a function that
// counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "workload/workload.h"

namespace evenbench::workload {

// What a prompt is made of: pieces, and what stands between two of them.
struct Vocabulary {
  std::span<const std::string_view> words;
  std::string_view separator = " ";
};
// Common English words of one token each in the usual byte-pair vocabularies.
Vocabulary english();

// About `tokens` tokens of text that no other `id` begins with: the first words spell the id. One
// word counts as one token (an estimate; the words are chosen for it).
std::string estimated_prompt(const Vocabulary& vocabulary, std::uint64_t id, std::uint32_t tokens);

// The same, adjusted until `count` says exactly `tokens`: pieces are added or taken at the end.
// Where no text of this vocabulary has exactly that count after a bounded search, the closest one
// found is returned; the caller counts again and says so.
std::string counted_prompt(const Vocabulary& vocabulary, std::uint64_t id, std::uint32_t tokens,
                           const TokenCounter& count);

}  // namespace evenbench::workload
