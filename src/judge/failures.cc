#include "judge/failures.h"

#include <algorithm>

namespace evenbench::judge {
namespace {

constexpr std::size_t kDetailsKept = 20;
// A step that fails with a million different messages must not hold them all.
constexpr std::size_t kDetailsHeld = 2000;
constexpr const char* kOtherDetails = "other details";

void take_earlier(std::optional<double>& first, const std::optional<double>& seen) {
  if (seen && (!first || *seen < *first)) first = seen;
}

void merge(FailureClass& into, const FailureClass& from) {
  into.ending = from.ending;
  into.count += from.count;
  take_earlier(into.first_seen_s, from.first_seen_s);
}

}  // namespace

bool is_refusal(const Exchanged& x) {
  if (x.ending == Ending::kTimedOut) return true;
  if (x.ending == Ending::kHttpError) return x.http_status == 429 || x.http_status == 503;
  if (x.ending != Ending::kStreamError) return false;
  // Behind a 200 only words tell: TGI says "Model is overloaded" with code 422, vLLM gives 503.
  return x.detail.starts_with("in-stream error 429") ||
         x.detail.starts_with("in-stream error 503") ||
         x.detail.find("overloaded") != std::string::npos;
}

void Failures::add(const Exchanged& x, MonoTime step_begin) {
  FailureClass one{x.ending, x.detail, 1, std::nullopt};
  const MonoTime seen = observed(x.closed) ? instants_.of(x.closed) : x.sent;
  if (observed(seen) && observed(step_begin)) one.first_seen_s = to_seconds(seen - step_begin);
  std::pair key{x.ending, x.detail};
  if (classes_.size() >= kDetailsHeld && !classes_.contains(key)) {
    key.second = one.detail = kOtherDetails;
  }
  FailureClass& slot = classes_[key];
  slot.detail = key.second;
  merge(slot, one);
}

std::vector<FailureClass> Failures::classes() const {
  std::vector<FailureClass> all;
  for (const auto& [key, one] : classes_) all.push_back(one);
  std::stable_sort(all.begin(), all.end(),
                   [](const FailureClass& a, const FailureClass& b) { return a.count > b.count; });
  if (all.size() <= kDetailsKept) return all;
  std::vector<FailureClass> out(all.begin(), all.begin() + kDetailsKept);
  std::map<Ending, FailureClass> rest;
  for (std::size_t i = kDetailsKept; i < all.size(); ++i) {
    FailureClass& slot = rest[all[i].ending];
    slot.detail = kOtherDetails;
    merge(slot, all[i]);
  }
  for (auto& [ending, one] : rest) out.push_back(std::move(one));
  return out;
}

}  // namespace evenbench::judge
