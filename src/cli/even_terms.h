// What a run has learnt so far of the terms of its systems: every row goes to the run file and is
// kept, so that uneven terms are told when they are found and not when all is measured.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "base/result.h"
#include "record/writer.h"

namespace evenbench::cli {

class EvenTerms {
 public:
  explicit EvenTerms(record::Writer& writer) : writer_(&writer) {}

  void put(const record::SystemRow& row);
  void put(const record::VisitRow& row);
  void put(const record::SettingRow& row);
  void put(const record::GpuRow& row);
  void put(const record::AgreementRow& row);

  // What was put of one visit, by key.
  [[nodiscard]] std::map<std::string, audit::Stated> settings_of(std::int64_t visit_id) const;
  // Of the systems that were visited so far.
  [[nodiscard]] audit::Audit so_far() const;
  // Findings of so_far() that were not given before.
  std::vector<audit::Finding> news();
  // Error: not publishable, when the systems so far are NOT_COMPARABLE; names why.
  [[nodiscard]] Result<void> refuse_uneven() const;

 private:
  record::Writer* writer_;
  std::vector<record::SystemRow> systems_;
  std::vector<record::VisitRow> visits_;
  std::vector<record::SettingRow> settings_;
  std::vector<record::GpuRow> gpus_;
  std::vector<record::AgreementRow> agreement_;
  std::vector<std::string> told_;
};

}  // namespace evenbench::cli
