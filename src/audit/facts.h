// What is known of each system when the audit asks whether terms were even. Knows no run file:
// from_run.h reads one into this.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/outcome.h"

namespace evenbench::audit {

struct Stated {
  std::string requested;  // "" = not stated
  std::string effective;  // "" = unknown
  std::string source;     // how `effective` was learnt
};

// An answer to one of the fixed prompts of the agreement probe.
struct Answer {
  int prompt = 0, repeat = 0;  // from 1
  Ending ending = Ending::kDone;
  std::string text;
};

// A setting that was not the same in every visit of one system.
struct Changed {
  std::string key, before, after;
  int visit = 2;  // of the system, from 1: the first in which it was otherwise
};

struct SystemFacts {
  std::string name;
  bool simulated = false;
  bool remote = false;                     // behind a gateway, or on another machine
  std::map<std::string, Stated> settings;  // by key of docs/even-terms.md
  std::vector<Changed> changed;
  std::vector<Answer> answers;
};

}  // namespace evenbench::audit
