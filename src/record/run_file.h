// The open run file on the writing side: one SQLite connection in WAL mode and its prepared
// statements. Used by one thread at a time. Knows no queue; what to do about a fault is the
// caller's business.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "record/anchor.h"
#include "record/evidence_rows.h"
#include "record/rows.h"
#include "record/sqlite.h"

namespace evenbench::record {

using ControlRow = std::variant<SystemRow, VisitRow, StepRow, WorkerHealthRow, FindingRow,
                                SettingRow, GpuRow, GpuSampleRow, EngineSampleRow, AgreementRow>;

class RunFile {
 public:
  // Makes `file`, which must not exist, with its schema and the run's row. `max_pages`: no more
  // database pages than this (tests of a full disk); 0 = no limit.
  static Result<std::unique_ptr<RunFile>> create(const std::filesystem::path& file,
                                                 const RunRow& run, std::int64_t max_pages);

  // One transaction: begin, puts, commit. After a fault the transaction is over or has to be ended
  // with rollback(), except after SQLITE_CONSTRAINT, which refuses only the one row.
  std::optional<sql::Fault> begin() { return db_.run("BEGIN IMMEDIATE"); }
  std::optional<sql::Fault> put(const ControlRow& row);
  std::optional<sql::Fault> put(const RequestRow& row);
  std::optional<sql::Fault> commit() { return db_.run("COMMIT"); }
  void rollback();

  std::optional<sql::Fault> set_status(bool complete, const std::string& reason);
  // Folds the WAL into the file, so that one plain file is left where that is possible.
  void close();

 private:
  // Every statement, prepared once. Apart, because they must go before the connection does.
  struct Statements {
    explicit Statements(const sql::Database& db);
    [[nodiscard]] std::optional<sql::Fault> fault() const;
    sql::Statement& of(const SystemRow& /*row*/) { return system; }
    sql::Statement& of(const VisitRow& /*row*/) { return visit; }
    sql::Statement& of(const StepRow& /*row*/) { return step; }
    sql::Statement& of(const WorkerHealthRow& /*row*/) { return health; }
    sql::Statement& of(const FindingRow& /*row*/) { return finding; }
    sql::Statement& of(const SettingRow& /*row*/) { return setting; }
    sql::Statement& of(const GpuRow& /*row*/) { return gpu; }
    sql::Statement& of(const GpuSampleRow& /*row*/) { return gpu_sample; }
    sql::Statement& of(const EngineSampleRow& /*row*/) { return engine_sample; }
    sql::Statement& of(const AgreementRow& /*row*/) { return agreement; }
    sql::Statement system, visit, step, health, finding, setting, gpu, gpu_sample, engine_sample,
        agreement, request, status;
  };

  explicit RunFile(MonoTime anchor) : anchor_(anchor) {}
  std::optional<sql::Fault> set_up(const std::filesystem::path& file, const RunRow& run,
                                   std::int64_t max_pages);

  Anchor anchor_;
  sql::Database db_;
  std::optional<Statements> statements_;
  std::string blob_;
};

}  // namespace evenbench::record
