// SIGINT and SIGTERM as counts that the run polls: the first ends sending, the second cuts, a third
// ends the program at once.
#pragma once

namespace evenbench::cli {

// Installs the handlers and ignores SIGPIPE (a closed socket is a return value) and SIGXFSZ (a full
// file is one too).
void install_signals();
// How many of the two have come so far.
int interrupts();
// The first of them; 0 when none has come.
int interrupt_signal();

}  // namespace evenbench::cli
