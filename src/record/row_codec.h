// How each row of rows.h becomes a row of its table and comes back. The two directions stand side
// by side so that the order of the columns cannot differ. Knows no thread and no file.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "record/anchor.h"
#include "record/evidence_rows.h"
#include "record/rows.h"
#include "record/sqlite.h"

namespace evenbench::record {

// Statements that put a row (a known id is replaced, but a request may come only once).
extern const char* const kPutRun;
extern const char* const kPutSystem;
extern const char* const kPutVisit;
extern const char* const kPutStep;
extern const char* const kPutRequest;
extern const char* const kPutHealth;
extern const char* const kPutFinding;
extern const char* const kPutSetting;
extern const char* const kPutGpu;
extern const char* const kPutGpuSample;
extern const char* const kPutEngineSample;
extern const char* const kPutAgreement;

// Binds every column. The row must live until the statement has run.
void bind(sql::Statement& to, const RunRow& row);
void bind(sql::Statement& to, const SystemRow& row, const Anchor& anchor);
void bind(sql::Statement& to, const VisitRow& row, const Anchor& anchor);
void bind(sql::Statement& to, const StepRow& row, const Anchor& anchor);
void bind(sql::Statement& to, const WorkerHealthRow& row, const Anchor& anchor);
void bind(sql::Statement& to, const FindingRow& row, const Anchor& anchor);
void bind(sql::Statement& to, const SettingRow& row, const Anchor& anchor);
void bind(sql::Statement& to, const GpuRow& row, const Anchor& anchor);
void bind(sql::Statement& to, const GpuSampleRow& row, const Anchor& anchor);
void bind(sql::Statement& to, const EngineSampleRow& row, const Anchor& anchor);
void bind(sql::Statement& to, const AgreementRow& row, const Anchor& anchor);
// `blob` holds the coded token events and must live as long as the row.
void bind(sql::Statement& to, const RequestRow& row, const Anchor& anchor, std::string& blob);

// Statements that give rows, in the order that the Reader promises.
extern const char* const kGetRun;  // and then complete and reason
extern const char* const kGetRunV1;
extern const char* const kGetSystems;
extern const char* const kGetVisits;
extern const char* const kGetSteps;
extern const char* const kGetHealth;
extern const char* const kGetHealthV1;
extern const char* const kGetFindings;
extern const char* const kGetRequest;  // by rowid
extern const char* const kGetSettings;
extern const char* const kGetGpus;
extern const char* const kGetGpuSamples;     // by visit
extern const char* const kGetEngineSamples;  // by step
extern const char* const kGetAgreement;

// Reads every column of the current row. Errors: a word or blob that is not of this schema.
Result<void> load(sql::Statement& from, RunRow& row);
Result<void> load(sql::Statement& from, SystemRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, VisitRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, StepRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, WorkerHealthRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, FindingRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, RequestRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, SettingRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, GpuRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, GpuSampleRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, EngineSampleRow& row, const Anchor& anchor);
Result<void> load(sql::Statement& from, AgreementRow& row, const Anchor& anchor);

// A word of a fixed vocabulary.
template <typename E>
Result<void> get_word(sql::Statement& from, std::optional<E> (*parse)(std::string_view),
                      const char* what, E& value) {
  const std::string_view word = from.view();
  const auto parsed = parse(word);
  if (!parsed) {
    return environment_error(
        fmt::format("'{}' is not a known {}; the file is damaged or was edited", word, what));
  }
  value = *parsed;
  return {};
}

}  // namespace evenbench::record
