// The launcher runs /proc/self/exe again as the warden, so this program must know that command, as
// evenbench does.
#include <gtest/gtest.h>

#include <string_view>

#include "engine/child_process.h"
#include "engine/warden.h"
#include "fake_server.h"
#include "launched.h"

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == evenbench::engine::kWardenCommand)
    return evenbench::engine::warden_main(argc, argv);
  if (command == evenbench::process_tests::kToolCommand)
    return evenbench::process_tests::tool_main(argc, argv);
  if (command == evenbench::process_tests::kServerCommand)
    return evenbench::process_tests::server_main(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
