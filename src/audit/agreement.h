// Whether systems answer equal prompts alike. Greedy answers of one model differ after a while by
// rounding alone; those of other weights, another template or quantization differ at once.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "audit/audit.h"
#include "audit/facts.h"

namespace evenbench::audit {

// Share of the longer text, in words between blanks, that both begin with; 1 for two empty texts.
double common_prefix(std::string_view a, std::string_view b);

// Median over the prompts of the common prefix of two answers: of `a` against itself (its first
// repeat against each later one), or of first repeats of `a` against those of `b`. nullopt: no
// prompt has two good answers.
std::optional<double> agreement_with_itself(const SystemFacts& a);
std::optional<double> agreement_between(const SystemFacts& a, const SystemFacts& b);

// One word makes up most of it, or it is full of replacement characters.
bool is_gibberish(std::string_view text);

// Two systems that agree less than this share of what the steadier of them agrees with itself do
// not run the same model.
inline constexpr double kLeastAgreement = 0.25;

// Adds what the answers say: failures, empty answers, gibberish, too little agreement.
void judge_answers(const std::vector<SystemFacts>& systems, std::vector<Finding>& out);

}  // namespace evenbench::audit
