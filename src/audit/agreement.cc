#include "audit/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace evenbench::audit {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = text.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = text.find_first_of(kBlanks, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::map<int, std::string_view> first_answers(const SystemFacts& system) {
  std::map<int, std::string_view> out;
  for (const Answer& answer : system.answers) {
    if (answer.repeat == 1 && answer.ending == Ending::kDone) out[answer.prompt] = answer.text;
  }
  return out;
}

std::size_t count_ended(const SystemFacts& system, bool (*holds)(const Answer&)) {
  return static_cast<std::size_t>(
      std::count_if(system.answers.begin(), system.answers.end(), holds));
}

void judge_quality(const SystemFacts& system, std::vector<Finding>& out) {
  // One bad answer may be an accident; a server most of whose answers are empty generates nothing.
  const auto tell = [&](bool (*holds)(const Answer&), Weight of_most, std::string_view what) {
    const std::size_t count = count_ended(system, holds);
    if (count == 0) return;
    out.push_back({2 * count > system.answers.size() ? of_most : Weight::kReserve, "answers",
                   fmt::format("{} of {} answers of {} to the fixed prompts {}.", count,
                               system.answers.size(), system.name, what)});
  };
  tell([](const Answer& a) { return a.ending == Ending::kEmpty; }, Weight::kDecide,
       "are empty: what is measured is not generation; look into its log");
  tell([](const Answer& a) { return a.ending != Ending::kEmpty && a.ending != Ending::kDone; },
       Weight::kReserve, "failed");
  tell([](const Answer& a) { return a.ending == Ending::kDone && is_gibberish(a.text); },
       Weight::kReserve, "are gibberish: check weights, quantization and tokenizer");
}

}  // namespace

double common_prefix(std::string_view a, std::string_view b) {
  const auto first = words_of(a);
  const auto second = words_of(b);
  const std::size_t longest = std::max(first.size(), second.size());
  if (longest == 0) return 1;
  std::size_t same = 0;
  while (same < std::min(first.size(), second.size()) && first[same] == second[same]) ++same;
  return static_cast<double>(same) / static_cast<double>(longest);
}

std::optional<double> agreement_with_itself(const SystemFacts& a) {
  const auto first = first_answers(a);
  std::vector<double> shares;
  for (const Answer& answer : a.answers) {
    const auto it = first.find(answer.prompt);
    if (answer.repeat == 1 || answer.ending != Ending::kDone || it == first.end()) continue;
    shares.push_back(common_prefix(it->second, answer.text));
  }
  return median(std::move(shares));
}

std::optional<double> agreement_between(const SystemFacts& a, const SystemFacts& b) {
  const auto others = first_answers(b);
  std::vector<double> shares;
  for (const auto& [prompt, text] : first_answers(a)) {
    const auto it = others.find(prompt);
    if (it != others.end()) shares.push_back(common_prefix(text, it->second));
  }
  return median(std::move(shares));
}

bool is_gibberish(std::string_view text) {
  constexpr std::size_t kFewWords = 8;  // too short to tell
  const auto words = words_of(text);
  if (words.size() < kFewWords) return false;
  std::map<std::string_view, std::size_t> counts;
  std::size_t broken = 0;
  for (const std::string_view word : words) {
    ++counts[word];
    if (word.find("\xEF\xBF\xBD") != std::string_view::npos) ++broken;
  }
  const auto most = std::max_element(counts.begin(), counts.end(), [](auto& x, auto& y) {
                      return x.second < y.second;
                    })->second;
  return 10 * most > 8 * words.size() || 5 * broken > words.size();
}

void judge_answers(const std::vector<SystemFacts>& systems, std::vector<Finding>& out) {
  for (const SystemFacts& system : systems) judge_quality(system, out);
  for (std::size_t i = 0; i < systems.size(); ++i) {
    for (std::size_t j = i + 1; j < systems.size(); ++j) {
      const auto between = agreement_between(systems[i], systems[j]);
      // A server that does not repeat itself is no measure for another.
      const double self = std::max(agreement_with_itself(systems[i]).value_or(0),
                                   agreement_with_itself(systems[j]).value_or(0));
      if (!between || *between >= kLeastAgreement * self) continue;
      out.push_back(
          {Weight::kDecide, "answers",
           fmt::format("{} and {} answer the fixed prompts differently: they begin with the same "
                       "{:.0f} % of words (median), where one of them repeats {:.0f} % of its own: "
                       "other weights, chat template or quantization.",
                       systems[i].name, systems[j].name, 100 * *between, 100 * self)});
    }
  }
}

}  // namespace evenbench::audit
