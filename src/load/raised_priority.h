// Puts the calling thread before others while it sends: where client and engine share cores, a
// client that waits for a CPU blames its own delay on the engine.
#pragma once

namespace evenbench::load {

class RaisedPriority {
 public:
  // Raises the thread's priority if this process may (root, or RLIMIT_NICE); else changes nothing.
  RaisedPriority();
  // Back to what it was: an engine that is started later must not inherit it.
  ~RaisedPriority();
  RaisedPriority(const RaisedPriority&) = delete;
  RaisedPriority& operator=(const RaisedPriority&) = delete;

  // The nice value in force, from -20 to 19.
  [[nodiscard]] int nice() const;

 private:
  int before_;
};

}  // namespace evenbench::load
