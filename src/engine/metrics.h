// What an engine's metrics page says, under the names that hold for all engines. The names that the
// engines use are data of their adapters. Pure; knows no route, no clock and no run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/engine_metric.h"
#include "base/result.h"

namespace evenbench::engine {

// The series of one name: all of them, or those with one value of a label.
struct MetricTerm {
  std::string name;  // behind the prefix; "_total" of a counter may be left out
  std::string label = {}, value = {};
};

// One way in which an engine shows a metric: these, added up.
struct MetricSource {
  EngineMetric metric;
  std::vector<MetricTerm> terms;
};

// A field of one iteration of TensorRT-LLM's statistics, as a JSON pointer.
struct StatsField {
  EngineMetric metric;
  std::string pointer;
  std::string over;  // what it is divided by; "" = nothing
};

// How an engine calls its metrics. Of several sources of one metric the first counts of which every
// term is there.
struct MetricTable {
  std::vector<std::string> prefixes;  // "" among them: names without one are meant too
  std::vector<MetricSource> sources;
  std::vector<StatsField> stats;
};

// Where an engine shows them and how it calls them.
struct MetricsSource {
  std::vector<std::string> routes;  // the first that answers is kept; empty: it shows none
  std::vector<MetricTable> tables;  // the first that knows anything on a page
  std::string how_to;               // what makes the engine show them where it does not by itself
};

struct Reading {
  EngineMetric metric;
  double value = 0;
  std::string series;  // what it was read from, as the engine calls it
  // The growth since the last look, which the engine has forgotten by now.
  bool is_growth = false;
};

// Either form: exposition text, or TensorRT-LLM's list of iterations. Of several engines or
// processes behind one page the series are added up; of shares the highest counts. What is no
// number is left out. Error: environment, the page cannot be read.
Result<std::vector<Reading>> read_metrics(std::string_view page,
                                          const std::vector<MetricTable>& tables);

}  // namespace evenbench::engine
