// Reads a run file, also one whose writer was killed. Never writes to it (a leftover WAL is read,
// not lost).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/evidence_rows.h"
#include "record/rows.h"

namespace evenbench::record {

// Of the streamed answers of a step.
struct FirstTokens {
  std::uint64_t seen = 0;
  std::uint64_t by_kernel = 0;  // of these, those that carry a kernel stamp too
};

class Reader {
 public:
  // Errors: missing file, not a run file, a schema version that this program does not know.
  static Result<std::unique_ptr<Reader>> open(const std::filesystem::path& file);
  virtual ~Reader() = default;

  [[nodiscard]] virtual const RunRow& run() const = 0;
  [[nodiscard]] virtual bool complete() const = 0;
  [[nodiscard]] virtual const std::string& reason()
      const = 0;  // why it is not complete; "" if unknown (killed)
  [[nodiscard]] virtual const std::vector<SystemRow>& systems() const = 0;
  [[nodiscard]] virtual const std::vector<VisitRow>& visits() const = 0;
  [[nodiscard]] virtual const std::vector<StepRow>& steps() const = 0;
  [[nodiscard]] virtual const std::vector<WorkerHealthRow>& health() const = 0;
  [[nodiscard]] virtual const std::vector<FindingRow>& findings() const = 0;
  // Empty in files older than version 3, as are the samples.
  [[nodiscard]] virtual const std::vector<SettingRow>& settings() const = 0;
  [[nodiscard]] virtual const std::vector<GpuRow>& gpus() const = 0;
  [[nodiscard]] virtual const std::vector<AgreementRow>& agreement() const = 0;
  // In order of time. The row dies when `take` returns.
  virtual Result<void> for_each_gpu_sample(
      std::int64_t visit_id, const std::function<void(const GpuSampleRow&)>& take) const = 0;
  virtual Result<void> for_each_engine_sample(
      std::int64_t step_id, const std::function<void(const EngineSampleRow&)>& take) const = 0;
  // Requests of one step in order of planned instant, then index. The row dies when `visit`
  // returns.
  virtual Result<void> for_each_request(
      std::int64_t step_id, const std::function<void(const RequestRow&)>& visit) const = 0;
  // Without reading the requests whole.
  [[nodiscard]] virtual Result<FirstTokens> first_tokens(std::int64_t step_id) const = 0;
};

}  // namespace evenbench::record
