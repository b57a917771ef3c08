// Writes the run file while the run goes on: SQLite in WAL mode, one own thread, a commit at least
// every 500 ms. Killing the program at any instant loses at most the last second and leaves a
// readable file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "base/result.h"
#include "record/evidence_rows.h"
#include "record/rows.h"

namespace evenbench::record {

// Where finished requests go. One lane per worker thread; add() never blocks on the disk and takes
// no lock.
class RequestSink {
 public:
  virtual ~RequestSink() = default;
  virtual void add(RequestRow&& row) = 0;
};

class Writer {
 public:
  // Creates `file` (which must not exist) and starts the thread. `lanes`: number of request lanes.
  static Result<std::unique_ptr<Writer>> create(const std::filesystem::path& file,
                                                const RunRow& run, std::size_t lanes);
  virtual ~Writer() =
      default;  // drains and closes; the run stays "incomplete" unless finish(true) was called

  // The control rows may be put from any thread; a row with a known id replaces the earlier one
  // (insert or update).
  virtual void put(const SystemRow&) = 0;
  virtual void put(const VisitRow&) = 0;
  virtual void put(const StepRow&) = 0;
  virtual void put(const WorkerHealthRow&) = 0;
  virtual void put(const FindingRow&) = 0;
  virtual void put(const SettingRow&) = 0;
  virtual void put(const GpuRow&) = 0;
  virtual void put(const AgreementRow&) = 0;
  // Samples have no id: each is a row of its own.
  virtual void put(const GpuSampleRow&) = 0;
  virtual void put(const EngineSampleRow&) = 0;
  // One lane for one thread at a time.
  virtual RequestSink& lane(std::size_t index) = 0;
  // Blocks until everything put so far is on disk (or has failed).
  virtual void flush() = 0;
  // The first write that failed (disk full, file size limit …), with the remedy; nullopt while all
  // is well. Any thread.
  [[nodiscard]] virtual std::optional<Error> failure() const = 0;
  // Drains, marks the run complete (or interrupted, with the reason) and closes. Idempotent.
  virtual Result<void> finish(bool complete, const std::string& reason) = 0;
};

}  // namespace evenbench::record
