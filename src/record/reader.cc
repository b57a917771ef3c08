#include "record/reader.h"

#include <fmt/format.h>

#include <utility>

#include "record/row_codec.h"
#include "record/schema.h"

namespace evenbench::record {
namespace {

constexpr std::int64_t kFirstWithEvidence = 3;  // schema version with the rows of evidence_rows.h

Error damaged(const std::filesystem::path& file, const std::string& why) {
  return environment_error(fmt::format(
      "the run file {} cannot be read: {}; take a whole copy of it, with the -wal file beside it "
      "if there is one",
      file.string(), why));
}

// As a URI, every byte that could mean something there escaped.
std::string immutable_uri(const std::filesystem::path& file) {
  std::string uri = "file://";
  for (const char c : std::filesystem::absolute(file).string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '-' || c == '_' || c == '.';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri + "?immutable=1";
}

bool wal_beside(const std::filesystem::path& file) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(file.string() + "-wal", failed);
  return !failed && size > 0;
}

// Without a WAL beside it the file is at rest, and SQLite is told so: else it would put files of
// its own beside a killed run's file, or fail where it may not.
std::optional<sql::Fault> open_database(sql::Database& db, const std::filesystem::path& file,
                                        bool has_wal) {
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
  if (has_wal) return db.open(std::filesystem::absolute(file).string(), flags);
  return db.open(immutable_uri(file), flags | SQLITE_OPEN_URI);
}

std::optional<sql::Fault> ask(const sql::Database& db, const std::string& what,
                              std::int64_t& value) {
  sql::Statement pragma(db, "PRAGMA " + what);
  if (pragma.next()) pragma.get(value);
  return pragma.fault();
}

// Gives the schema version.
Result<std::int64_t> check_identity(const sql::Database& db, const std::filesystem::path& file) {
  std::int64_t id = 0;
  std::int64_t version = 0;
  auto fault = ask(db, "application_id", id);
  if (!fault) fault = ask(db, "user_version", version);
  if (fault && fault->primary() != SQLITE_NOTADB) return damaged(file, fault->text);
  if (fault || id != kApplicationId) {
    return environment_error(
        fmt::format("{} is {}, not a run file of evenbench; give a run folder or its run.sqlite",
                    file.string(), fault ? "no database" : "a database of something else"));
  }
  if (version < 1 || version > kSchemaVersion) {
    return environment_error(
        fmt::format("{} is a run file of schema version {}, this program reads up to {}; use "
                    "the evenbench that wrote it, or a newer one",
                    file.string(), version, kSchemaVersion));
  }
  return version;
}

// SQLite fills a last page that is cut short with zeros and says nothing. Beside a WAL the file may
// rightly be shorter than its header says: the rest is in the WAL.
Result<void> check_size(const sql::Database& db, const std::filesystem::path& file, bool has_wal) {
  if (has_wal) return {};
  std::int64_t pages = 0;
  std::int64_t page_size = 0;
  auto fault = ask(db, "page_count", pages);
  if (!fault) fault = ask(db, "page_size", page_size);
  if (fault) return damaged(file, fault->text);
  std::error_code failed;
  const auto size = std::filesystem::file_size(file, failed);
  if (failed) return damaged(file, failed.message());
  if (size < static_cast<std::uintmax_t>(pages * page_size))
    return damaged(file, "it is cut short");
  return {};
}

class RunReader final : public Reader {
 public:
  RunReader(std::filesystem::path file, sql::Database db, std::int64_t version)
      : file_(std::move(file)), db_(std::move(db)), version_(version) {}

  Result<void> load_control();

  [[nodiscard]] const RunRow& run() const override { return run_; }
  [[nodiscard]] bool complete() const override { return complete_; }
  [[nodiscard]] const std::string& reason() const override { return reason_; }
  [[nodiscard]] const std::vector<SystemRow>& systems() const override { return systems_; }
  [[nodiscard]] const std::vector<VisitRow>& visits() const override { return visits_; }
  [[nodiscard]] const std::vector<StepRow>& steps() const override { return steps_; }
  [[nodiscard]] const std::vector<WorkerHealthRow>& health() const override { return health_; }
  [[nodiscard]] const std::vector<FindingRow>& findings() const override { return findings_; }
  [[nodiscard]] const std::vector<SettingRow>& settings() const override { return settings_; }
  [[nodiscard]] const std::vector<GpuRow>& gpus() const override { return gpus_; }
  [[nodiscard]] const std::vector<AgreementRow>& agreement() const override { return agreement_; }
  Result<void> for_each_gpu_sample(
      std::int64_t visit_id, const std::function<void(const GpuSampleRow&)>& take) const override {
    return for_each(kGetGpuSamples, visit_id, take);
  }
  Result<void> for_each_engine_sample(
      std::int64_t step_id,
      const std::function<void(const EngineSampleRow&)>& take) const override {
    return for_each(kGetEngineSamples, step_id, take);
  }
  Result<void> for_each_request(std::int64_t step_id,
                                const std::function<void(const RequestRow&)>& visit) const override;
  [[nodiscard]] Result<FirstTokens> first_tokens(std::int64_t step_id) const override;

 private:
  Result<void> load_run();
  template <typename Row>
  Result<void> load_all(const char* query, std::vector<Row>& rows);
  template <typename Row>
  Result<void> for_each(const char* query, std::int64_t id,
                        const std::function<void(const Row&)>& take) const;
  [[nodiscard]] Result<std::vector<std::int64_t>> requests_in_order(std::int64_t step_id) const;

