#include "probe/nvidia_smi.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <map>

namespace evenbench::probe {
namespace nvidia_smi {

const std::vector<std::string> kDeviceFields{"index",
                                             "uuid",
                                             "name",
                                             "memory.total",
                                             "driver_version",
                                             "memory.reserved",
                                             "power.limit",
                                             "clocks.max.sm",
                                             "clocks.max.memory",
                                             "compute_cap",
                                             "ecc.mode.current",
                                             "ecc.errors.uncorrected.volatile.total",
                                             "mig.mode.current",
                                             "persistence_mode"};
const std::vector<std::string> kSampleFields{
    "index",           "memory.used", "utilization.gpu", "utilization.memory",         "power.draw",
    "temperature.gpu", "clocks.sm",   "clocks.mem",      "clocks_event_reasons.active"};

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr const char* kSourceName = "nvidia-smi";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool available(std::string_view text) {
  return !text.empty() && text.front() != '[' && text != "N/A" && text != "Not Supported";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (const auto line = trimmed(text.substr(0, end)); !line.empty()) out.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// One row by the names of its fields.
class Row {
 public:
  Row(std::string_view line, const std::vector<std::string>& names) {
    const auto values = fields_of(line);
    if (values.size() != names.size()) return;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!values[i].empty()) values_.emplace(names[i], values[i]);
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
  }
  [[nodiscard]] std::optional<double> real(const std::string& name) const {
    return number<double>(text(name));
  }
  [[nodiscard]] std::optional<double> share(const std::string& name) const {
    const auto percent = real(name);
    return percent ? std::optional(*percent / 100) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint64_t> bytes(const std::string& name) const {
    const auto mebibytes = number<std::uint64_t>(text(name));
    return mebibytes ? std::optional(*mebibytes * kMiB) : std::nullopt;
  }
  [[nodiscard]] std::optional<int> index() const { return number<int>(text("index")); }

 private:
  std::map<std::string, std::string> values_;
};

// The same words as NVML's facts have.
std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::vector<HostFact> facts_of(const Row& row) {
  std::vector<HostFact> facts;
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) facts.push_back({key, value, kSourceName});
  };
  add("driver", row.text("driver_version"));
  add("compute_capability", row.text("compute_cap"));
  if (const auto watts = row.real("power.limit"))
    add("power_limit_watts", fmt::format("{:g}", *watts));
  const std::string sm = row.text("clocks.max.sm");
  const std::string memory = row.text("clocks.max.memory");
  if (!sm.empty() && !memory.empty())
    add("clocks", fmt::format("SM up to {} MHz, memory up to {} MHz", sm, memory));
  add("ecc", lower(row.text("ecc.mode.current")));
  add("ecc_uncorrected", row.text("ecc.errors.uncorrected.volatile.total"));
  add("mig", lower(row.text("mig.mode.current")));
  add("persistence", lower(row.text("persistence_mode")));
  if (const auto reserved = row.bytes("memory.reserved")) {
    add("reserved_bytes", fmt::format("{}", *reserved));
    add("memory_counted", "used without the driver's reserve");
  }
  return facts;
}

// "0x0000000000000004"
std::optional<std::uint64_t> bits(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> command_for(const std::string& what,
                                     const std::vector<std::string>& fields) {
  return {"nvidia-smi", fmt::format("--query-{}={}", what, fmt::join(fields, ",")),
          "--format=csv,noheader,nounits"};
}

// `fields` as programs of other ages know them, the best first.
std::vector<std::vector<std::string>> ages_of(const std::vector<std::string>& fields,
                                              std::size_t oldest) {
  std::vector<std::string> renamed = fields;
  for (std::string& field : renamed)
    if (field == "clocks_event_reasons.active") field = "clocks_throttle_reasons.active";
  const std::vector<std::string> old(fields.begin(),
                                     fields.begin() + static_cast<std::ptrdiff_t>(oldest));
  if (renamed == fields) return {fields, old};
  return {fields, renamed, old};
}

class SmiSource final : public GpuSource {
 public:
  SmiSource(RunProgram run, std::string why, std::vector<GpuDevice> devices)
      : run_(std::move(run)), why_(std::move(why)), devices_(std::move(devices)) {}
  [[nodiscard]] std::string name() const override { return kSourceName; }
  [[nodiscard]] std::string why() const override { return why_; }
  [[nodiscard]] Nanos finest() const override { return std::chrono::seconds{1}; }
  [[nodiscard]] const std::vector<GpuDevice>& devices() const override { return devices_; }
  std::vector<GpuSample> sample() override;
  std::vector<GpuHolder> holders() override;

 private:
  std::vector<GpuSample> ask();

  RunProgram run_;
  std::string why_;
  std::vector<GpuDevice> devices_;
  std::vector<std::vector<std::string>> ages_ = ages_of(kSampleFields, 6);
  bool age_known_ = false;
};

std::vector<GpuSample> SmiSource::ask() {
  while (!ages_.empty()) {
    const auto output = run_(command_for("gpu", ages_.front()));
    if (output) {
      age_known_ = true;
      return parse_samples(*output, ages_.front());
    }
    if (age_known_) break;  // these fields are known: something else is wrong, for now
    ages_.erase(ages_.begin());
  }
  return {};
}

std::vector<GpuSample> SmiSource::sample() {
  const std::vector<GpuSample> all = ask();
  std::vector<GpuSample> out;
  for (const GpuDevice& device : devices_) {
    GpuSample own;
    own.gpu = device.index;
    for (const GpuSample& sample : all)
      if (sample.gpu == device.index) own = sample;
    out.push_back(own);
  }
  return out;
}

std::vector<GpuHolder> SmiSource::holders() {
  const auto output =
      run_(command_for("compute-apps", {"gpu_uuid", "pid", "used_memory", "process_name"}));
  return output ? parse_holders(*output, devices_) : std::vector<GpuHolder>{};
}

}  // namespace

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> out;
  while (true) {
    const auto comma = line.find(',');
    const auto field = trimmed(line.substr(0, comma));
    out.emplace_back(available(field) ? field : std::string_view());
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

std::vector<GpuDevice> parse_devices(std::string_view output,
                                     const std::vector<std::string>& fields) {
  std::vector<GpuDevice> out;
  for (const auto line : lines_of(output)) {
    const Row row(line, fields);
    if (const auto index = row.index()) {
      out.push_back(
          {*index, row.text("uuid"), row.text("name"), row.bytes("memory.total"), facts_of(row)});
    }
  }
  return out;
}

std::vector<GpuSample> parse_samples(std::string_view output,
                                     const std::vector<std::string>& fields) {
  std::vector<GpuSample> out;
  for (const auto line : lines_of(output)) {
    const Row row(line, fields);
    if (!row.index()) continue;
    GpuSample sample;
    sample.gpu = *row.index();
    sample.used_bytes = row.bytes("memory.used");
    sample.utilisation = row.share("utilization.gpu");
    sample.memory_utilisation = row.share("utilization.memory");
    sample.power_watts = row.real("power.draw");
    sample.temperature_celsius = row.real("temperature.gpu");
    sample.sm_clock_mhz = row.real("clocks.sm");
    sample.memory_clock_mhz = row.real("clocks.mem");
    sample.throttle_reasons = bits(row.text("clocks_event_reasons.active"));
    if (!sample.throttle_reasons)
      sample.throttle_reasons = bits(row.text("clocks_throttle_reasons.active"));
    out.push_back(sample);
  }
  return out;
}

std::vector<GpuHolder> parse_holders(std::string_view output,
                                     const std::vector<GpuDevice>& devices) {
  constexpr std::size_t kName = 3;
  std::vector<GpuHolder> out;
  for (const auto line : lines_of(output)) {
    const auto fields = fields_of(line);
    if (fields.size() <= kName) continue;
    const auto pid = number<int>(fields[1]);
    if (!pid) continue;
    GpuHolder holder{0, *pid, std::nullopt, fields[kName]};
    for (std::size_t i = kName + 1; i < fields.size(); ++i) holder.command += ", " + fields[i];
    if (const auto mebibytes = number<std::uint64_t>(fields[2])) holder.bytes = *mebibytes * kMiB;
    for (const GpuDevice& device : devices) {
      if (device.uuid != fields[0]) continue;
      holder.gpu = device.index;
      out.push_back(holder);
    }
  }
  return out;
}

}  // namespace nvidia_smi

Result<std::unique_ptr<GpuSource>> open_nvidia_smi(const RunProgram& run,
                                                   const std::vector<int>& gpus,
                                                   const std::string& why) {
  constexpr std::size_t kOldest = 5;  // what every version knows
  std::string error = "nvidia-smi lists no GPU of those asked for";
  for (const auto& fields : nvidia_smi::ages_of(nvidia_smi::kDeviceFields, kOldest)) {
    const auto output = run(nvidia_smi::command_for("gpu", fields));
    if (!output) {
      error = output.error().message;
      continue;
    }
    std::vector<GpuDevice> devices;
    for (GpuDevice& device : nvidia_smi::parse_devices(*output, fields))
      if (chosen(gpus, device.index)) devices.push_back(std::move(device));
    if (devices.empty()) break;
    return std::unique_ptr<GpuSource>(
        std::make_unique<nvidia_smi::SmiSource>(run, why, std::move(devices)));
  }
  return environment_error(error);
}

}  // namespace evenbench::probe
