#include "load/failure_watch.h"

#include <algorithm>

namespace evenbench::load {
namespace {

wire::FailureCount first_of(const Exchanged& x, std::optional<wire::ErrorClass> error,
                            MonoTime at) {
  return {x.ending, error, x.http_status, 1, at, x.detail};
}

}  // namespace

bool FailureWatch::on_ended(const Exchanged& x) {
  if (x.ending == Ending::kCutAtEnd) return false;
  if (x.ending == Ending::kDone) {
    if (!in_a_row_.load(std::memory_order_relaxed)) return false;
    const std::scoped_lock lock(mutex_);
    row_ = {};
    in_a_row_ = false;
    return lost_.has_value();
  }
  const auto error = wire::error_class(x);
  const MonoTime at = observed(x.closed) ? x.closed.user : x.sent;
  const std::scoped_lock lock(mutex_);
  count(x, error, at);
  if (error && wire::ends_credentials(*error)) refused(x, *error, at);
  return lost_.has_value();
}

// The ways to fail are few: the classes and endings, not the words.
void FailureWatch::count(const Exchanged& x, std::optional<wire::ErrorClass> error, MonoTime at) {
  const auto same = std::ranges::find_if(failures_, [&](const wire::FailureCount& f) {
    return f.ending == x.ending && f.error == error && f.status == x.http_status;
  });
  if (same == failures_.end()) {
    failures_.push_back(first_of(x, error, at));
    return;
  }
  ++same->count;
  if (at >= same->first) return;
  same->first = at;
  same->detail = x.detail;
}

void FailureWatch::refused(const Exchanged& x, wire::ErrorClass error, MonoTime at) {
  if (row_.count == 0) {
    row_ = first_of(x, error, at);
    row_last_ = at;
    in_a_row_ = true;
  } else {
    ++row_.count;
    row_.first = std::min(row_.first, at);
    row_last_ = std::max(row_last_, at);
  }
  const bool lasting = row_.count >= kRefusalsInARow && row_last_ - row_.first >= kRefusalsSpan;
  if (!lost_ && (lasting || row_.count >= kManyRefusalsInARow)) lost_ = row_;
}

std::optional<wire::FailureCount> FailureWatch::key_lost() const {
  const std::scoped_lock lock(mutex_);
  return lost_;
}

std::vector<wire::FailureCount> FailureWatch::failures() const {
  const std::scoped_lock lock(mutex_);
  auto out = failures_;
  std::ranges::stable_sort(out, std::greater{}, &wire::FailureCount::count);
  return out;
}

}  // namespace evenbench::load