  std::filesystem::path file_;
  sql::Database db_;
  std::int64_t version_;  // of the schema
  Anchor anchor_{kNever};
  RunRow run_;
  bool complete_ = false;
  std::string reason_;
  std::vector<SystemRow> systems_;
  std::vector<VisitRow> visits_;
  std::vector<StepRow> steps_;
  std::vector<WorkerHealthRow> health_;
  std::vector<FindingRow> findings_;
  std::vector<SettingRow> settings_;
  std::vector<GpuRow> gpus_;
  std::vector<AgreementRow> agreement_;
};

Result<void> RunReader::load_run() {
  sql::Statement get(db_, version_ == 1 ? kGetRunV1 : kGetRun);
  if (!get.next()) {
    return damaged(file_, get.fault() ? get.fault()->text : "it has no row for the run");
  }
  if (auto loaded = load(get, run_); !loaded) return damaged(file_, loaded.error().message);
  get.get(complete_).get(reason_);
  anchor_ = Anchor(run_.anchor);
  return {};
}

template <typename Row>
Result<void> RunReader::load_all(const char* query, std::vector<Row>& rows) {
  sql::Statement get(db_, query);
  while (get.next()) {
    if (auto loaded = load(get, rows.emplace_back(), anchor_); !loaded) {
      return damaged(file_, loaded.error().message);
    }
  }
  if (get.fault()) return damaged(file_, get.fault()->text);
  return {};
}

Result<void> RunReader::load_control() {
  if (auto loaded = load_run(); !loaded) return loaded;
  if (auto loaded = load_all(kGetSystems, systems_); !loaded) return loaded;
  if (auto loaded = load_all(kGetVisits, visits_); !loaded) return loaded;
  if (auto loaded = load_all(kGetSteps, steps_); !loaded) return loaded;
  if (auto loaded = load_all(version_ == 1 ? kGetHealthV1 : kGetHealth, health_); !loaded)
    return loaded;
  if (auto loaded = load_all(kGetFindings, findings_); !loaded) return loaded;
  if (version_ < kFirstWithEvidence) return {};
  if (auto loaded = load_all(kGetSettings, settings_); !loaded) return loaded;
  if (auto loaded = load_all(kGetGpus, gpus_); !loaded) return loaded;
  return load_all(kGetAgreement, agreement_);
}

template <typename Row>
Result<void> RunReader::for_each(const char* query, std::int64_t id,
                                 const std::function<void(const Row&)>& take) const {
  if (version_ < kFirstWithEvidence) return {};
  sql::Statement get(db_, query);
  get.add(id);
  Row row;
  while (get.next()) {
    if (auto loaded = load(get, row, anchor_); !loaded) {
      return damaged(file_, loaded.error().message);
    }
    take(row);
  }
  if (get.fault()) return damaged(file_, get.fault()->text);
  return {};
}

// Only the row ids are sorted: SQLite's sorter would carry every blob along.
Result<std::vector<std::int64_t>> RunReader::requests_in_order(std::int64_t step_id) const {
  sql::Statement list(db_,
                      "SELECT rowid FROM request WHERE step_id = ? ORDER BY planned_ns, number");
  list.add(step_id);
  std::vector<std::int64_t> ids;
  while (list.next()) list.get(ids.emplace_back());
  if (list.fault()) return damaged(file_, list.fault()->text);
  return ids;
}

Result<void> RunReader::for_each_request(
    std::int64_t step_id, const std::function<void(const RequestRow&)>& visit) const {
  const auto ids = requests_in_order(step_id);
  if (!ids) return ids.error();
  sql::Statement get(db_, kGetRequest);
  RequestRow row;
  for (const std::int64_t id : *ids) {
    get.restart();
    get.add(id);
    if (!get.next()) {
      return damaged(file_, get.fault() ? get.fault()->text : "its index names a row it lacks");
    }
    if (auto loaded = load(get, row, anchor_); !loaded) {
      return damaged(file_, fmt::format("request {} of step {}: {}", row.index, step_id,
                                        loaded.error().message));
    }
    visit(row);
  }
  return {};
}

Result<FirstTokens> RunReader::first_tokens(std::int64_t step_id) const {
  sql::Statement count(db_,
                       "SELECT count(first_token_ns), "
                       "count(CASE WHEN first_token_ns IS NOT NULL THEN first_token_kernel_ns END) "
                       "FROM request WHERE step_id = ? AND streamed");
  count.add(step_id);
  FirstTokens tokens;
  if (!count.next()) return damaged(file_, count.fault() ? count.fault()->text : "no count");
  count.get(tokens.seen).get(tokens.by_kernel);
  return tokens;
}

}  // namespace

Result<std::unique_ptr<Reader>> Reader::open(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) {
    return environment_error(
        fmt::format("there is no run file {}; give a run folder or its run.sqlite", file.string()));
  }
  constexpr std::uintmax_t kSmallestPage = 512;  // SQLite would take less for a new database
  if (std::filesystem::file_size(file, failed) < kSmallestPage) {
    return damaged(file, "it is empty or cut short");
  }
  const bool has_wal = wal_beside(file);
  sql::Database db;
  if (const auto fault = open_database(db, file, has_wal)) return damaged(file, fault->text);
  // Everything that this Reader gives is of one moment, also while the run still goes on.
  if (const auto fault = db.run("BEGIN")) return damaged(file, fault->text);
  const auto version = check_identity(db, file);
  if (!version) return version.error();
  if (auto whole = check_size(db, file, has_wal); !whole) return whole.error();
  auto reader = std::make_unique<RunReader>(file, std::move(db), *version);
  if (auto loaded = reader->load_control(); !loaded) return loaded.error();
  return std::unique_ptr<Reader>(std::move(reader));
}

}  // namespace evenbench::record
