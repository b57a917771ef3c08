#include "workload/prompt_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/check.h"

namespace evenbench::workload {
namespace {

constexpr std::array<std::string_view, 256> kWords = {
    "the",     "of",      "and",      "to",       "in",       "is",        "for",       "that",
    "on",      "with",    "as",       "by",       "at",       "from",      "it",        "an",
    "be",      "this",    "which",    "or",       "are",      "was",       "have",      "not",
    "they",    "one",     "all",      "their",    "there",    "has",       "more",      "when",
    "who",     "will",    "no",       "if",       "out",      "so",        "up",        "time",
    "about",   "than",    "into",     "could",    "state",    "only",      "new",       "year",
    "some",    "take",    "come",     "these",    "know",     "see",       "use",       "get",
    "like",    "then",    "first",    "any",      "work",     "now",       "may",       "such",
    "give",    "over",    "think",    "most",     "even",     "find",      "day",       "also",
    "after",   "way",     "many",     "must",     "look",     "before",    "great",     "back",
    "through", "long",    "where",    "much",     "should",   "well",      "people",    "down",
    "own",     "just",    "because",  "good",     "each",     "those",     "feel",      "seem",
    "how",     "high",    "too",      "place",    "little",   "world",     "very",      "still",
    "nation",  "hand",    "old",      "life",     "tell",     "write",     "become",    "here",
    "show",    "house",   "both",     "between",  "need",     "mean",      "call",      "develop",
    "under",   "last",    "right",    "move",     "thing",    "general",   "school",    "never",
    "same",    "another", "begin",    "while",    "number",   "part",      "turn",      "real",
    "leave",   "might",   "want",     "point",    "form",     "off",       "child",     "few",
    "small",   "since",   "against",  "ask",      "late",     "home",      "interest",  "large",
    "person",  "end",     "open",     "public",   "follow",   "during",    "present",   "without",
    "again",   "hold",    "around",   "possible", "head",     "consider",  "word",      "program",
    "problem", "however", "lead",     "system",   "set",      "order",     "eye",       "plan",
    "run",     "keep",    "face",     "fact",     "group",    "play",      "stand",     "increase",
    "early",   "course",  "change",   "help",     "line",     "city",      "put",       "close",
    "case",    "force",   "meet",     "once",     "water",    "upon",      "war",       "build",
    "hear",    "light",   "unite",    "live",     "every",    "country",   "bring",     "center",
    "let",     "side",    "try",      "provide",  "continue", "name",      "certain",   "power",
    "pay",     "result",  "question", "study",    "woman",    "member",    "until",     "far",
    "night",   "always",  "service",  "away",     "report",   "something", "company",   "week",
    "church",  "toward",  "start",    "social",   "room",     "figure",    "nature",    "though",
    "young",   "less",    "enough",   "almost",   "read",     "include",   "president", "nothing"};

// 8 words of a 256-word vocabulary spell 64 bits; other sizes need more or fewer.
void append_id(std::vector<std::string_view>& out, std::span<const std::string_view> words,
               std::uint64_t id) {
  for (std::uint64_t span = UINT64_MAX; span > 0; span /= words.size()) {
    out.push_back(words[id % words.size()]);
    id /= words.size();
  }
}

std::string join(const std::vector<std::string_view>& pieces, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) out += separator;
    out += pieces[i];
  }
  return out;
}

std::vector<std::string_view> pieces_of(const Vocabulary& vocabulary, std::uint64_t id,
                                        std::size_t count) {
  EVENBENCH_CHECK(vocabulary.words.size() >= 2, "a vocabulary of {}", vocabulary.words.size());
  std::vector<std::string_view> out;
  append_id(out, vocabulary.words, id);
  Rng rng(id, "prompt");
  while (out.size() < count) out.push_back(vocabulary.words[rng.below(vocabulary.words.size())]);
  out.resize(count);
  return out;
}

std::size_t distance(std::size_t a, std::size_t b) {
  return a > b ? a - b : b - a;
}

}  // namespace

Vocabulary english() {
  return {kWords, " "};
}

std::string estimated_prompt(const Vocabulary& vocabulary, std::uint64_t id, std::uint32_t tokens) {
  return join(pieces_of(vocabulary, id, tokens), vocabulary.separator);
}

std::string counted_prompt(const Vocabulary& vocabulary, std::uint64_t id, std::uint32_t tokens,
                           const TokenCounter& count) {
  constexpr int kRounds = 64;
  auto pieces = pieces_of(vocabulary, id, tokens);
  Rng rng(id, "adjust");
  std::string best = join(pieces, vocabulary.separator);
  std::size_t best_off = distance(count(best), tokens);
  for (int round = 0; round < kRounds && best_off > 0; ++round) {
    const std::size_t now = count(join(pieces, vocabulary.separator));
    // Pieces per token so far, so that a vocabulary of long pieces does not overshoot for ever. A
    // round that is too long, or stuck, drops pieces from the end; the next grows them again with
    // other words.
    const double pieces_per_token =
        static_cast<double>(pieces.size()) / static_cast<double>(std::max<std::size_t>(now, 1));
    const auto steps = std::max<std::size_t>(
        1, static_cast<std::size_t>(static_cast<double>(distance(now, tokens)) * pieces_per_token));
    if (now < tokens) {
      for (std::size_t i = 0; i < steps; ++i) {
        pieces.push_back(vocabulary.words[rng.below(vocabulary.words.size())]);
      }
    } else {
      pieces.resize(pieces.size() > steps ? pieces.size() - steps : 1);
    }
    std::string text = join(pieces, vocabulary.separator);
    const std::size_t off = distance(count(text), tokens);
    if (off < best_off) {
      best_off = off;
      best = std::move(text);
    }
  }
  return best;
}

}  // namespace evenbench::workload
