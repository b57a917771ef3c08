// argv to a command. The only place that knows the names of flags.
#pragma once

namespace evenbench::cli {

int run_command_line(int argc, char** argv);

}  // namespace evenbench::cli
