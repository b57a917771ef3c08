// How the rows of evidence_rows.h become rows of their tables and come back.
#include "record/row_codec.h"

namespace evenbench::record {
namespace {

#define SETTING_COLUMNS "visit_id, key, requested, effective, source"
#define GPU_COLUMNS                                                          \
  "visit_id, gpu, uuid, name, source, facts_json, total_bytes, idle_bytes, " \
  "ready_bytes, peak_bytes, after_bytes"
#define GPU_SAMPLE_COLUMNS                                                  \
  "visit_id, gpu, at_ns, memory_used_bytes, engine_memory_bytes, "          \
  "gpu_utilisation, memory_utilisation, power_watts, temperature_celsius, " \
  "sm_clock_mhz, memory_clock_mhz, throttle_reasons"
#define ENGINE_SAMPLE_COLUMNS "visit_id, step_id, at_ns, moment, metric, series, value"
#define AGREEMENT_COLUMNS \
  "visit_id, prompt, repeat, ending, detail, text, prompt_tokens, output_tokens"

void get(sql::Statement& from, const Anchor& anchor, MonoTime& at) {
  std::optional<std::int64_t> offset;
  from.get(offset);
  at = anchor.loaded(offset);
}

}  // namespace

const char* const kPutSetting =
    "INSERT OR REPLACE INTO setting (" SETTING_COLUMNS ") VALUES (?, ?, ?, ?, ?)";
const char* const kGetSettings = "SELECT " SETTING_COLUMNS " FROM setting ORDER BY visit_id, key";

void bind(sql::Statement& to, const SettingRow& row, const Anchor& /*anchor*/) {
  to.add(row.visit_id).add(row.key).add(row.requested).add(row.effective).add(row.source);
}

Result<void> load(sql::Statement& from, SettingRow& row, const Anchor& /*anchor*/) {
  from.get(row.visit_id).get(row.key).get(row.requested).get(row.effective).get(row.source);
  return {};
}

const char* const kPutGpu =
    "INSERT OR REPLACE INTO gpu (" GPU_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const char* const kGetGpus = "SELECT " GPU_COLUMNS " FROM gpu ORDER BY visit_id, gpu";

void bind(sql::Statement& to, const GpuRow& row, const Anchor& /*anchor*/) {
  to.add(row.visit_id).add(row.gpu).add(row.uuid).add(row.name).add(row.source);
  to.add(row.facts_json).add(row.total_bytes).add(row.idle_bytes).add(row.ready_bytes);
  to.add(row.peak_bytes).add(row.after_bytes);
}

Result<void> load(sql::Statement& from, GpuRow& row, const Anchor& /*anchor*/) {
  from.get(row.visit_id).get(row.gpu).get(row.uuid).get(row.name).get(row.source);
  from.get(row.facts_json).get(row.total_bytes).get(row.idle_bytes).get(row.ready_bytes);
  from.get(row.peak_bytes).get(row.after_bytes);
  return {};
}

const char* const kPutGpuSample =
    "INSERT INTO gpu_sample (" GPU_SAMPLE_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const char* const kGetGpuSamples =
    "SELECT " GPU_SAMPLE_COLUMNS " FROM gpu_sample WHERE visit_id = ? ORDER BY at_ns, gpu";

void bind(sql::Statement& to, const GpuSampleRow& row, const Anchor& anchor) {
  to.add(row.visit_id).add(row.gpu).add(anchor.stored(row.at));
  to.add(row.memory_used_bytes).add(row.engine_memory_bytes);
  to.add(row.gpu_utilisation).add(row.memory_utilisation).add(row.power_watts);
  to.add(row.temperature_celsius).add(row.sm_clock_mhz).add(row.memory_clock_mhz);
  to.add(row.throttle_reasons);
}

Result<void> load(sql::Statement& from, GpuSampleRow& row, const Anchor& anchor) {
  from.get(row.visit_id).get(row.gpu);
  get(from, anchor, row.at);
  from.get(row.memory_used_bytes).get(row.engine_memory_bytes);
  from.get(row.gpu_utilisation).get(row.memory_utilisation).get(row.power_watts);
  from.get(row.temperature_celsius).get(row.sm_clock_mhz).get(row.memory_clock_mhz);
  from.get(row.throttle_reasons);
  return {};
}

const char* const kPutEngineSample =
    "INSERT INTO engine_sample (" ENGINE_SAMPLE_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?)";
const char* const kGetEngineSamples =
    "SELECT " ENGINE_SAMPLE_COLUMNS " FROM engine_sample WHERE step_id = ? ORDER BY at_ns, id";

void bind(sql::Statement& to, const EngineSampleRow& row, const Anchor& anchor) {
  to.add(row.visit_id).add(row.step_id).add(anchor.stored(row.at));
  to.add(row.moment).add(row.metric).add(row.series).add(row.value);
}

Result<void> load(sql::Statement& from, EngineSampleRow& row, const Anchor& anchor) {
  from.get(row.visit_id).get(row.step_id);
  get(from, anchor, row.at);
  from.get(row.moment).get(row.metric).get(row.series).get(row.value);
  return {};
}

const char* const kPutAgreement =
    "INSERT OR REPLACE INTO agreement (" AGREEMENT_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
const char* const kGetAgreement =
    "SELECT " AGREEMENT_COLUMNS " FROM agreement ORDER BY visit_id, prompt, repeat";

void bind(sql::Statement& to, const AgreementRow& row, const Anchor& /*anchor*/) {
  to.add(row.visit_id).add(row.prompt).add(row.repeat).add(name_of(row.ending));
  to.add(row.detail).add(row.text).add(row.prompt_tokens).add(row.output_tokens);
}

Result<void> load(sql::Statement& from, AgreementRow& row, const Anchor& /*anchor*/) {
  from.get(row.visit_id).get(row.prompt).get(row.repeat);
  if (auto known = get_word(from, ending_from, "ending", row.ending); !known) return known;
  from.get(row.detail).get(row.text).get(row.prompt_tokens).get(row.output_tokens);
  return {};
}

}  // namespace evenbench::record
