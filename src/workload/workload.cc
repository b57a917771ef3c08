#include "workload/workload.h"

#include <algorithm>
#include <numeric>

#include "workload/prompt_text.h"

namespace evenbench::workload {
namespace {

// Row of the data set for position `index`: seeded permutations one after the other, so that every
// pass covers each row once.
std::uint64_t row_at(std::uint64_t seed, std::string_view stream, std::uint64_t index,
                     std::size_t rows) {
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  Rng rng(seed, stream, index / rows);
  for (std::size_t i = rows - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
  return order[index % rows];
}

}  // namespace

Workload::Workload(WorkloadSpec spec, std::uint64_t seed) : spec_(std::move(spec)), seed_(seed) {}

Item Workload::item(std::string_view stream, std::uint64_t index) const {
  Item out;
  Rng lengths(seed_, std::string("lengths/").append(stream), index);
  out.output_tokens = draw_length(spec_.output, lengths);
  if (!spec_.prompts.empty()) {
    out.prompt_id = row_at(seed_, std::string("rows/").append(stream), index, spec_.prompts.size());
    return out;
  }
  out.input_tokens = draw_length(spec_.input, lengths);
  out.prompt_id = spec_.unique_prompts
                      ? Rng(seed_, std::string("prompts/").append(stream), index).bits()
                      : Rng(seed_, "prompts").bits();
  return out;
}

std::string Workload::prompt(const Item& item, const TokenCounter& counter) const {
  if (!spec_.prompts.empty()) return spec_.prompts[item.prompt_id % spec_.prompts.size()];
  if (counter) return counted_prompt(english(), item.prompt_id, item.input_tokens, counter);
  return estimated_prompt(english(), item.prompt_id, item.input_tokens);
}

}  // namespace evenbench::workload
