#include "cli/request_shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/launch.h"

namespace evenbench::cli {

wire::RequestShape shape_of(const Spec& spec, const SystemSpec& system,
                            const engine::Adapter& adapter) {
  wire::RequestShape shape;
  shape.api = spec.request.api;
  const bool fixed = system.model_name.empty() && !adapter.request_model.empty();
  shape.model = fixed ? adapter.request_model : model_name_of(spec, system);
  shape.stream = spec.request.stream;
  shape.include_usage = spec.request.stream;
  shape.continuous_usage = spec.request.continuous_usage;
  shape.output_field = spec.request.output_field;
  shape.ignore_eos = spec.request.ignore_eos;
  shape.min_tokens = spec.request.min_tokens;
  shape.temperature = spec.request.temperature;
  shape.top_p = spec.request.top_p;
  shape.request_seed = spec.request.seed;
  return shape;
}

Result<std::string> print_fields(const Spec& spec) {
  std::string out;
  for (const SystemSpec& system : spec.systems) {
    const auto adapter = engine::adapter_named(system.engine);
    if (!adapter) return adapter.error();
    std::vector<std::string> fields = wire::optional_fields(shape_of(spec, system, **adapter));
    for (const std::string& text : engine::fields_without_effect(**adapter, fields)) {
      out += fmt::format("warning: {}: {}\n", system.name, text);
    }
    std::erase_if(fields, [&](const std::string& field) {
      const auto& may_go = spec.request.droppable;
      return std::find(may_go.begin(), may_go.end(), field) != may_go.end();
    });
    if (auto taken = engine::takes_fields(**adapter, fields); !taken) {
      return taken.error().in(system.name);
    }
  }
  return out;
}

}  // namespace evenbench::cli
