// The tokenizer of a simulated engine: a word is so many tokens, the same everywhere unless
// --tokens-per-word says otherwise. Knows no vocabulary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evenbench::sim {

struct Token {
  std::uint32_t id = 0;
  std::size_t start = 0, stop = 0;  // bytes of the text
};

std::uint32_t tokens_of(std::uint32_t words, double tokens_per_word);
std::vector<Token> tokenize(std::string_view text, double tokens_per_word);

// The text that a request to a tokenizing route holds: under `field`, or the contents of its
// messages, one after another. nullopt: it holds neither.
std::optional<std::string> text_to_tokenize(std::string_view body, const char* field);
// The ids alone, as most routes give them; nullopt as above.
std::optional<std::vector<std::uint32_t>> token_ids(std::string_view body, double tokens_per_word);

}  // namespace evenbench::sim
