// Reads an engine's metrics before, during (once a second) and after each step of a visit and puts
// them into the run file. On a thread of its own with a time limit of its own: never in the path of
// a request.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "engine/adapter.h"
#include "engine/metrics_scrape.h"
#include "net/fetch.h"
#include "record/writer.h"

namespace evenbench::engine {

class MetricsWatch {
 public:
  struct Options {
    const MetricsSource* source = nullptr;
    wire::Endpoint endpoint;
    net::Tls tls;
    wire::Headers headers;  // Authorization among them: some guard their metrics too
    record::Writer* writer = nullptr;
    const Clock* clock = nullptr;
    std::int64_t visit_id = 0;
    Nanos every = std::chrono::seconds{1};
    Nanos timeout = std::chrono::seconds{4};  // TensorRT-LLM's list comes 2 s after its last entry
    Nanos settle = std::chrono::seconds{2};   // how long to wait for the engine to be idle
  };
  explicit MetricsWatch(Options options);
  ~MetricsWatch();
  MetricsWatch(const MetricsWatch&) = delete;
  MetricsWatch& operator=(const MetricsWatch&) = delete;

  // Reads once, when the engine is idle or has had its time, and goes on beside the step.
  void begin_step(std::int64_t step_id);
  // Ends that, and reads once more in the same way: what was cut is still counted by the engine.
  void end_step();
  // Why there is nothing to read; "" where there is.
  [[nodiscard]] std::string trouble() const { return scrape_.trouble(); }

 private:
  std::vector<Reading> look();
  void look_settled(const char* moment);
  void put(const std::vector<Reading>& readings, const char* moment);
  void watch();
  // false: it was told to stop.
  bool pause_until(MonoTime until);

  const Options options_;
  MetricsScrape scrape_;  // of the thread while that runs, else of the caller
  std::int64_t step_id_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace evenbench::engine
