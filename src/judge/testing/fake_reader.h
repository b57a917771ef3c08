// A run file in memory, and requests of which every instant is written in the test. Milliseconds
// count from the run's anchor.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "judge/judge.h"
#include "record/reader.h"

namespace evenbench::judge::testing {

inline MonoTime at_ms(double ms) {
  return MonoTime{std::chrono::hours{1}} + from_seconds(ms / 1000.0);
}
inline Stamp stamp_ms(double ms) {
  return {at_ms(ms), kNever};
}

// One request, planned and sent at `planned` unless said otherwise.
class RequestBuilder {
 public:
  explicit RequestBuilder(double planned_ms);
  // Token events after the planned instant; the answer ends with the last of them.
  RequestBuilder& tokens(std::initializer_list<double> after_ms);
  RequestBuilder& tokens(const std::vector<double>& after_ms);
  RequestBuilder& counts(std::initializer_list<std::uint32_t> per_event);
  RequestBuilder& usage(std::uint32_t prompt, std::uint32_t output);
  RequestBuilder& asked(std::uint32_t input, std::uint32_t output);
  RequestBuilder& sent(double at);
  RequestBuilder& closed(double after_ms);
  // Every instant so far carries a kernel stamp too, this long before the program's.
  RequestBuilder& kernel(double before_ms);
  // The read of these token events, counted from 0, held several.
  RequestBuilder& merged(std::initializer_list<std::size_t> events);
  RequestBuilder& phase(Phase phase);
  RequestBuilder& whole(double after_ms);  // not streamed: the body was complete then
  RequestBuilder& failed(Ending ending, std::string detail, double after_ms, int status = 200);
  RequestBuilder& cut(double at);
  Exchanged& exchanged() { return row_.exchanged; }
  operator record::RequestRow() const { return row_; }

 private:
  double planned_ms_;
  record::RequestRow row_;
};

class FakeReader : public record::Reader {
 public:
  // One system with one visit and no step.
  FakeReader();

  // A finished ladder step, its window from `begin_ms` to `end_ms` on the run's clock.
  record::StepRow& add_step(double begin_ms, double end_ms, double rate);
  record::StepRow& add_closed(double begin_ms, double end_ms, std::uint32_t concurrency);
  // To the step that was added last.
  void add(record::RequestRow row);

  // The only step, judged.
  [[nodiscard]] JudgedStep judged_step() const;

  [[nodiscard]] const record::RunRow& run() const override { return run_row; }
  [[nodiscard]] bool complete() const override { return is_complete; }
  [[nodiscard]] const std::string& reason() const override { return why_not; }
  [[nodiscard]] const std::vector<record::SystemRow>& systems() const override {
    return system_rows;
  }
  [[nodiscard]] const std::vector<record::VisitRow>& visits() const override { return visit_rows; }
  [[nodiscard]] const std::vector<record::StepRow>& steps() const override { return step_rows; }
  [[nodiscard]] const std::vector<record::WorkerHealthRow>& health() const override {
    return health_rows;
  }
  [[nodiscard]] const std::vector<record::FindingRow>& findings() const override {
    return finding_rows;
  }
  [[nodiscard]] const std::vector<record::SettingRow>& settings() const override {
    return setting_rows;
  }
  [[nodiscard]] const std::vector<record::GpuRow>& gpus() const override { return gpu_rows; }
  [[nodiscard]] const std::vector<record::AgreementRow>& agreement() const override {
    return agreement_rows;
  }
  Result<void> for_each_gpu_sample(
      std::int64_t visit_id,
      const std::function<void(const record::GpuSampleRow&)>& take) const override;
  Result<void> for_each_engine_sample(
      std::int64_t step_id,
      const std::function<void(const record::EngineSampleRow&)>& take) const override;
  Result<void> for_each_request(
      std::int64_t step_id,
      const std::function<void(const record::RequestRow&)>& visit) const override;
  [[nodiscard]] Result<record::FirstTokens> first_tokens(std::int64_t step_id) const override;

  record::RunRow run_row;
  bool is_complete = true;
  std::string why_not;
  std::vector<record::SystemRow> system_rows;
  std::vector<record::VisitRow> visit_rows;
  std::vector<record::StepRow> step_rows;
  std::vector<record::WorkerHealthRow> health_rows;
  std::vector<record::FindingRow> finding_rows;
  std::vector<record::SettingRow> setting_rows;
  std::vector<record::GpuRow> gpu_rows;
  std::vector<record::AgreementRow> agreement_rows;
  std::vector<record::GpuSampleRow> gpu_sample_rows;
  std::vector<record::EngineSampleRow> engine_sample_rows;
  std::map<std::int64_t, std::vector<record::RequestRow>> requests;
};

// Whether a reason of the step holds `text`.
bool says(const JudgedStep& step, std::string_view text);

// How many requests of the cohort ended so.
inline std::uint64_t ended(const JudgedStep& step, Ending ending) {
  return step.endings[static_cast<std::size_t>(ending)];
}

// gap, 2 gap, ... count gap.
inline std::vector<double> every(double gap_ms, int count) {
  std::vector<double> out;
  for (int i = 1; i <= count; ++i) out.push_back(gap_ms * i);
  return out;
}

// A step of one request, in a window of one second.
inline JudgedStep step_of(const RequestBuilder& request) {
  FakeReader reader;
  reader.add_step(0, 1000, 1);
  reader.add(request);
  return reader.judged_step();
}

}  // namespace evenbench::judge::testing
