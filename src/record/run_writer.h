// The Writer: lanes and a queue of control rows in front of a RunFile, and the one thread that
// carries rows from there to disk. Apart from writer.h so that tests can choose its limits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "record/disk_trouble.h"
#include "record/lane_queue.h"
#include "record/run_file.h"
#include "record/writer.h"

namespace evenbench::record {

struct WriterOptions {
  std::chrono::milliseconds commit_interval{500};
  std::int64_t max_pages = 0;  // of the database, 4 KiB each; 0 = no limit
  // Called in every turn after the lanes and before the control rows are looked at: a test puts
  // rows here, where a wrong order of the two would tear a request from its step.
  std::function<void()> between_looks = {};
};

class RunWriter final : public Writer {
 public:
  static Result<std::unique_ptr<Writer>> create(const std::filesystem::path& file,
                                                const RunRow& run, std::size_t lanes,
                                                const WriterOptions& options);
  ~RunWriter() override;

  void put(const SystemRow& row) override { enqueue(row); }
  void put(const VisitRow& row) override { enqueue(row); }
  void put(const StepRow& row) override { enqueue(row); }
  void put(const WorkerHealthRow& row) override { enqueue(row); }
  void put(const FindingRow& row) override { enqueue(row); }
  void put(const SettingRow& row) override { enqueue(row); }
  void put(const GpuRow& row) override { enqueue(row); }
  void put(const AgreementRow& row) override { enqueue(row); }
  void put(const GpuSampleRow& row) override { enqueue(row); }
  void put(const EngineSampleRow& row) override { enqueue(row); }
  RequestSink& lane(std::size_t index) override;
  void flush() override;
  [[nodiscard]] std::optional<Error> failure() const override;
  Result<void> finish(bool complete, const std::string& reason) override;

 private:
  struct Lane final : RequestSink {
    void add(RequestRow&& row) override { queue.push(std::move(row)); }
    LaneQueue<RequestRow> queue;
    std::uint64_t ready = 0;  // the writer thread's: how far this turn may take
  };
  struct Status {
    bool complete = false;
    std::string reason;
  };

  RunWriter(std::filesystem::path file, std::unique_ptr<RunFile> run, std::size_t lanes,
            const WriterOptions& options);
  void enqueue(ControlRow row);
  void start();
  void stop(std::optional<Status> status);

  // The writer thread.
  void loop();
  void turn();
  void store();
  std::optional<sql::Fault> store_rows(std::uint64_t& requests);
  void close();
  void note(const sql::Fault& fault, std::uint64_t lost);

  const std::filesystem::path file_;
  const WriterOptions options_;
  std::unique_ptr<RunFile> run_;  // the writer thread's
  std::deque<Lane> lanes_;
  std::vector<ControlRow> pending_;  // the writer thread's: control rows not on disk yet

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::condition_variable flushed_changed_;
  std::vector<ControlRow> control_;
  std::uint64_t flush_asked_ = 0;
  std::uint64_t flushed_ = 0;
  bool stopping_ = false;
  std::optional<Status> status_;
  std::optional<Trouble> trouble_;  // of the first write that failed
  std::uint64_t lost_ = 0;          // requests that could not be stored

  std::thread thread_;
};

}  // namespace evenbench::record
