// What is understood without a parser is exactly what the parser says: each event is decoded by one
// decoder that saw all events before it, and by one that never saw any and so has to parse.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "wire/event_decoder.h"
#include "wire/testing/captures.h"
#include "wire/testing/pieces.h"

namespace evenbench::wire {
namespace {

using namespace testing;  // NOLINT: the short hand of the cases

DecodedEvent parsed(std::string_view data, bool keep_text) {
  EventDecoder fresh;
  return fresh.decode(data, keep_text);
}

// One of each kind that is near to an engine's usual chunk, and many that break it.
const std::vector<std::string> kEvents = {
    R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"bcd"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":""},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":null},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":7},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]})",
    R"({"choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}],"usage":null})",
    R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}],"usage":{}})",
    R"({"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":1,"completion_tokens":2}})",
    R"({"choices":[{"delta":{"content":"b"}}],"usage":{"prompt_tokens":1,"completion_tokens":2}})",
    R"({"choices":[{"delta":{"content":"b"}}],"usage":{"prompt_tokens":1,"completion_tokens":3}})",
    R"({"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"xyz"}}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{}}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a","content":"b"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a","content":"xyz"},"finish_reason":null}]})",
    R"({"choices":[{"text":"a"}],"choices":[{"text":"b"}]})",
    R"({"choices":[{"text":"a"}],"choices":[{"text":"xyz"}]})",
    R"({"choices":[{"text":"a","finish_reason":""}]})",
    R"({"choices":[{"text":"xyz","finish_reason":""}]})",
    R"({"choices":[{"index":0,"delta":{"reasoning_content":"a"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"reasoning_content":"xyz"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"reasoning":"a","content":""},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"reasoning":"xyz","content":""},"finish_reason":null}]})",
    R"({"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"a"}}]}}]})",
    R"({"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"xyz"}}]}}]})",
    R"({"choices":[{"delta":{"content":"a","tool_calls":[{"function":{"name":"f"}}]}}]})",
    R"({"choices":[{"delta":{"content":"b","tool_calls":[{"function":{"name":"f"}}]}}]})",
    R"({"choices":[{"text":"a","token_ids":[1,2]}]})",
    R"({"choices":[{"text":"b","token_ids":[1,2]}]})",
    R"({"choices":[{"text":"b","token_ids":[1,2,3]}]})",
    R"({"choices":[{"index":0,"delta":{"content":"\n"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"an"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a\""  },"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a"  },"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a  },"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a"  ,"x":"\""},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a\\"  ,"x":"\""},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"\""},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"\u00e9"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"\"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a"},"error":"x","b":{"c":""},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a","content":"b"},"finish_reason":null}]})",
    R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]} )",
    R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}x)",
    R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}])",
    R"( {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]})",
    "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\n\"},\"finish_reason\":null}]}",
    "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xFF\"},\"finish_reason\":null}]}",
    "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xE5\xA5\xBD\"},\"finish_reason\":null}]}",
    R"({"error":{"message":"a","code":1},"choices":[{"text":"a"}]})",
    R"({"error":{"message":"a","code":1},"choices":[{"text":"xyz"}]})",
    R"({"object":"error","message":"text","choices":[{"text":"a"}]})",
    R"({"detail":"a"})",
    R"({"token":{"id":5,"text":"a"},"generated_text":null})",
    R"({"token":{"id":5,"text":"xyz"},"generated_text":null})",
    R"({"token":{"id":5,"text":"xyz"},"generated_text":"xyz"})",
    R"({"delta":{"content":"a"}})",
    R"({"delta":{"content":"b"}})",
    "[DONE]",
    "[]",
    "",
    "null",
};

TEST(FastPath, EveryEventSaysTheSameBehindEveryOther) {
  for (const bool keep_text : {false, true}) {
    std::vector<DecodedEvent> expected;
    for (const auto& event : kEvents) expected.push_back(parsed(event, keep_text));
    EventDecoder decoder;
    for (std::size_t i = 0; i < kEvents.size(); ++i) {
      for (std::size_t j = 0; j < kEvents.size(); ++j) {
        ASSERT_EQ(decoder.decode(kEvents[i], keep_text), expected[i]) << kEvents[i];
        ASSERT_EQ(decoder.decode(kEvents[j], keep_text), expected[j])
            << kEvents[j] << " behind " << kEvents[i];
        ASSERT_EQ(decoder.decode(kEvents[j], keep_text), expected[j]) << kEvents[j] << " again";
      }
    }
  }
}

TEST(FastPath, TextIsKeptExactlyWhereItIsAskedFor) {
  EventDecoder decoder;
  for (const bool keep : {false, true, true, false, false, true}) {
    for (const std::string_view text : {"ab", "", "long enough to need memory of its own"}) {
      const std::string data = fmt::format(R"({{"choices":[{{"text":"{}"}}]}})", text);
      const DecodedEvent& event = decoder.decode(data, keep);
      EXPECT_EQ(event.text, keep ? text : "");
      EXPECT_EQ(event.content_bytes, text.size());
    }
  }
}

template <typename Piece>
Decoded replay(EventDecoder& decoder, std::string_view bytes, Piece&& piece) {
  return decode_in_pieces(bytes, piece,
                          [&](std::string_view data) { return decoder.decode(data, true); });
}

TEST(FastPath, EveryRealAnswerSaysWhatTheParserSaysHoweverItIsCut) {
  EventDecoder decoder;  // for all: what it learned from one answer must not spoil the next
  std::size_t events = 0;
  for (const auto& c : captures()) {
    // With a new decoder for each event, byte by byte.
    const Decoded expected = decode_in_pieces(
        c.bytes, [] { return 1U; }, [](std::string_view data) { return parsed(data, true); });
    EXPECT_FALSE(expected.broken) << c.folder << "/" << c.name;
    events += expected.events.size();
    for (const std::size_t size : {1U, 2U, 61U, 256U, 1000U, 65536U}) {
      ASSERT_EQ(replay(decoder, c.bytes, [&] { return size; }), expected)
          << c.folder << "/" << c.name << " in pieces of " << size;
    }
    if (expected.events.empty()) continue;
    for (std::size_t cut = 1; cut < c.bytes.size(); cut += 83) {
      std::size_t next = cut;
      const auto two = [&] { return std::exchange(next, c.bytes.size()); };
      ASSERT_EQ(replay(decoder, c.bytes, two), expected)
          << c.folder << "/" << c.name << " cut at " << cut;
    }
  }
  EXPECT_GT(events, 1000U);
}

}  // namespace
}  // namespace evenbench::wire
