#include "engine/engine_build_run.h"

#include <fmt/format.h>

#include <thread>

#include "engine/signatures.h"

namespace evenbench::engine {
namespace {

namespace fs = std::filesystem;

constexpr Nanos kLookEvery = std::chrono::milliseconds{50};
constexpr Nanos kTellEvery = std::chrono::seconds{30};
constexpr std::size_t kLogLines = 20;

void pause() {
  std::this_thread::sleep_for(kLookEvery);  // lint-ok(real-time): waiting for a build
}

bool is_interrupted(const BuildWatch& watch) {
  return watch.interrupted && watch.interrupted();
}

Error interrupted() {
  return {ErrorCode::kInterrupted, "interrupted while an engine was built; nothing of it was kept"};
}

Error too_long(const std::string& what, const BuildWatch& watch) {
  return environment_error(
      fmt::format("{} was not done within {:.0f} s; if it only needs longer, raise build.limit",
                  what, to_seconds(watch.limit)));
}

Error failed(const BuildCommand& command, const BuildWatch& watch, const ExitStatus& status,
             Nanos took) {
  const std::string tail = log_tail(command.launch.log, kLogLines);
  return environment_error(fmt::format(
      "its engine could not be built: {} ended with {} after {:.0f} s{}. The end of its log, "
      "{}:\n{}",
      command.what, status.text(), to_seconds(took),
      explained(watch.engine, log_end(command.launch.log), status.by_signal),
      command.launch.log.string(), tail.empty() ? "(nothing)" : tail));
}

// Tells at times, that one sees it go on.
class Telling {
 public:
  Telling(const BuildWatch& watch, const Clock& clock)
      : watch_(watch), clock_(clock), start_(clock.now()), next_(start_ + kTellEvery) {}
  template <typename What>
  void sometimes(What what) {
    const MonoTime now = clock_.now();
    if (!watch_.tell || now < next_) return;
    next_ = now + kTellEvery;
    watch_.tell(fmt::format("{}, {:.0f} s", what(), to_seconds(now - start_)));
  }

 private:
  const BuildWatch& watch_;
  const Clock& clock_;
  MonoTime start_, next_;
};

Result<void> run_all(const BuildJob& job, const fs::path& work, MonoTime deadline,
                     const Clock& clock) {
  auto commands = job.commands(work);
  if (!commands) return commands.error();
  for (BuildCommand& command : *commands) {
    command.launch.log = job.log;
    if (auto ran = run_to_end(command, job.watch, deadline, clock); !ran) return ran;
  }
  return {};
}

// With the lock of the key.
Result<FoundOrBuilt> build(const BuildJob& job, const EngineCache& cache, const Clock& clock) {
  const auto work = cache.begin(job.key);
  if (!work) return work.error();
  const MonoTime start = clock.now();
  const auto ran = run_all(job, *work, start + job.watch.limit, clock);
  std::optional<Error> error;
  if (!ran) {
    error = ran.error();
  } else {
    const auto kept = cache.keep(job.key, *work, job.log, to_seconds(clock.now() - start),
                                 iso8601(clock.wall()), job.facts);
    if (kept) return FoundOrBuilt{*kept, false};
    error = kept.error();
  }
  if (const auto gone = EngineCache::discard(*work); !gone)
    error->message += "\n" + gone.error().message;
  return *error;
}

Result<OwnedFd> lock(const BuildJob& job, const EngineCache& cache, const Clock& clock) {
  const MonoTime deadline = clock.now() + job.watch.limit;
  Telling telling(job.watch, clock);
  bool said = false;
  while (true) {
    auto taken = cache.try_lock(job.key);
    if (!taken) return taken.error();
    if (*taken) return std::move(**taken);
    if (is_interrupted(job.watch)) return interrupted();
    if (clock.now() >= deadline)
      return too_long("another run that builds the same engine", job.watch);
    if (!said && job.watch.tell)
      job.watch.tell("another run builds the same engine: waiting for it");
    said = true;
    telling.sometimes([] { return "waiting for another run's build"; });
    pause();
  }
}

// The log of an earlier run's build, so that the run folder stands alone.
void copy_log(const BuildJob& job, const BuiltEngine& engine) {
  std::error_code ignored;  // the engine counts, not its log
  if (job.log.has_parent_path()) fs::create_directories(job.log.parent_path(), ignored);
  fs::copy_file(engine.folder / kBuildLog, job.log, fs::copy_options::skip_existing, ignored);
}

}  // namespace

Result<void> run_to_end(const BuildCommand& command, const BuildWatch& watch, MonoTime deadline,
                        const Clock& clock) {
  const MonoTime start = clock.now();
  auto child = ChildProcess::start(command.launch);
  if (!child) return child.error();
  Telling telling(watch, clock);
  while (true) {
    if (const auto ended = (*child)->poll()) {
      // What it has started and left: a build is over when all of it is.
      const ExitStatus stopped = (*child)->stop(watch.grace);
      if (!ended->by_signal && ended->code == 0) return {};
      ExitStatus shown = *ended;
      shown.survivors = stopped.survivors;
      return failed(command, watch, shown, clock.now() - start);
    }
    if (is_interrupted(watch)) {
      (*child)->stop(watch.grace);
      return interrupted();
    }
    if (clock.now() >= deadline) {
      (*child)->stop(watch.grace);
      return too_long(command.what, watch);
    }
    telling.sometimes([&] { return command.what + " runs"; });
    pause();
  }
}

Result<FoundOrBuilt> find_or_build(const BuildJob& job, const Clock& clock) {
  const EngineCache cache(job.cache);
  auto found = cache.find(job.key);
  if (!found) {
    auto held = lock(job, cache, clock);
    if (!held) return held.error();
    found = cache.find(job.key);  // by the one that was waited for
    if (!found) return build(job, cache, clock);
  }
  copy_log(job, *found);
  return FoundOrBuilt{*found, true};
}

}  // namespace evenbench::engine
