// Requests of a closed loop that are made before a user is ready for them: a burst of users, as at
// the begin of a step, then costs no more than its sends. What comes next is foreseen from what has
// been taken; where other workers or the end of the warm-up prove that wrong, the request is made
// when it is needed.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "load/step_state.h"

namespace evenbench::load {

class ClosedAhead {
 public:
  explicit ClosedAhead(const StepState& state) : state_(state) {}

  // Which request of the step it is: its index over both phases, and its number in its phase.
  struct Place {
    std::uint32_t index = 0;
    Phase phase = Phase::kMeasure;
    std::uint32_t number = 0;
    bool operator==(const Place&) const = default;
  };
  struct Made {
    workload::Item item;
    std::string bytes;
  };
  // The request of `place`, from the store if it is there. What came before it is forgotten.
  Made take(const Place& place);
  // Makes the next one that is not in the store. `warming_up`: whether a user who is ready now
  // belongs to a warm-up that is timed. False: nothing more to make now.
  bool make_one(bool warming_up);

 private:
  struct Stored {
    Place place;
    Made made;
  };
  [[nodiscard]] Place next(bool warming_up) const;
  [[nodiscard]] Made make(const Place& place) const;

  const StepState& state_;
  std::deque<Stored> stored_;  // by index, without gaps
  std::size_t bytes_ = 0;      // of all that are stored
};

}  // namespace evenbench::load
