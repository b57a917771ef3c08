#include "load/raised_priority.h"

#include <sys/resource.h>

#include <algorithm>

namespace evenbench::load {
namespace {

constexpr int kNice = -10;

// On Linux, PRIO_PROCESS with 0 means the calling thread alone.
int present() {
  return ::getpriority(PRIO_PROCESS, 0);
}

}  // namespace

RaisedPriority::RaisedPriority() : before_(present()) {
  ::setpriority(PRIO_PROCESS, 0, std::min(before_, kNice));
}

RaisedPriority::~RaisedPriority() {
  ::setpriority(PRIO_PROCESS, 0, before_);
}

int RaisedPriority::nice() const {
  return present();
}

}  // namespace evenbench::load
