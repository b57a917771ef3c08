// The `workload` and `request` parts of a spec: what is sent.
#include <fmt/format.h>

#include "cli/spec_yaml.h"
#include "cli/units.h"

namespace evenbench::cli {
namespace {

constexpr std::int64_t kMaxTokens = 10'000'000;

void read_uniform(Fields& fields, workload::LengthSpec& out) {
  const auto ends = fields.texts("uniform");
  const auto low = ends.size() == 2 ? parse_number(ends[0]) : std::nullopt;
  const auto high = ends.size() == 2 ? parse_number(ends[1]) : std::nullopt;
  if (!low || !high || *low < 1 || *high < *low) {
    fields.complain(
        fields.node("uniform"),
        fmt::format("{} must be [low, high] with 1 <= low <= high", fields.name("uniform")));
    return;
  }
  out.law = workload::LengthSpec::Law::kUniform;
  out.low = *low;
  out.high = *high;
}

void read_lognormal(Fields& fields, workload::LengthSpec& out) {
  Fields law(fields.node("lognormal"), fields.name("lognormal"), {"median", "sigma", "min", "max"},
             fields.complaints());
  out.law = workload::LengthSpec::Law::kLognormal;
  out.median = law.number("median", 1, 1e7).value_or(0);
  out.sigma = law.number("sigma", 0, 10).value_or(0);
  if (!law.has("median") || !law.has("sigma"))
    law.complain_here("lognormal needs median and sigma");
  out.min = static_cast<std::uint32_t>(law.whole("min", 1, kMaxTokens).value_or(1));
  out.max = static_cast<std::uint32_t>(law.whole("max", 1, kMaxTokens).value_or(kMaxTokens));
  if (out.min > out.max)
    law.complain_here(fmt::format("{} is above {}", law.name("min"), law.name("max")));
}

// `least`: 0 where "not asked for" is a length too.
workload::LengthSpec read_length(Fields& lengths, const std::string& key, std::int64_t least) {
  workload::LengthSpec out;
  const YAML::Node node = lengths.node(key);
  if (!node.IsDefined()) return out;
  if (node.IsScalar()) {
    out.fixed = static_cast<double>(lengths.whole(key, least, kMaxTokens).value_or(1));
    return out;
  }
  Fields law(node, lengths.name(key), {"fixed", "uniform", "lognormal"}, lengths.complaints());
  const int given = int{law.has("fixed")} + int{law.has("uniform")} + int{law.has("lognormal")};
  if (node.IsMap() && given != 1) {
    law.complain_here(fmt::format("{} must be a number or exactly one of fixed, uniform, lognormal",
                                  lengths.name(key)));
    return out;
  }
  if (law.has("uniform")) {
    read_uniform(law, out);
  } else if (law.has("lognormal")) {
    read_lognormal(law, out);
  } else {
    out.fixed = static_cast<double>(law.whole("fixed", least, kMaxTokens).value_or(1));
  }
  return out;
}

}  // namespace

void read_workload(Fields& top, Spec& spec) {
  workload::WorkloadSpec& out = spec.workload;
  out.input.fixed = 256;
  out.output.fixed = 64;
  if (!top.has("workload")) return;
  Fields fields(top.node("workload"), "workload", {"lengths", "unique_prompts", "prompts"},
                top.complaints());
  if (fields.has("lengths")) {
    Fields lengths(fields.node("lengths"), "workload.lengths", {"input", "output"},
                   top.complaints());
    if (lengths.has("input")) out.input = read_length(lengths, "input", 1);
    if (lengths.has("output")) out.output = read_length(lengths, "output", 0);
  }
  if (const auto unique = fields.boolean("unique_prompts")) out.unique_prompts = *unique;
  if (fields.has("prompts")) {
    Fields prompts(fields.node("prompts"), "workload.prompts", {"file"}, top.complaints());
    if (const auto file = prompts.text("file")) {
      spec.prompts_file = *file;
    } else {
      prompts.complain_here("workload.prompts needs a file");
    }
  }
}

void read_request(Fields& top, Spec& spec) {
  if (!top.has("request")) return;
  RequestSpec& out = spec.request;
  Fields fields(top.node("request"), "request",
                {"api", "stream", "temperature", "top_p", "seed", "ignore_eos", "min_tokens",
                 "continuous_usage", "output_field", "allow_dropping", "headers"},
                top.complaints());
  if (const auto api = fields.one_of("api", {"chat", "completions"})) {
    out.api = *api == "chat" ? wire::Api::kChat : wire::Api::kCompletions;
  }
  if (const auto on = fields.boolean("stream")) out.stream = *on;
  out.temperature = fields.number("temperature", 0, 100);
  out.top_p = fields.number("top_p", 0, 1);
  out.seed = fields.whole("seed", INT64_MIN >> 11, INT64_MAX >> 11);
  if (const auto on = fields.boolean("ignore_eos")) out.ignore_eos = *on;
  if (const auto on = fields.boolean("min_tokens")) out.min_tokens = *on;
  if (const auto on = fields.boolean("continuous_usage")) out.continuous_usage = *on;
  if (const auto name = fields.one_of("output_field", {"max_tokens", "max_completion_tokens"})) {
    out.output_field = *name;
  }
  out.droppable = fields.texts("allow_dropping");
  fields.text_map("headers", [&](std::string name, std::string value) {
    if (const auto bad = wire::header_trouble(name, value)) {
      fields.complain(fields.node("headers"), "request.headers: " + *bad);
      return;
    }
    out.headers.emplace_back(std::move(name), std::move(value));
  });
}

}  // namespace evenbench::cli
