// A client that is disturbed on purpose must say so: the whole way from the worker's loop over the
// run file to the label of the step.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "client.h"
#include "judge/judge.h"
#include "load/step.h"
#include "record/reader.h"
#include "record/writer.h"
#include "truth_process.h"

namespace evenbench::loopback {
namespace {

// A worker whose loop is held up: every 100 ms it spins for `spin`.
class HeldUp final : public wire::Transport {
 public:
  HeldUp(wire::Transport& inner, Nanos spin, const Clock& clock)
      : inner_(inner), spin_(spin), clock_(clock), next_(clock.now()) {}
  void send(wire::Tag tag, std::string_view request) override { inner_.send(tag, request); }
  void cut(wire::Tag tag) override { inner_.cut(tag); }
  MonoTime run_until(wire::Until until, wire::TransportListener& listener) override {
    const MonoTime begin = clock_.now();
    if (begin >= next_) {
      while (clock_.now() < begin + spin_) {
      }
      next_ = begin + milliseconds{100};
    }
    return inner_.run_until(until, listener);
  }
  TransportHealth take_health() override { return inner_.take_health(); }

 private:
  wire::Transport& inner_;
  Nanos spin_;
  const Clock& clock_;
  MonoTime next_;
};

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "evenbench-XXXXXX").string();
    EVENBENCH_CHECK(::mkdtemp(name.data()) != nullptr, "no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::filesystem::path file() const { return path_ / "run.sqlite"; }

 private:
  std::filesystem::path path_;
};

load::StepSpec five_hundred_a_second() {
  load::StepSpec spec;
  spec.rate = Rate::per_second(500);
  spec.arrivals.law = arrivals::Law::kConstant;
  spec.requests = 1500;
  spec.cooldown_limit = seconds{20};
  return spec;
}

// One step of 500 requests/s over a worker that spins for `spin` every 100 ms, judged.
judge::JudgedStep judged_step(Nanos spin) {
  const TruthServer server({"--ttft", "5", "--interval", "5", "--tokens", "10"});
  const SystemClock clock;
  const auto options = options_for(server.url());
  const auto transport = net::make_http_transport(options, clock).value();
  HeldUp held_up(*transport, spin, clock);
  workload::Workload words(workload::WorkloadSpec{}, 42);
  const auto plan = load::plan_step(five_hundred_a_second(), words, 42, 1, 0).value();

  const Folder folder;
  record::RunRow run;
  run.anchor = clock.now();
  run.stamp = StampChoice::kUser;
  auto writer = record::Writer::create(folder.file(), run, 1).value();
  writer->put(record::SystemRow{.id = 1, .name = "truth", .engine = "openai", .url = ""});
  record::VisitRow visit;
  visit.id = visit.system_id = 1;
  writer->put(visit);
  record::StepRow step;
  step.id = step.visit_id = step.ordinal = 1;
  step.kind = "ladder";
  step.planned_rate = 500;
  step.planned = plan.cohort;
  writer->put(step);

  load::StepControl control;
  load::StepJob job;
  const load::WorkerPort port{&held_up, &writer->lane(0)};
  job.plan = &plan;
  job.step_id = 1;
  job.workers = {&port, 1};
  job.serialise = [&](std::uint32_t, const workload::Item&) {
    return wire::http_request("POST", options.endpoint, "/v1/chat/completions", {},
                              "{\"stream\":true}");
  };
  const load::StepResult result = load::run_step(job, clock, control);
  step.begin = result.begin;
  step.window_begin = result.window_begin;
  step.window_end = result.window_end;
  step.end = result.end;
  step.finished = result.finished;
  writer->put(step);
  for (const auto& health : result.health) writer->put(health);
  EXPECT_TRUE(writer->finish(true, ""));
  const auto reader = record::Reader::open(folder.file()).value();
  return judge::judge(*reader).value().systems.at(0).steps.at(0);
}

TEST(Perturbation, ASpinOfFiveMillisecondsInTheWorkerRaisesTheAlarmsOfLatenessAndDelay) {
  const judge::JudgedStep step = judged_step(milliseconds{5});
  EXPECT_NE(step.label, judge::Label::kSteady);
  EXPECT_GT(step.lateness.p99.value_or(0), 1.0);
  const std::string all = testing::PrintToString(step.reasons);
  EXPECT_THAT(all, testing::HasSubstr("sent late"));
  EXPECT_THAT(all, testing::HasSubstr("after the kernel had it"));
}

}  // namespace
}  // namespace evenbench::loopback
