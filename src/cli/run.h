// `run`, `quick` and `demo`: follows a plan, records, judges, reports.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/client_flags.h"
#include "cli/progress.h"
#include "cli/spec.h"

namespace evenbench::cli {

struct RunOptions {
  std::filesystem::path out;  // the run folder itself; empty = runs/<time>-<title>
  bool json = false;          // summary.json on stdout at the end
  bool quiet = false;
  ClientFlags client;
  bool demo = false;  // exit 0 even where labels would forbid publication: nobody publishes a demo
};

// The exit code of the program. Messages go to stderr, the result (folder or JSON) to stdout.
int run_spec(Spec spec, const RunOptions& options, const Clock& clock);

// Judges and reports the run in `run` (a folder or a run file) again. The exit code.
int report_run(const std::filesystem::path& run, bool json);

}  // namespace evenbench::cli
