// The `load` part of a spec: ladder rungs and closed-loop levels become steps.
#include <fmt/format.h>

#include <cmath>

#include "cli/spec_yaml.h"
#include "cli/units.h"

namespace evenbench::cli {
namespace {

constexpr double kMaxRate = 1e6;

// { from: 1, to: 4, steps: 4, spacing: linear | geometric }
std::vector<double> read_spaced_rates(Fields& ladder) {
  Fields rates(ladder.node("rates"), "load.ladder.rates", {"from", "to", "steps", "spacing"},
               ladder.complaints());
  const auto from = rates.number("from", 1e-6, kMaxRate);
  const auto to = rates.number("to", 1e-6, kMaxRate);
  const auto steps = rates.whole("steps", 2, 1000);
  const auto spacing = rates.one_of("spacing", {"linear", "geometric"});
  if (!rates.has("from") || !rates.has("to") || !rates.has("steps")) {
    rates.complain_here("load.ladder.rates needs from, to and steps");
  }
  std::vector<double> out;
  if (!from || !to || !steps) return out;
  for (std::int64_t i = 0; i < *steps; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(*steps - 1);
    out.push_back(spacing == "geometric" ? *from * std::pow(*to / *from, share)
                                         : *from + (*to - *from) * share);
  }
  return out;
}

std::vector<double> read_rates(Fields& ladder) {
  const YAML::Node node = ladder.node("rates");
  if (!node.IsDefined()) {
    ladder.complain_here(
        "load.ladder needs rates: a list of requests per second, such as [1, 2, 4]");
    return {};
  }
  if (node.IsScalar()) {
    ladder.complain(node,
                    fmt::format("load.ladder.rates: {} is not available in this version; list "
                                "the rates, such as [1, 2, 4]",
                                node.Scalar()));
    return {};
  }
  if (node.IsMap()) return read_spaced_rates(ladder);
  std::vector<double> out;
  for (const std::string& text : ladder.texts("rates")) {
    const auto rate = parse_number(text);
    if (rate && *rate > 0 && *rate <= kMaxRate) {
      out.push_back(*rate);
    } else {
      ladder.complain(node,
                      fmt::format("load.ladder.rates must hold numbers above 0, not '{}'", text));
    }
  }
  if (out.empty()) ladder.complain(node, "load.ladder.rates is empty");
  return out;
}

load::Warmup read_warmup(Fields& fields) {
  load::Warmup out;
  const YAML::Node node = fields.node("warmup");
  if (!node.IsDefined()) return out;
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  if (const auto duration = parse_duration(text)) {
    out.duration = *duration;
  } else if (const auto share = parse_percent(text); share && *share >= 0 && *share <= 10) {
    out.share = *share;
  } else if (const auto count = parse_number(text);
             count && *count >= 0 && *count <= 1e9 && *count == std::floor(*count)) {
    out.count = static_cast<std::uint32_t>(*count);
  } else {
    fields.complain(node, fmt::format("{} must be a duration (30s), a share (10%) or a count of "
                                      "requests (100), not {}",
                                      fields.name("warmup"), kind_of(node)));
  }
  return out;
}

// measure and requests: at most one of the two; one minute when neither is there.
void read_extent(Fields& fields, load::StepSpec& step) {
  step.warmup = read_warmup(fields);
  step.measure = fields.duration("measure");
  if (step.measure && step.measure->count() <= 0) {
    fields.complain(fields.node("measure"),
                    fmt::format("{} must be above 0", fields.name("measure")));
  }
  if (const auto n = fields.whole("requests", 1, 100'000'000)) {
    step.requests = static_cast<std::uint32_t>(*n);
  }
  if (fields.has("measure") && fields.has("requests")) {
    fields.complain_here(fmt::format("{} and {} exclude each other", fields.name("measure"),
                                     fields.name("requests")));
  }
  if (!step.measure && !step.requests) step.measure = std::chrono::seconds{60};
}

void read_ladder(Fields& load, Spec& spec) {
  Fields ladder(load.node("ladder"), "load.ladder",
                {"rates", "arrivals", "warmup", "measure", "requests", "max_in_flight"},
                load.complaints());
  load::StepSpec step;
  step.kind = load::StepKind::kLadder;
  if (const auto text = ladder.text("arrivals")) {
    if (const auto process = arrivals::parse_process(*text)) {
      step.arrivals = *process;
    } else {
      ladder.complain(ladder.node("arrivals"), "load.ladder.arrivals: " + process.error().message);
    }
  }
  read_extent(ladder, step);
  step.max_in_flight =
      static_cast<std::uint32_t>(ladder.whole("max_in_flight", 1, 1'000'000).value_or(0));
  for (const double rate : read_rates(ladder)) {
    step.rate = Rate::per_second(rate);
    spec.steps.push_back(step);
  }
}

workload::DurationSpec read_think(Fields& closed) {
  workload::DurationSpec out;
  const YAML::Node node = closed.node("think");
  if (!node.IsDefined()) return out;
  if (node.IsScalar()) {
    out.fixed = closed.duration("think").value_or(Nanos{0});
    return out;
  }
  Fields think(node, "load.closed.think", {"fixed", "uniform", "exponential"}, closed.complaints());
  if (think.has("uniform")) {
    const auto ends = think.texts("uniform");
    const auto low = ends.size() == 2 ? parse_duration(ends[0]) : std::nullopt;
    const auto high = ends.size() == 2 ? parse_duration(ends[1]) : std::nullopt;
    if (!low || !high || *high < *low) {
      think.complain(think.node("uniform"),
                     "load.closed.think.uniform must be [low, high], such as "
                     "[100ms, 500ms]");
      return out;
    }
    out.law = workload::DurationSpec::Law::kUniform;
    out.low = *low;
    out.high = *high;
  } else if (think.has("exponential")) {
    out.law = workload::DurationSpec::Law::kExponential;
    out.fixed = think.duration("exponential").value_or(Nanos{0});
  } else {
    out.fixed = think.duration("fixed").value_or(Nanos{0});
  }
  return out;
}

double read_ramp(Fields& closed) {
  const auto text = closed.text("ramp");
  if (!text) return 0;
  const auto ramp = parse_per_time(*text);
  if (ramp && *ramp > 0) return *ramp;
  closed.complain(
      closed.node("ramp"),
      fmt::format("load.closed.ramp must be users per time, such as 8/s, not '{}'", *text));
  return 0;
}

void read_closed(Fields& load, Spec& spec) {
  Fields closed(load.node("closed"), "load.closed",
                {"concurrency", "ramp", "warmup", "measure", "requests", "think"},
                load.complaints());
  load::StepSpec step;
  step.kind = load::StepKind::kClosed;
  read_extent(closed, step);
  step.ramp = read_ramp(closed);
  step.think = read_think(closed);
  const YAML::Node levels = closed.node("concurrency");
  if (!levels.IsDefined()) {
    closed.complain_here("load.closed needs concurrency: a number of users or a list of them");
    return;
  }
  const auto texts =
      levels.IsScalar() ? std::vector<std::string>{levels.Scalar()} : closed.texts("concurrency");
  for (const std::string& text : texts) {
    const auto users = parse_number(text);
    if (users && *users >= 1 && *users <= 1e6 && *users == std::floor(*users)) {
      step.concurrency = static_cast<std::uint32_t>(*users);
      spec.steps.push_back(step);
    } else {
      closed.complain(levels, fmt::format("load.closed.concurrency must hold whole numbers from 1, "
                                          "not '{}'",
                                          text));
    }
  }
}

}  // namespace

void read_load(Fields& top, Spec& spec) {
  if (!top.has("load")) {
    top.complain_here("load is missing: say load: { ladder: { rates: [1, 2, 4] } }");
    return;
  }
  Fields load(top.node("load"), "load", {"ladder", "closed", "settle", "replay"}, top.complaints());
  if (load.has("replay")) {
    load.complain(load.node("replay"), "load.replay is not available in this version");
  }
  if (load.has("ladder")) read_ladder(load, spec);
  if (load.has("closed")) read_closed(load, spec);
  if (const auto d = load.duration("settle")) spec.settle = *d;
  if (!load.has("ladder") && !load.has("closed") && !load.has("replay")) {
    load.complain_here("load needs a ladder or a closed part");
  }
}

}  // namespace evenbench::cli
