#include "record/token_blob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "record/sample_run.h"

namespace evenbench::record {
namespace {

const Anchor kAnchor(kSampleAnchor);

MonoTime at(std::int64_t offset) {
  return kSampleAnchor + Nanos{offset};
}
std::string encode(const TokenEvents& events, const Anchor& anchor = kAnchor) {
  std::string blob = "what was in it before";
  encode_token_events(events, anchor, blob);
  return blob;
}
std::string hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x} ", static_cast<unsigned char>(c));
  return text;
}

// docs/run-file.md prints these bytes.
TEST(TokenBlob, HasTheBytesOfTheDocumentedExample) {
  const TokenEvents events = {
      {{at(1'000'000), at(999'000)}, 1, false},
      {{at(1'020'000), at(1'019'500)}, 40, true},
      {{at(1'020'000), kNever}, 0, true},
  };
  EXPECT_EQ(hex(encode(events)),
            "01 03 "
            "0e 80 89 7a d0 0f "
            "ff 28 c0 b8 02 e8 07 "
            "03 00 ");
  EXPECT_EQ(*decode_token_events(encode(events), kAnchor), events);
}

TEST(TokenBlob, OfNoEventsIsTwoBytes) {
  EXPECT_EQ(hex(encode({})), "01 00 ");
  EXPECT_EQ(*decode_token_events(encode({}), kAnchor), TokenEvents{});
}

TEST(TokenBlob, IsExactAtEveryExtreme) {
  constexpr auto kLow = std::numeric_limits<std::int64_t>::min() + 1;  // the lowest is kNever
  constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
  std::vector<MonoTime> instants = {kNever};
  for (const std::int64_t t : {kLow, kHigh, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}}) {
    instants.push_back(MonoTime{Nanos{t}});
  }
  TokenEvents events;
  for (const MonoTime user : instants) {
    for (const MonoTime kernel : instants) {
      for (const std::uint32_t tokens : {0U, 1U, 30U, 31U, 32U, UINT32_MAX}) {
        events.push_back({{user, kernel}, tokens, tokens % 2 == 0});
      }
    }
  }
  for (const MonoTime zero : instants) {
    const Anchor anchor(zero);
    const auto decoded = decode_token_events(encode(events, anchor), anchor);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(*decoded, events);
  }
}

TEST(TokenBlob, IsExactForRandomEvents) {
  Rng rng(2026, "blobs");
  for (int i = 0; i < 300; ++i) {
    const TokenEvents events = sample_tokens(rng);
    ASSERT_EQ(*decode_token_events(encode(events), kAnchor), events);
  }
}

TEST(TokenBlob, TakesEightBytesForAnOrdinaryToken) {
  TokenEvents events;
  for (int i = 0; i < 500; ++i) {
    events.push_back({{at(i * 20'000'000L), at(i * 20'000'000L - 9'000)}, 1, false});
  }
  EXPECT_LE(encode(events).size(), 500U * 8U);
}

TEST(TokenBlob, RefusesEveryCutAndWhatFollows) {
  Rng rng(4, "cut");
  TokenEvents events;
  while (events.size() < 3) events = sample_tokens(rng);
  const std::string blob = encode(events);
  for (std::size_t size = 0; size < blob.size(); ++size) {
    EXPECT_FALSE(decode_token_events(blob.substr(0, size), kAnchor)) << size;
  }
  const auto longer = decode_token_events(blob + "x", kAnchor);
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().message, "1 bytes after the last token event");
}

TEST(TokenBlob, RefusesAnotherVersionAndNumbersTooLarge) {
  const auto later = decode_token_events(std::string("\x02\x00", 2), kAnchor);
  ASSERT_FALSE(later);
  EXPECT_THAT(later.error().message, testing::HasSubstr("coding 2"));
  // A count that would ask for all memory, a varint of 65 bits, tokens of 33 bits.
  EXPECT_FALSE(decode_token_events("\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f", kAnchor));
  EXPECT_FALSE(
      decode_token_events("\x01\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", kAnchor));
  EXPECT_FALSE(decode_token_events("\x01\x01\xf8\xff\xff\xff\xff\x1f", kAnchor));
}

TEST(TokenBlob, SurvivesAnyBytes) {
  Rng rng(8, "noise");
  for (int i = 0; i < 5'000; ++i) {
    std::string noise(rng.below(30), '\0');
    for (char& c : noise) c = static_cast<char>(rng.below(256));
    if (!noise.empty()) noise[0] = 1;
    if (noise.size() > 1) noise[1] = static_cast<char>(rng.below(8));
    const auto decoded = decode_token_events(noise, kAnchor);
    if (decoded) {
      EXPECT_EQ(*decode_token_events(encode(*decoded), kAnchor), *decoded);
    }
  }
}

}  // namespace
}  // namespace evenbench::record
