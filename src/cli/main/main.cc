#include <cstring>

#include "cli/commands.h"
#include "engine/child_process.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "__warden") == 0) {
    return evenbench::engine::warden_main(argc, argv);
  }
  return evenbench::cli::run_command_line(argc, argv);
}
