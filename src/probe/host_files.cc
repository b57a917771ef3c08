#include "probe/host_files.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace evenbench::probe {
namespace {

namespace fs = std::filesystem;

// All of a small file; nullopt when it cannot be read.
std::optional<std::string> contents(const fs::path& file) {
  std::ifstream in(file);
  if (!in) return std::nullopt;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin));
}

// The value of the first line "name<blanks><separator>value".
std::string line_value(const std::string& text, std::string_view name, char separator) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(separator);
    if (at != std::string::npos && trimmed(line.substr(0, at)) == name)
      return trimmed(line.substr(at + 1));
  }
  return "";
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

class Facts {
 public:
  explicit Facts(fs::path root) : root_(std::move(root)) {}

  void add(const std::string& key, const std::string& value, const std::string& source) {
    if (!value.empty()) all.push_back({key, value, source});
  }
  [[nodiscard]] std::optional<std::string> read(const std::string& path) const {
    return contents(root_ / path.substr(1));
  }
  void add_file(const std::string& key, const std::string& path) {
    if (const auto text = read(path)) add(key, trimmed(*text), path);
  }
  void add_line(const std::string& key, const std::string& path, std::string_view name,
                char separator) {
    if (const auto text = read(path)) add(key, line_value(*text, name, separator), path);
  }

  std::vector<HostFact> all;

 private:
  fs::path root_;
};

void add_os(Facts& facts) {
  for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const auto text = facts.read(path);
    if (!text) continue;
    std::string name = line_value(*text, "PRETTY_NAME", '=');
    if (name.size() >= 2 && name.front() == '"') name = name.substr(1, name.size() - 2);
    return facts.add("os", name, path);
  }
}

void add_memory(Facts& facts) {
  const auto text = facts.read("/proc/meminfo");
  const auto kib = text ? number(line_value(*text, "MemTotal", ':')) : std::nullopt;
  if (kib) facts.add("memory", fmt::format("{:.1f} GiB", *kib / 1048576.0), "/proc/meminfo");
}

// The tightest "quota period" of cpu.max from this process's group up to the root (cgroup v2), in
// cores.
void add_cpu_limit(Facts& facts) {
  const auto groups = facts.read("/proc/self/cgroup");
  const auto at = groups ? groups->rfind("0::/") : std::string::npos;
  if (at == std::string::npos) return;
  fs::path group = groups->substr(at + 3, groups->find('\n', at) - at - 3);
  std::optional<double> tightest;
  std::string source;
  for (;; group = group.parent_path()) {
    const std::string path = ("/sys/fs/cgroup" / group.relative_path() / "cpu.max").string();
    if (const auto text = facts.read(path)) {
      const auto quota = number(*text);
      const auto period =
          number(std::string_view(*text).substr(std::min(text->find(' ') + 1, text->size())));
      if (quota && period && *period > 0 && (!tightest || *quota / *period < *tightest)) {
        tightest = *quota / *period;
        source = path;
      }
    }
    if (group == group.parent_path()) break;
  }
  if (tightest) facts.add("cpu_limit", fmt::format("{:g} cores", *tightest), source);
}

// cgroup v1, as older hosts have it.
void add_old_cpu_limit(Facts& facts) {
  const auto quota = facts.read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  const auto period = facts.read("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  const auto q = quota ? number(*quota) : std::nullopt;
  const auto p = period ? number(*period) : std::nullopt;
  if (q && p && *q > 0 && *p > 0)
    facts.add("cpu_limit", fmt::format("{:g} cores", *q / *p), "/sys/fs/cgroup/cpu");
}

}  // namespace

std::vector<HostFact> facts_below(const fs::path& root) {
  Facts facts(root);
  facts.add_line("cpu_model", "/proc/cpuinfo", "model name", ':');
  add_memory(facts);
  facts.add_file("kernel", "/proc/sys/kernel/osrelease");
  add_os(facts);
  facts.add_file("clock_source",
                 "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  facts.add_file("cpu_governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  facts.add_file("cpus_online", "/sys/devices/system/cpu/online");
  facts.add_line("cpus_allowed", "/proc/self/status", "Cpus_allowed_list", ':');
  add_cpu_limit(facts);
  add_old_cpu_limit(facts);
  return facts.all;
}

}  // namespace evenbench::probe
