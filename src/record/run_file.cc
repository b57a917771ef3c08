#include "record/run_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "record/disk_trouble.h"
#include "record/row_codec.h"
#include "record/schema.h"

namespace evenbench::record {
namespace {

constexpr int kBusyTimeoutMs = 10'000;  // for a person who looks into the file with another tool
constexpr mode_t kFileMode = 0666;      // less the umask, as any program's output

// SQLite cannot be asked to refuse an existing file.
Result<void> make_empty(const std::filesystem::path& file) {
  const int fd = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, kFileMode);
  if (fd >= 0) {
    ::close(fd);
    return {};
  }
  if (errno == EEXIST) {
    return environment_error(fmt::format(
        "{} is there already and is never overwritten; give another output folder", file.string()));
  }
  return environment_error(
      fmt::format("{} cannot be made: {}; give an output folder that exists "
                  "and can be written",
                  file.string(), std::strerror(errno)));
}

std::optional<sql::Fault> insert_run(const sql::Database& db, const RunRow& run) {
  sql::Statement put(db, kPutRun);
  bind(put, run);
  return put.run();
}

}  // namespace

RunFile::Statements::Statements(const sql::Database& db)
    : system(db, kPutSystem),
      visit(db, kPutVisit),
      step(db, kPutStep),
      health(db, kPutHealth),
      finding(db, kPutFinding),
      setting(db, kPutSetting),
      gpu(db, kPutGpu),
      gpu_sample(db, kPutGpuSample),
      engine_sample(db, kPutEngineSample),
      agreement(db, kPutAgreement),
      request(db, kPutRequest),
      status(db, "UPDATE run SET complete = ?, reason = ?") {}

std::optional<sql::Fault> RunFile::Statements::fault() const {
  for (const auto* statement : {&system, &visit, &step, &health, &finding, &setting, &gpu,
                                &gpu_sample, &engine_sample, &agreement, &request, &status}) {
    if (statement->fault()) return statement->fault();
  }
  return std::nullopt;
}

Result<std::unique_ptr<RunFile>> RunFile::create(const std::filesystem::path& file,
                                                 const RunRow& run, std::int64_t max_pages) {
  if (auto made = make_empty(file); !made) return made.error();
  std::unique_ptr<RunFile> self(new RunFile(run.anchor));
  if (const auto fault = self->set_up(file, run, max_pages)) {
    const Trouble trouble = write_trouble(*fault, file);
    return environment_error(fmt::format("the run file {} cannot be started: {}; {}", file.string(),
                                         trouble.cause, trouble.remedy));
  }
  return self;
}

std::optional<sql::Fault> RunFile::set_up(const std::filesystem::path& file, const RunRow& run,
                                          std::int64_t max_pages) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  // An absolute name, or a relative one that begins with "file:" would be read as a URI.
  if (auto fault = db_.open(std::filesystem::absolute(file).string(), flags)) return fault;
  sqlite3_busy_timeout(db_.handle(), kBusyTimeoutMs);
  if (auto fault = db_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")) return fault;
  if (auto fault = begin()) return fault;
  if (auto fault = db_.run(kCreateSchema)) return fault;
  if (auto fault = insert_run(db_, run)) return fault;
  if (auto fault = commit()) return fault;
  if (max_pages > 0) {
    const std::string limit = fmt::format("PRAGMA max_page_count = {}", max_pages);
    if (auto fault = db_.run(limit.c_str())) return fault;
  }
  return statements_.emplace(db_).fault();
}

std::optional<sql::Fault> RunFile::put(const ControlRow& row) {
  return std::visit(
      [this](const auto& r) {
        sql::Statement& statement = statements_->of(r);
        bind(statement, r, anchor_);
        return statement.run();
      },
      row);
}

std::optional<sql::Fault> RunFile::put(const RequestRow& row) {
  bind(statements_->request, row, anchor_, blob_);
  return statements_->request.run();
}

void RunFile::rollback() {
  // A full disk may have ended the transaction already.
  if (sqlite3_get_autocommit(db_.handle()) == 0) (void)db_.run("ROLLBACK");
}

std::optional<sql::Fault> RunFile::set_status(bool complete, const std::string& reason) {
  const auto write = [&] {
    statements_->status.add(complete).add(reason);
    return statements_->status.run();
  };
  if (!write()) return std::nullopt;
  // Once the WAL is folded in it begins anew in its old space: on a full disk that is what there
  // is.
  sqlite3_wal_checkpoint_v2(db_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  return write();
}

void RunFile::close() {
  statements_.reset();
  // Leaves a file that opens from a read-only folder too. Refused while somebody else reads it or
  // the disk is full; then the WAL stays beside it and the Reader takes both.
  sqlite3_busy_timeout(db_.handle(), 0);
  (void)db_.run("PRAGMA journal_mode = DELETE");
  db_.close();
}

}  // namespace evenbench::record
