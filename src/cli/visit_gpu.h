// The GPUs of this machine during a run: what is in use before a start, when an engine is ready,
// under load, after its stop; who else uses them. Knows nothing of steps and requests.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/even_terms.h"
#include "cli/progress.h"
#include "cli/spec.h"
#include "engine/stop_gate.h"
#include "probe/gpu_sampler.h"
#include "record/writer.h"

namespace evenbench::cli {

// Memory of an engine: what is held by processes that did not hold any before its start.
std::optional<std::uint64_t> held_by_new(const std::vector<probe::GpuHolder>& holders, int gpu,
                                         const std::set<int>& before);

class RunGpus {
 public:
  struct Parts {
    const Spec* spec = nullptr;
    EvenTerms* terms = nullptr;
    record::Writer* writer = nullptr;
    const Progress* progress = nullptr;
    const Clock* clock = nullptr;
  };
  // Says in the run file what is sampled and why no more is; looks at nothing where no system runs
  // here.
  explicit RunGpus(const Parts& parts);

  // In this order for each visit to a system that runs here.
  void before_start(std::int64_t visit_id, bool launched);
  void ready();      // and from here on samples
  void load_over();  // until here; also when it was never ready
  // Now, against the least that was ever in use before a start of this run.
  std::vector<engine::GpuAtGate> at_gate();
  void gone();

  [[nodiscard]] bool any() const { return !source_->devices().empty(); }

 private:
  void find(const std::string& code, const std::string& severity, const std::string& text);
  void say_sources();
  void say_in_use(const std::vector<probe::GpuHolder>& holders);
  void put_rows();
  void take(MonoTime at, const std::vector<probe::GpuSample>& samples);

  Parts parts_;
  std::unique_ptr<probe::GpuSource> source_;
  std::unique_ptr<probe::GpuSampler> sampler_;
  std::map<int, std::uint64_t> least_idle_;
  std::map<int, record::GpuRow> rows_;  // of the present visit
  std::set<int> before_;                // pids that held memory before the start
  std::int64_t visit_id_ = 0;
  bool launched_ = false;
};

}  // namespace evenbench::cli
