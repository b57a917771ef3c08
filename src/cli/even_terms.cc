#include "cli/even_terms.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/from_rows.h"

namespace evenbench::cli {
namespace {

// As in the run file: a row with a known key replaces the earlier one.
template <typename Row, typename Same>
void keep(std::vector<Row>& rows, const Row& row, Same same) {
  const auto it =
      std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return same(r, row); });
  if (it == rows.end()) {
    rows.push_back(row);
  } else {
    *it = row;
  }
}

constexpr auto kSameId = [](const auto& a, const auto& b) { return a.id == b.id; };

}  // namespace

void EvenTerms::put(const record::SystemRow& row) {
  writer_->put(row);
  keep(systems_, row, kSameId);
}

void EvenTerms::put(const record::VisitRow& row) {
  writer_->put(row);
  keep(visits_, row, kSameId);
}

void EvenTerms::put(const record::SettingRow& row) {
  writer_->put(row);
  keep(settings_, row,
       [](const auto& a, const auto& b) { return a.visit_id == b.visit_id && a.key == b.key; });
}

void EvenTerms::put(const record::GpuRow& row) {
  writer_->put(row);
  keep(gpus_, row,
       [](const auto& a, const auto& b) { return a.visit_id == b.visit_id && a.gpu == b.gpu; });
}

void EvenTerms::put(const record::AgreementRow& row) {
  writer_->put(row);
  keep(agreement_, row, [](const auto& a, const auto& b) {
    return a.visit_id == b.visit_id && a.prompt == b.prompt && a.repeat == b.repeat;
  });
}

std::map<std::string, audit::Stated> EvenTerms::settings_of(std::int64_t visit_id) const {
  std::map<std::string, audit::Stated> out;
  for (const record::SettingRow& row : settings_) {
    if (row.visit_id == visit_id) out[row.key] = {row.requested, row.effective, row.source};
  }
  return out;
}

audit::Audit EvenTerms::so_far() const {
  std::vector<record::SystemRow> visited;
  std::copy_if(systems_.begin(), systems_.end(), std::back_inserter(visited),
               [&](const record::SystemRow& system) {
                 return std::any_of(visits_.begin(), visits_.end(), [&](const auto& visit) {
                   return visit.system_id == system.id && observed(visit.ready);
                 });
               });
  return audit::audit(audit::facts_of({visited, visits_, settings_, gpus_, agreement_}));
}

std::vector<audit::Finding> EvenTerms::news() {
  std::vector<audit::Finding> out;
  for (const audit::Finding& finding : so_far().findings) {
    if (std::find(told_.begin(), told_.end(), finding.text) != told_.end()) continue;
    told_.push_back(finding.text);
    out.push_back(finding);
  }
  return out;
}

Result<void> EvenTerms::refuse_uneven() const {
  const audit::Audit audit = so_far();
  if (audit.label != audit::Comparability::kNotComparable) return {};
  std::string why;
  for (const audit::Finding& finding : audit.findings) {
    if (finding.weight == audit::Weight::kDecide) why += "\n  " + finding.text;
  }
  return Error{ErrorCode::kNotPublishable,
               "the systems are not comparable, and strict: true asks for no such run:" + why};
}

}  // namespace evenbench::cli
