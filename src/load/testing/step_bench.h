// One step in virtual time, and the usual steps and answers of its tests.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "load/testing/fake_transport.h"

namespace evenbench::load::testing {

// One step in virtual time with one worker.
struct Bench {
  explicit Bench(StepSpec spec, FakeTransport::Script script, workload::WorkloadSpec words = {})
      : load(std::move(words), 42), transport(clock, std::move(script)) {
    plan = plan_step(spec, load, 42, 1, 0).value();
    job.plan = &plan;
    job.step_id = 9;
    job.workload = &load;
    job.serialise = [this](std::uint32_t, const workload::Item& item) {
      return load.prompt(item) + padding;
    };
    job.lead = Nanos{0};
  }
  StepResult run() {
    const WorkerPort port{&transport, &sink};
    job.workers = {&port, 1};
    return run_step(job, clock, control);
  }
  // The same by several workers, each in a time of its own; what they sent and recorded is joined.
  void run_by(std::size_t workers, const FakeTransport::Script& script) {
    std::vector<std::unique_ptr<FakeClock>> clocks;
    std::vector<std::unique_ptr<FakeTransport>> transports;
    std::vector<Rows> sinks(workers);
    std::vector<WorkerPort> ports;
    for (Rows& own : sinks) {
      clocks.push_back(std::make_unique<FakeClock>());
      transports.push_back(std::make_unique<FakeTransport>(*clocks.back(), script));
      ports.push_back({transports.back().get(), &own});
    }
    job.workers = ports;
    run_step(job, *clocks.front(), control);
    for (const Rows& own : sinks) std::ranges::copy(own.rows, std::back_inserter(sink.rows));
    for (const auto& own : transports) {
      std::ranges::copy(own->requests, std::back_inserter(transport.requests));
    }
  }
  [[nodiscard]] std::vector<record::RequestRow> cohort() const {
    std::vector<record::RequestRow> out;
    for (const auto& row : sink.rows) {
      if (row.phase == Phase::kMeasure) out.push_back(row);
    }
    std::ranges::sort(out, {}, &record::RequestRow::index);
    return out;
  }

  workload::Workload load;
  StepPlan plan;
  FakeClock clock;
  FakeTransport transport;
  Rows sink;
  StepJob job;
  StepControl control;
  std::string padding;
};

inline StepSpec constant(double rate, std::uint32_t requests) {
  StepSpec spec;
  spec.rate = Rate::per_second(rate);
  spec.arrivals.law = arrivals::Law::kConstant;
  spec.requests = requests;
  spec.cooldown_limit = std::chrono::seconds{60};
  return spec;
}

inline StepSpec users(std::uint32_t concurrency) {
  StepSpec spec;
  spec.kind = StepKind::kClosed;
  spec.concurrency = concurrency;
  return spec;
}

inline FakeTransport::Script every(Nanos duration) {
  return [=](std::size_t, MonoTime) { return Fate{.tokens = {duration}, .end = duration}; };
}

}  // namespace evenbench::load::testing
