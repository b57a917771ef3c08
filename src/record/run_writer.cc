#include "record/run_writer.h"

#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

namespace evenbench::record {
namespace {

// The nice value that sending threads ask for (load/worker_seat.cc), and how far behind them the
// writing thread stands: enough to give way when one wakes up. Further behind, a sending thread
// that is never at rest would starve it on a CPU that they share, and what it has not written yet
// fills the memory: 258 MiB instead of 129 MiB after 200 000 answers at a distance of 10.
constexpr int kSenders = -10;
constexpr int kBehind = 4;

// Of the calling thread.
void stand_behind_senders() {
  const int nice = ::getpriority(PRIO_PROCESS, 0);
  if (::setpriority(PRIO_PROCESS, 0, std::min(nice, kSenders) + kBehind) == 0) return;
  // Senders may not go before the others either. Asking for less is never refused.
  ::setpriority(PRIO_PROCESS, 0, nice + kBehind);
}

}  // namespace

Result<std::unique_ptr<Writer>> Writer::create(const std::filesystem::path& file, const RunRow& run,
                                               std::size_t lanes) {
  return RunWriter::create(file, run, lanes, {});
}

Result<std::unique_ptr<Writer>> RunWriter::create(const std::filesystem::path& file,
                                                  const RunRow& run, std::size_t lanes,
                                                  const WriterOptions& options) {
  auto opened = RunFile::create(file, run, options.max_pages);
  if (!opened) return opened.error();
  std::unique_ptr<RunWriter> self(new RunWriter(file, *std::move(opened), lanes, options));
  self->start();
  return std::unique_ptr<Writer>(std::move(self));
}

RunWriter::RunWriter(std::filesystem::path file, std::unique_ptr<RunFile> run, std::size_t lanes,
                     const WriterOptions& options)
    : file_(std::move(file)), options_(options), run_(std::move(run)), lanes_(lanes) {}

RunWriter::~RunWriter() {
  stop(std::nullopt);
}

void RunWriter::start() {
  // The thread inherits a mask that blocks every signal: SIGINT belongs to the main thread, and a
  // blocked SIGXFSZ turns a file size limit into an error that can be told instead of a death.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { loop(); });  // lint-ok(thread): the one thread that writes
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void RunWriter::enqueue(ControlRow row) {
  const std::lock_guard lock(mutex_);
  EVENBENCH_CHECK(!stopping_, "a row was put after the run file was finished");
  control_.push_back(std::move(row));
}

RequestSink& RunWriter::lane(std::size_t index) {
  EVENBENCH_CHECK(index < lanes_.size(), "lane {} of {}", index, lanes_.size());
  return lanes_[index];
}

void RunWriter::flush() {
  std::unique_lock lock(mutex_);
  if (stopping_) return;  // finish() has drained everything
  const std::uint64_t ticket = ++flush_asked_;
  wake_.notify_one();
  flushed_changed_.wait(lock, [&] { return flushed_ >= ticket; });
}

std::optional<Error> RunWriter::failure() const {
  const std::lock_guard lock(mutex_);
  if (!trouble_) return std::nullopt;
  return environment_error(
      fmt::format("the run file {} could not be written: {}; finished requests lost so far: {}, "
                  "what was stored before stays readable; {}",
                  file_.string(), trouble_->cause, lost_, trouble_->remedy));
}

Result<void> RunWriter::finish(bool complete, const std::string& reason) {
  stop(Status{complete, reason});
  if (const auto failed = failure()) return *failed;
  return {};
}

void RunWriter::stop(std::optional<Status> status) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    status_ = std::move(status);
  }
  wake_.notify_one();
  thread_.join();
}

void RunWriter::loop() {
  stand_behind_senders();
  bool last = false;
  while (!last) {
    {
      std::unique_lock lock(mutex_);
      // Real time: what a killed run loses is bounded in seconds, not in rows.
      wake_.wait_for(lock, options_.commit_interval,
                     [&] { return stopping_ || flush_asked_ > flushed_; });
      last = stopping_;
    }
    turn();
  }
  close();
}

// The order is the point. A flush is answered only for rows that were there before its ticket was
// read. And the lanes are looked at before the control rows are taken: whoever adds a request has
// seen its step put, so a step never comes to disk after its requests.
void RunWriter::turn() {
  std::uint64_t ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    ticket = flush_asked_;
  }
  for (Lane& lane : lanes_) lane.ready = lane.queue.pushed();
  if (options_.between_looks) options_.between_looks();
  {
    const std::lock_guard lock(mutex_);
    for (ControlRow& row : control_) pending_.push_back(std::move(row));
    control_.clear();
  }
  store();
  {
    const std::lock_guard lock(mutex_);
    flushed_ = ticket;
  }
  flushed_changed_.notify_all();
}

void RunWriter::store() {
  bool any = !pending_.empty();
  for (const Lane& lane : lanes_) any = any || lane.ready > lane.queue.popped();
  if (!any) return;

  std::uint64_t requests = 0;
  if (const auto fault = store_rows(requests)) {
    run_->rollback();
    // Control rows are few and later requests need them, so they are tried again; requests are let
    // go, or a full disk would fill the memory too.
    note(*fault, requests);
    return;
  }
  pending_.clear();
}

// Takes every ready request from the lanes, also after a fault.
std::optional<sql::Fault> RunWriter::store_rows(std::uint64_t& requests) {
  std::optional<sql::Fault> fault = run_->begin();
  for (const ControlRow& row : pending_) {
    if (!fault) fault = run_->put(row);
  }
  for (Lane& lane : lanes_) {
    while (lane.queue.popped() < lane.ready) {
      const RequestRow row = lane.queue.pop();
      ++requests;
      if (fault) continue;
      fault = run_->put(row);
      if (fault && fault->primary() == SQLITE_CONSTRAINT) {
        note(*fault, 1);  // one row that came twice must not take the others with it
        --requests;
        fault.reset();
      }
    }
  }
  return fault ? fault : run_->commit();
}

void RunWriter::note(const sql::Fault& fault, std::uint64_t lost) {
  const std::lock_guard lock(mutex_);
  lost_ += lost;
  if (!trouble_) trouble_ = write_trouble(fault, file_);
}

void RunWriter::close() {
  // No lock: nobody changes status_ once the thread was told to stop.
  if (status_) {
    if (const auto failed = failure()) status_ = Status{false, failed->message};
    if (const auto fault = run_->set_status(status_->complete, status_->reason)) note(*fault, 0);
  }
  run_->close();
}

}  // namespace evenbench::record
