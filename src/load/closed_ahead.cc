#include "load/closed_ahead.h"

#include <algorithm>
#include <utility>

namespace evenbench::load {
namespace {

// A burst is at most of all users, and memory is not theirs alone.
constexpr std::uint32_t kMostRequests = 16'384;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

}  // namespace

ClosedAhead::Made ClosedAhead::make(const Place& place) const {
  const std::string stream = state_.plan.item_stream + std::string(name_of(place.phase));
  Made out;
  out.item = state_.job.workload->item(stream, place.number);
  out.bytes = state_.job.serialise(place.index, out.item);
  return out;
}

ClosedAhead::Made ClosedAhead::take(const Place& place) {
  while (!stored_.empty() && stored_.front().place.index < place.index) {
    bytes_ -= stored_.front().made.bytes.size();
    stored_.pop_front();
  }
  if (stored_.empty() || stored_.front().place.index > place.index) return make(place);
  if (stored_.front().place != place) {  // and so are all that follow from it
    stored_.clear();
    bytes_ = 0;
    return make(place);
  }
  Made out = std::move(stored_.front().made);
  bytes_ -= out.bytes.size();
  stored_.pop_front();
  return out;
}

ClosedAhead::Place ClosedAhead::next(bool warming_up) const {
  const auto& counted = state_.plan.spec.warmup.count;
  Place out;
  if (stored_.empty()) {
    out.index = state_.next_index.load();
    const std::uint32_t warm = state_.warmup_taken.load();
    const bool first_phase = counted ? warm < *counted : warming_up;
    out.phase = first_phase ? Phase::kWarmup : Phase::kMeasure;
    out.number = first_phase ? warm : state_.measured_taken.load();
    return out;
  }
  out = stored_.back().place;
  ++out.index;
  ++out.number;
  if (counted && out.phase == Phase::kWarmup && out.number >= *counted) {
    out.phase = Phase::kMeasure;
    out.number = 0;
  }
  return out;
}

bool ClosedAhead::make_one(bool warming_up) {
  const StepSpec& spec = state_.plan.spec;
  if (stored_.size() >= std::min(spec.concurrency, kMostRequests) || bytes_ >= kMostBytes) {
    return false;
  }
  const Place place = next(warming_up);
  if (place.phase == Phase::kMeasure && spec.requests && place.number >= *spec.requests) {
    return false;
  }
  stored_.push_back({place, make(place)});
  bytes_ += stored_.back().made.bytes.size();
  return true;
}

}  // namespace evenbench::load
