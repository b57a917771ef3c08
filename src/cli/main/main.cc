#include <cstring>

#include "calibrate/null_server.h"
#include "cli/commands.h"
#include "engine/child_process.h"
#include "truth/program.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "__warden") == 0) {
    return evenbench::engine::warden_main(argc, argv);
  }
  // Of `calibrate`, which starts it as a process of its own; not for people.
  if (argc > 1 && std::strcmp(argv[1], evenbench::calibrate::kNullServerCommand) == 0) {
    const evenbench::SystemClock clock;
    return evenbench::truth::run_program(argc - 1, argv + 1, clock);
  }
  return evenbench::cli::run_command_line(argc, argv);
}
