// The server as a program: its flags, its signals, what it prints.
#pragma once

#include "base/time.h"

namespace evenbench::truth {

// Serves until SIGTERM or SIGINT. Says "listening PORT" or "listening PATH" on stdout, and at the
// end how late it was. The exit code.
int run_program(int argc, char** argv, const Clock& clock);

}  // namespace evenbench::truth
