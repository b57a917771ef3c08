#include "engine/metrics_watch.h"

namespace evenbench::engine {
namespace {

constexpr Nanos kLookAgain = std::chrono::milliseconds{100};

}  // namespace

MetricsWatch::MetricsWatch(Options options)
    : options_(std::move(options)), scrape_(*options_.source) {}

MetricsWatch::~MetricsWatch() {
  if (thread_.joinable()) end_step();
}

void MetricsWatch::begin_step(std::int64_t step_id) {
  step_id_ = step_id;
  stop_ = false;
  look_settled("before");
  if (scrape_.route() == nullptr) return;
  thread_ = std::thread(  // lint-ok(thread): looks beside the load
      [this] { watch(); });
}

void MetricsWatch::end_step() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
  look_settled("after");
}

std::vector<Reading> MetricsWatch::look() {
  const std::string* route = scrape_.route();
  if (route == nullptr) return {};
  const auto answer =
      net::fetch(options_.endpoint, "GET", options_.endpoint.root_path(*route), options_.headers,
                 "", {options_.tls, options_.timeout}, *options_.clock);
  return scrape_.on_answer(answer);
}

void MetricsWatch::look_settled(const char* moment) {
  const MonoTime until = options_.clock->now() + options_.settle;
  while (scrape_.route() != nullptr) {
    const std::string route = *scrape_.route();
    const std::vector<Reading> readings = look();
    if (scrape_.route() == nullptr) return;
    if (route != *scrape_.route()) continue;  // that one was not it
    if (is_idle(readings) || options_.clock->now() >= until) return put(readings, moment);
    std::this_thread::sleep_for(kLookAgain);  // lint-ok(real-time): the engine is busy yet
  }
}

void MetricsWatch::put(const std::vector<Reading>& readings, const char* moment) {
  const MonoTime at = options_.clock->now();
  for (const Reading& reading : readings) {
    options_.writer->put(record::EngineSampleRow{options_.visit_id, step_id_, at, moment,
                                                 std::string(name_of(reading.metric)),
                                                 reading.series, reading.value});
  }
}

void MetricsWatch::watch() {
  MonoTime next = options_.clock->now() + options_.every;
  while (pause_until(next)) {
    put(look(), "during");
    // A look that took long is not made up for.
    while (next <= options_.clock->now()) next += options_.every;
  }
}

bool MetricsWatch::pause_until(MonoTime until) {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    const Nanos left = until - options_.clock->now();
    if (left <= Nanos{0}) return true;
    wake_.wait_for(lock, left);
  }
  return false;
}

}  // namespace evenbench::engine
