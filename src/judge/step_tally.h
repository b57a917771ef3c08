// Adds the requests of one step up to the numbers of JudgedStep, one row at a time. Knows no labels
// and writes no sentences.
#pragma once

#include <vector>

#include "judge/failures.h"
#include "judge/in_flight.h"
#include "judge/judged_run.h"
#include "judge/latency_samples.h"
#include "judge/step_facts.h"
#include "judge/step_span.h"
#include "judge/token_flow.h"

namespace evenbench::judge {

class StepTally {
 public:
  StepTally(const record::StepRow& row, const StepSpan& span, Instants instants);

  void add(const record::RequestRow& row);
  // Once, after the last row.
  void finish();

  JudgedStep step;
  StepFacts facts;

 private:
  [[nodiscard]] bool in_window(MonoTime begins) const;
  void add_any(const record::RequestRow& row);
  void add_flow(const record::RequestRow& row);
  void add_cohort(const record::RequestRow& row);
  void add_good(const record::RequestRow& row);
  void finish_rates();
  void finish_client();
  void finish_series();

  StepSpan span_;
  Instants instants_;
  std::uint32_t planned_;
  LatencySamples latencies_;
  Failures failures_;
  TokenFlow tokens_;
  InFlight in_flight_;
  std::vector<double> lateness_, begun_late_, connect_, failed_after_;
  MonoTime first_sent_ = kNever, last_sent_ = kNever;
  MonoTime first_planned_ = kNever, last_planned_ = kNever;
  std::uint64_t completed_ = 0;         // good, inside the window
  std::uint64_t completed_output_ = 0;  // their output tokens
  std::uint64_t completed_input_ = 0;   // their input tokens
  bool completed_output_known_ = true;
  bool completed_input_known_ = true;
  std::uint64_t cached_ = 0, cached_of_ = 0;
  bool cached_known_ = false;
  std::uint64_t reads_ = 0, merged_reads_ = 0;
};

}  // namespace evenbench::judge
