#include "judge/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::judge {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Manifest, KeepsTheOrderOfTheFile) {
  const auto entries = manifest_from(R"({"z":{"value":"1","source":"s"},"a":{"value":2}})");
  ASSERT_THAT(entries, SizeIs(2));
  EXPECT_EQ(entries[0].key, "z");
  EXPECT_EQ(entries[0].source, "s");
  EXPECT_EQ(entries[1].value, "2");
  EXPECT_EQ(entries[1].source, "");
}

TEST(Manifest, OfNothingIsEmpty) {
  EXPECT_THAT(manifest_from(""), IsEmpty());
  EXPECT_THAT(manifest_from("{}"), IsEmpty());
}

TEST(Manifest, TextThatIsNoObjectIsShownAsItIs) {
  for (const char* text : {"[1]", "{\"a\":", "\xFF"}) {
    const auto entries = manifest_from(text);
    ASSERT_THAT(entries, SizeIs(1));
    EXPECT_EQ(entries[0].key, "unreadable");
    EXPECT_EQ(entries[0].value, text);
  }
}

TEST(Manifest, OnlyDifferencesOfLaterVisitsAreAdded) {
  std::vector<ManifestEntry> entries{{"a", "1", "s"}, {"b", "2", "s"}};
  add_differences(entries, {{"a", "1", "other"}, {"b", "3", "s"}, {"c", "4", "s"}}, 2);
  add_differences(entries, {{"b", "3", "s"}}, 3);
  ASSERT_THAT(entries, SizeIs(4));
  EXPECT_EQ(entries[2].value, "3");
  EXPECT_EQ(entries[2].source, "s (visit 2)");
  EXPECT_EQ(entries[3].key, "c");
}

}  // namespace
}  // namespace evenbench::judge
