// The latencies of the good requests of a step's cohort, each defined in docs/metrics.md, and why
// some of them are absent.
#pragma once

#include <cstdint>
#include <vector>

#include "judge/gap_samples.h"
#include "judge/headline_stamp.h"
#include "judge/judged_run.h"
#include "record/rows.h"

namespace evenbench::judge {

// Good requests for which a figure could not be told.
struct Unmeasured {
  std::uint64_t good = 0;              // all good requests, for the share
  std::uint64_t not_streamed = 0;      // no TTFT, TPOT, ITL
  std::uint64_t in_one_piece = 0;      // two tokens or more, but all at one instant: no TPOT
  std::uint64_t uncounted_events = 0;  // events whose token count is not known: no ITL
  std::uint64_t impossible = 0;        // latencies below 0, left out
};

class LatencySamples {
 public:
  explicit LatencySamples(Instants instants = {}) : instants_(instants) {}
  void add_good(const record::RequestRow& row);
  // Fills the latency distributions and curves of `step`; `failed` requests count as +infinity
  // where failures are included. Uses the samples up.
  void fill(JudgedStep& step, std::uint64_t failed);
  [[nodiscard]] const Unmeasured& unmeasured() const { return unmeasured_; }

 private:
  void put(std::vector<double>& samples, MonoTime from, MonoTime to);
  void add_tpot(const Exchanged& exchanged);
  void add_gaps(const Exchanged& exchanged);
  void add_quality(const Exchanged& exchanged);
  void fill_gaps(JudgedStep& step);

  Instants instants_;
  std::vector<double> ttft_, ttft_service_, first_content_, tpot_, e2e_, e2e_service_, output_rate_;
  GapSamples chunk_gap_, itl_;
  InstantQuality quality_;
  Unmeasured unmeasured_;
};

}  // namespace evenbench::judge
