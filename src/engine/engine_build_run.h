// Builds an engine, or takes it from the cache: the only part of a build that waits and starts
// programs. Nothing of a build survives us, and of one that does not end well nothing is kept.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/engine_build.h"
#include "engine/engine_build_cache.h"

namespace evenbench::engine {

struct BuildWatch {
  std::string engine;                          // adapter's name: whose complaints its log may hold
  Nanos limit{0};                              // for all of it
  Nanos grace = std::chrono::seconds{5};       // from the request to end it until it is killed
  std::function<bool()> interrupted;           // polled; true = give up with kInterrupted
  std::function<void(std::string_view)> tell;  // now and then: what it is doing
};

struct BuildJob {
  std::string key;
  std::filesystem::path cache;
  std::filesystem::path log;  // of the run; a copy stays beside the engine
  BuildFacts facts;
  // The command lines of a build that works in this folder.
  std::function<Result<std::vector<BuildCommand>>(const std::filesystem::path&)> commands;
  BuildWatch watch;
};

struct FoundOrBuilt {
  BuiltEngine engine;
  bool cached = false;  // no program was started
};

// Waits while another program builds the same. Error: environment, explains; or interrupted.
Result<FoundOrBuilt> find_or_build(const BuildJob& job, const Clock& clock);

// Runs one program to its end; its output goes to its log. Error: environment, it could not be
// started, did not end with code 0 (with the end of the log and the remedy, if there is one) or not
// before `deadline`; or interrupted.
Result<void> run_to_end(const BuildCommand& command, const BuildWatch& watch, MonoTime deadline,
                        const Clock& clock);

}  // namespace evenbench::engine
