#include "cli/spec_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/env_file.h"
#include "cli/units.h"
#include "workload/dataset.h"

namespace evenbench::cli {
namespace {

constexpr Nanos kFinestSampling = std::chrono::milliseconds{20};

void read_model(Fields& top, Spec& spec) {
  if (!top.has("model")) return;
  Fields model(top.node("model"), "model", {"path", "name", "dtype", "quantization"},
               top.complaints());
  spec.model.path = model.text("path").value_or("");
  spec.model.name = model.text("name").value_or("");
  spec.model.dtype = model.text("dtype").value_or("");
  spec.model.quantization = model.text("quantization").value_or("");
}

void read_hardware(Fields& top, Spec& spec) {
  if (!top.has("hardware")) return;
  Fields hardware(top.node("hardware"), "hardware", {"gpus", "sample_every"}, top.complaints());
  for (const std::string& gpu : hardware.texts("gpus")) {
    if (!gpu.empty() && gpu.find_first_not_of("0123456789") == std::string::npos &&
        gpu.size() < 4) {
      spec.gpus.push_back(std::stoi(gpu));
    } else {
      hardware.complain(
          hardware.node("gpus"),
          fmt::format("hardware.gpus must list GPU numbers such as 0, not '{}'", gpu));
    }
  }
  const auto every = hardware.duration("sample_every");
  if (!every) return;
  if (*every < kFinestSampling) {
    hardware.complain(hardware.node("sample_every"),
                      fmt::format("hardware.sample_every must be at least {}, or the driver is "
                                  "kept busy beside the load",
                                  print_duration(kFinestSampling)));
  }
  spec.sample_gpus_every = *every;
}

void read_credentials(Fields& top, Spec& spec) {
  if (!top.has("credentials")) return;
  Fields credentials(top.node("credentials"), "credentials",
                     {"key_env", "base_url_env", "env_file"}, top.complaints());
  if (const auto name = read_variable(credentials, "key_env")) spec.credentials.key_env = *name;
  if (const auto name = read_variable(credentials, "base_url_env")) {
    spec.credentials.base_url_env = *name;
  }
  spec.credentials.env_file = credentials.text("env_file").value_or("");
}

void read_connection(Fields& top, Spec& spec) {
  if (top.has("limits")) {
    Fields limits(top.node("limits"), "limits",
                  {"connect", "total", "idle", "first_token", "start", "stop", "release"},
                  top.complaints());
    if (const auto d = limits.duration("connect")) spec.limits.connect = *d;
    if (const auto d = limits.duration("total")) spec.limits.total = *d;
    if (const auto d = limits.duration("idle")) spec.limits.idle = *d;
    if (const auto d = limits.duration("first_token")) spec.limits.first_token = *d;
    if (const auto d = limits.duration("start")) spec.start_timeout = *d;
    if (const auto d = limits.duration("stop")) spec.stop_grace = *d;
    if (const auto d = limits.duration("release")) spec.release = *d;
  }
  if (top.has("tls")) {
    Fields tls(top.node("tls"), "tls", {"verify", "ca_file"}, top.complaints());
    if (const auto verify = tls.boolean("verify")) spec.tls.verify = *verify;
    spec.tls.ca_file = tls.text("ca_file").value_or("");
  }
  if (top.has("retries")) {
    Fields retries(top.node("retries"), "retries", {"max", "wait"}, top.complaints());
    if (const auto max = retries.whole("max", 0, 100)) {
      spec.retries.max = static_cast<std::uint32_t>(*max);
    }
    if (const auto wait = retries.duration("wait")) spec.retries.wait = *wait;
  }
}

void read_top(Fields& top, Spec& spec) {
  top.whole("evenbench", 1, 1);
  if (!top.has("evenbench")) {
    top.complain_here("the first key must be 'evenbench: 1', the version of the spec's language");
  }
  if (const auto title = top.text("title")) spec.title = *title;
  if (const auto blocks = top.whole("blocks", 1, 1000)) {
    spec.blocks = static_cast<std::uint32_t>(*blocks);
  }
  if (const auto seed = top.whole("seed", 0, INT64_C(1) << 53)) {
    spec.seed = static_cast<std::uint64_t>(*seed);
  }
  if (const auto probe = top.boolean("probe")) spec.probe = *probe;
  spec.agreement = top.boolean("agreement");
  if (const auto strict = top.boolean("strict")) spec.strict = *strict;
  if (const auto word = top.one_of("on_leak", {"taint", "stop"}))
    spec.on_leak = *word == "stop" ? OnLeak::kStop : OnLeak::kTaint;
  top.text_map("slo", [&](std::string name, std::string value) {
    spec.slo.emplace(std::move(name), std::move(value));
  });
}

std::string join(const std::string& file, Complaints complaints) {
  std::stable_sort(complaints.begin(), complaints.end(),
                   [](const Complaint& a, const Complaint& b) { return a.line < b.line; });
  std::string out;
  for (const Complaint& c : complaints) {
    if (!out.empty()) out += '\n';
    out += c.line > 0 ? fmt::format("{}:{}: {}", file, c.line, c.text)
                      : fmt::format("{}: {}", file, c.text);
  }
  return out;
}

Result<Spec> read(const YAML::Node& root, const std::string& file) {
  Complaints complaints;
  Spec spec;
  Fields top(root, "",
             {"evenbench", "title",   "model", "hardware", "on_leak",   "credentials", "systems",
              "workload",  "request", "load",  "limits",   "tls",       "retries",     "slo",
              "client",    "blocks",  "seed",  "probe",    "agreement", "strict"},
             complaints);
  if (root.IsMap()) {
    read_top(top, spec);
    read_model(top, spec);
    read_hardware(top, spec);
    read_credentials(top, spec);
    read_connection(top, spec);
    read_systems(top, spec);
    read_workload(top, spec);
    read_request(top, spec);
    read_load(top, spec);
    read_client(top, spec.client);
  }
  if (!complaints.empty()) return usage_error(join(file, std::move(complaints)));
  return spec;
}

}  // namespace

std::optional<std::string> read_variable(Fields& fields, const std::string& key) {
  const auto name = fields.text(key);
  if (!name || is_variable_name(*name)) return name;
  // What was written is not repeated: it may be the key itself.
  fields.complain(fields.node(key),
                  fmt::format("{} must be the name of an environment variable, never a key itself",
                              fields.name(key)));
  return std::nullopt;
}

Result<Spec> parse_spec(std::string_view yaml, const std::string& file) {
  try {
    return read(YAML::Load(std::string(yaml)), file);
  } catch (const YAML::Exception& e) {
    return usage_error(fmt::format("{}:{}: this is not YAML: {}", file, e.mark.line + 1, e.msg));
  }
}

Result<Spec> load_spec(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) {
    return usage_error(
        fmt::format("{}: cannot be read; give the path of a spec file, such as "
                    "examples/three-engines-sim.yaml",
                    file.string()));
  }
  std::stringstream text;
  text << in.rdbuf();
  auto spec = parse_spec(text.str(), file.string());
  if (spec && !spec->credentials.env_file.empty()) {
    const auto keys = file.parent_path() / spec->credentials.env_file;
    spec->credentials.env_file = std::filesystem::absolute(keys).lexically_normal().string();
  }
  if (!spec || spec->prompts_file.empty()) return spec;
  const auto path = file.parent_path() / spec->prompts_file;
  auto data = workload::load_dataset(path);
  if (!data) return data.error().in("workload.prompts.file");
  spec->workload.prompts = std::move(data->prompts);
  spec->prompts_skipped = std::move(data->skipped);
  spec->prompts_file = std::filesystem::absolute(path).lexically_normal().string();
  return spec;
}

}  // namespace evenbench::cli
