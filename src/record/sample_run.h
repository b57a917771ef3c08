// For the tests of this room: rows of every kind with every field filled, from a seed, and a text
// of every field to compare by. A field that is added to a row and not here does not compile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/rng.h"
#include "record/evidence_rows.h"
#include "record/rows.h"

namespace evenbench::record {

inline constexpr MonoTime kSampleAnchor{Nanos{1'234'567'890'123'456}};

RunRow sample_run();
// Rows with draws in every field; an instant or number that may be absent is absent in one of four.
SystemRow sample_system(std::int64_t id, Rng& rng);
VisitRow sample_visit(std::int64_t id, Rng& rng);
StepRow sample_step(std::int64_t id, Rng& rng);
WorkerHealthRow sample_health(std::int64_t step, std::uint32_t worker, Rng& rng);
FindingRow sample_finding(const std::string& code, Rng& rng);
RequestRow sample_request(std::int64_t step, std::uint32_t index, Rng& rng);
TokenEvents sample_tokens(Rng& rng);

std::string text_of(const RunRow& row);
std::string text_of(const SystemRow& row);
std::string text_of(const VisitRow& row);
std::string text_of(const StepRow& row);
std::string text_of(const WorkerHealthRow& row);
std::string text_of(const FindingRow& row);
std::string text_of(const SettingRow& row);
std::string text_of(const GpuRow& row);
std::string text_of(const GpuSampleRow& row);
std::string text_of(const EngineSampleRow& row);
std::string text_of(const AgreementRow& row);
std::string text_of(const RequestRow& row);

template <typename Row>
std::vector<std::string> texts(const std::vector<Row>& rows) {
  std::vector<std::string> all;
  for (const Row& row : rows) all.push_back(text_of(row));
  return all;
}

// A folder that is gone after the test.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path run_file() const { return path_ / "run.sqlite"; }

 private:
  std::filesystem::path path_;
};

}  // namespace evenbench::record
