#include "audit/audit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "audit/agreement.h"

namespace evenbench::audit {
namespace {

// What a request draws its tokens with is what it states, else what the server does by default.
Stated value_of(const SystemFacts& system, std::string_view key) {
  for (const std::string& name : {std::string(key), fmt::format("default_{}", key)}) {
    const auto it = system.settings.find(name);
    if (it != system.settings.end()) return it->second;
  }
  return {};
}

Outcome outcome_of(const std::vector<Stated>& values) {
  const std::string* known = nullptr;
  bool unknown = false;
  for (const Stated& value : values) {
    if (value.effective.empty()) {
      unknown = true;
    } else if (known != nullptr && value.effective != *known) {
      return Outcome::kDiffers;
    } else {
      known = &value.effective;
    }
  }
  if (known == nullptr) return Outcome::kNotKnown;
  return unknown ? Outcome::kUnknown : Outcome::kSame;
}

std::string shown(const Stated& value) {
  if (value.effective.empty()) return "unknown";
  return value.source.empty() ? value.effective
                              : fmt::format("{} ({})", value.effective, value.source);
}

std::string values_of(const std::vector<SystemFacts>& systems, const Line& line) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    parts.push_back(fmt::format("{} {}", systems[i].name, shown(line.values[i])));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string with_remedy(std::string text, std::string_view remedy) {
  return remedy.empty() ? text + "." : fmt::format("{}: {}.", text, remedy);
}

void judge_line(const std::vector<SystemFacts>& systems, const Term& term, const Line& line,
                std::vector<Finding>& out) {
  const std::string key(term.key);
  if (line.outcome == Outcome::kDiffers && term.weight != Weight::kNote) {
    out.push_back({term.weight, key,
                   with_remedy(fmt::format("The systems differ in {}: {}", term.title,
                                           values_of(systems, line)),
                               term.remedy)});
  } else if (term.must_be_known &&
             (line.outcome == Outcome::kUnknown || line.outcome == Outcome::kNotKnown)) {
    out.push_back({Weight::kReserve, key,
                   with_remedy(fmt::format("The systems cannot be shown to have the same {}: {}",
                                           term.title, values_of(systems, line)),
                               term.remedy)});
  }
}

// Equal for all and yet not what was asked for.
void judge_requests(const SystemFacts& system, std::vector<Finding>& out) {
  for (const Term& term : terms()) {
    const Stated value = value_of(system, term.key);
    if (value.requested.empty() || value.effective.empty()) continue;
    if (value.requested == value.effective || term.weight == Weight::kNote) continue;
    out.push_back({Weight::kReserve, std::string(term.key),
                   fmt::format("{} was asked for {} {} and has {}.", system.name, term.title,
                               value.requested, shown(value))});
  }
}

void judge_tokenizers(const std::vector<SystemFacts>& systems, std::vector<Finding>& out) {
  for (const SystemFacts& system : systems) {
    if (!value_of(system, "tokenizer_hash").effective.empty() ||
        !value_of(system, "token_counts").effective.empty()) {
      continue;
    }
    out.push_back({Weight::kReserve, "token_counts",
                   fmt::format("Neither the tokenizer of {} nor its token counts are known: set "
                               "model.path, so that its files can be compared.",
                               system.name)});
  }
}

std::string names_where(const std::vector<SystemFacts>& systems, bool SystemFacts::*holds,
                        bool wanted) {
  std::vector<std::string> names;
  for (const SystemFacts& system : systems) {
    if (system.*holds == wanted) names.push_back(system.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// What cannot stand beside anything else.
void judge_kinds(const std::vector<SystemFacts>& systems, std::vector<Finding>& out) {
  const std::string simulated = names_where(systems, &SystemFacts::simulated, true);
  const std::string real = names_where(systems, &SystemFacts::simulated, false);
  if (!simulated.empty() && !real.empty()) {
    out.push_back({Weight::kDecide, "simulated",
                   fmt::format("{} is simulated, {} is not: a model of an engine never stands "
                               "beside an engine.",
                               simulated, real)});
  }
  const std::string remote = names_where(systems, &SystemFacts::remote, true);
  const std::string local = names_where(systems, &SystemFacts::remote, false);
  if (remote.empty()) return;
  if (!local.empty()) {
    out.push_back(
        {Weight::kDecide, "remote",
         fmt::format("{} is remote, {} is not: a gateway hides engine, hardware and other "
                     "users; compare remote systems with each other.",
                     remote, local)});
  } else {
    out.push_back(
        {Weight::kReserve, "remote",
         fmt::format("{}: remote. Engine, hardware and other users are hidden.", remote)});
  }
}

void judge_changes(const SystemFacts& system, std::vector<Finding>& out) {
  for (const Changed& change : system.changed) {
    const auto term = std::find_if(terms().begin(), terms().end(),
                                   [&](const Term& t) { return t.key == change.key; });
    if (term == terms().end() || term->weight == Weight::kNote) continue;
    out.push_back(
        {Weight::kReserve, change.key,
         fmt::format("In visit {} of {} another value of {} was in force: {}, then {}.",
                     change.visit, system.name, term->title, change.before, change.after)});
  }
}

Comparability label_of(const std::vector<Finding>& findings) {
  Comparability label = Comparability::kLikeForLike;
  for (const Finding& finding : findings) {
    if (finding.weight == Weight::kDecide) return Comparability::kNotComparable;
    if (finding.weight == Weight::kReserve) label = Comparability::kWithReservations;
  }
  return label;
}

}  // namespace

std::string_view name_of(Comparability label) {
  switch (label) {
    case Comparability::kLikeForLike:
      return "LIKE_FOR_LIKE";
    case Comparability::kWithReservations:
      return "WITH_RESERVATIONS";
    case Comparability::kNotComparable:
      return "NOT_COMPARABLE";
  }
  return "";
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSame:
      return "same";
    case Outcome::kDiffers:
      return "differs";
    case Outcome::kUnknown:
      return "unknown for some";
    case Outcome::kNotKnown:
      return "unknown";
  }
  return "";
}

Audit audit(const std::vector<SystemFacts>& systems) {
  Audit out;
  const bool compares = systems.size() > 1;
  if (compares) judge_kinds(systems, out.findings);
  for (const Term& term : terms()) {
    Line line{std::string(term.key), std::string(term.title), Outcome::kNotKnown, {}};
    for (const SystemFacts& system : systems) line.values.push_back(value_of(system, term.key));
    line.outcome = outcome_of(line.values);
    if (compares) judge_line(systems, term, line, out.findings);
    if (line.outcome != Outcome::kNotKnown || term.must_be_known) {
      out.lines.push_back(std::move(line));
    }
  }
  if (compares) judge_tokenizers(systems, out.findings);
  for (const SystemFacts& system : systems) {
    judge_requests(system, out.findings);
    judge_changes(system, out.findings);
  }
  judge_answers(systems, out.findings);
  std::stable_sort(out.findings.begin(), out.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.weight > b.weight; });
  if (compares) out.label = label_of(out.findings);
  return out;
}

}  // namespace evenbench::audit
