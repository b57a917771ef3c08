#include "judge/headline_stamp.h"

#include <fmt/format.h>

#include <algorithm>

namespace evenbench::judge {
namespace {

constexpr double kEnoughStamped = 0.99;

struct SystemTokens {
  std::string name;
  record::FirstTokens tokens;
  [[nodiscard]] double share() const {
    return static_cast<double>(tokens.by_kernel) / static_cast<double>(tokens.seen);
  }
};

Result<record::FirstTokens> tokens_of(const record::Reader& run, std::int64_t system) {
  record::FirstTokens sum;
  for (const record::VisitRow& visit : run.visits()) {
    if (visit.system_id != system) continue;
    for (const record::StepRow& step : run.steps()) {
      if (step.visit_id != visit.id) continue;
      const auto tokens = run.first_tokens(step.id);
      if (!tokens) return tokens.error();
      sum.seen += tokens->seen;
      sum.by_kernel += tokens->by_kernel;
    }
  }
  return sum;
}

// The system with the smallest share; nullopt when none gave a first token.
Result<std::optional<SystemTokens>> least_stamped(const record::Reader& run) {
  std::optional<SystemTokens> least;
  for (const record::SystemRow& system : run.systems()) {
    const auto tokens = tokens_of(run, system.id);
    if (!tokens) return tokens.error();
    const SystemTokens one{system.name, *tokens};
    if (tokens->seen > 0 && (!least || one.share() < least->share())) least = one;
  }
  return least;
}

std::string share_text(const SystemTokens& system) {
  return fmt::format("{} of {} first tokens of {}", system.tokens.by_kernel, system.tokens.seen,
                     system.name);
}

}  // namespace

Result<HeadlineStamp> headline_stamp(const record::Reader& run) {
  const StampChoice asked = run.run().stamp;
  if (asked == StampChoice::kUser) return HeadlineStamp{asked, asked, "as asked", false};
  const auto least = least_stamped(run);
  if (!least) return least.error();
  const bool enough = *least && (**least).share() >= kEnoughStamped;
  if (asked == StampChoice::kKernel) {
    if (enough || !*least) return HeadlineStamp{asked, asked, "as asked", false};
    return HeadlineStamp{asked, asked,
                         fmt::format("as asked, although only {} carry one; where it is missing "
                                     "the program's own stamp counts",
                                     share_text(**least)),
                         true};
  }
  if (enough) {
    return HeadlineStamp{asked, StampChoice::kKernel,
                         "in every system at least 99 % of the first tokens carry one", false};
  }
  return HeadlineStamp{
      asked, StampChoice::kUser,
      *least ? fmt::format("only {} carry a kernel stamp, 99 % are needed", share_text(**least))
             : "no first token was measured",
      false};
}

}  // namespace evenbench::judge
