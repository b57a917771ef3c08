#include "probe/sha256.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace evenbench::probe {
namespace {

TEST(Sha256, GivesTheKnownDigests) {
  const auto file =
      std::filesystem::temp_directory_path() / ("evenbench-sha-" + std::to_string(::getpid()));
  std::ofstream(file) << "abc";  // FIPS 180-2, appendix B.1
  EXPECT_EQ(sha256_of(file), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  std::ofstream(file, std::ios::trunc) << "";
  EXPECT_EQ(sha256_of(file), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  std::ofstream(file, std::ios::trunc) << std::string(1'000'000, 'a');  // B.3
  EXPECT_EQ(sha256_of(file), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  std::filesystem::remove(file);
}

TEST(Sha256, OfATextIsThatOfItsBytes) {
  EXPECT_EQ(sha256_of_text("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, OfWhatCannotBeReadIsAbsent) {
  EXPECT_EQ(sha256_of("/no/such/file"), "");
  EXPECT_EQ(sha256_of("/proc"), "");
}

}  // namespace
}  // namespace evenbench::probe
