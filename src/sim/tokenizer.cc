#include "sim/tokenizer.h"

#include <algorithm>
#include <cmath>

#include "sim/ask.h"
#include "sim/json_text.h"

namespace evenbench::sim {
namespace {

constexpr std::uint32_t kVocabulary = 32'000;

struct Span {
  std::size_t start, stop;
};

std::vector<Span> words_in(std::string_view text) {
  std::vector<Span> words;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool blank = text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r');
    if (!blank && !in_word) words.push_back({i, i});
    if (!blank) words.back().stop = i + 1;
    in_word = !blank;
  }
  return words;
}

// `count` tokens for one word, its bytes shared out among them.
void split(std::string_view text, Span word, std::uint64_t count, std::vector<Token>& out) {
  const std::size_t size = word.stop - word.start;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::size_t start = word.start + size * k / count;
    const std::size_t stop = word.start + size * (k + 1) / count;
    const std::uint64_t print = print_of(text.substr(start, stop - start));
    out.push_back({static_cast<std::uint32_t>(print % kVocabulary), start, stop});
  }
}

}  // namespace

std::uint32_t tokens_of(std::uint32_t words, double tokens_per_word) {
  if (words == 0) return 0;
  return std::max(1U, static_cast<std::uint32_t>(std::llround(words * tokens_per_word)));
}

std::vector<Token> tokenize(std::string_view text, double tokens_per_word) {
  const std::vector<Span> words = words_in(text);
  const std::uint64_t tokens = tokens_of(static_cast<std::uint32_t>(words.size()), tokens_per_word);
  std::vector<Token> out;
  const auto up_to = [&](std::uint64_t word) {  // rounded up: the first word has one at least
    return (word * tokens + words.size() - 1) / words.size();
  };
  for (std::uint64_t w = 0; w < words.size(); ++w) {
    const std::uint64_t count = up_to(w + 1) - up_to(w);
    split(text, words[w], count, out);
    if (count == 0) out.back().stop = words[w].stop;  // one token for two words
  }
  return out;
}

std::optional<std::string> text_to_tokenize(std::string_view body, const char* field) {
  const Json root = Json::parse(body, nullptr, false);
  if (!root.is_object()) return std::nullopt;
  if (const auto it = root.find(field); it != root.end() && it->is_string()) {
    return it->get<std::string>();
  }
  const auto messages = root.find("messages");
  if (messages == root.end() || !messages->is_array()) return std::nullopt;
  std::string text;
  for (const Json& message : *messages) {
    if (!message.is_object()) continue;
    const auto content = message.find("content");
    if (content == message.end() || !content->is_string()) continue;
    text += (text.empty() ? "" : " ") + content->get<std::string>();
  }
  return text;
}

std::optional<std::vector<std::uint32_t>> token_ids(std::string_view body, double tokens_per_word) {
  const auto text = text_to_tokenize(body, "prompt");
  if (!text) return std::nullopt;
  std::vector<std::uint32_t> ids;
  for (const Token& token : tokenize(*text, tokens_per_word)) ids.push_back(token.id);
  return ids;
}

}  // namespace evenbench::sim
