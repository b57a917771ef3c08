#include "wire/http_reader.h"

#include <gtest/gtest.h>

#include <vector>

namespace evenbench::wire {
namespace {

struct Read {
  HttpReader::Status status = HttpReader::Status::kMore;
  std::string body;
  int code = 0;
  bool keep_alive = false;
  std::string error;
};

Read read(const std::vector<std::string>& pieces) {
  HttpReader reader;
  reader.begin();
  Read out;
  for (const std::string& piece : pieces) {
    out.status = reader.feed(piece, [&](std::string_view bytes) { out.body += bytes; });
    if (out.status != HttpReader::Status::kMore) break;
  }
  out.code = reader.status();
  out.keep_alive = reader.keep_alive();
  out.error = reader.error();
  return out;
}

const std::string kChunked =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
    "Keep-Alive: timeout=5, max=100\r\n\r\n"
    "5\r\nhello\r\nA;name=value\r\n, chunks!!\r\n1\r\n\n\r\n0\r\nX-Trailer: 1\r\n\r\n";

TEST(HttpReader, TakesChunkedFramingOffForEverySplit) {
  for (std::size_t cut = 0; cut <= kChunked.size(); ++cut) {
    const Read got = read({kChunked.substr(0, cut), kChunked.substr(cut)});
    EXPECT_EQ(got.status, HttpReader::Status::kComplete) << cut;
    EXPECT_EQ(got.body, "hello, chunks!!\n") << cut;
    EXPECT_TRUE(got.keep_alive);
  }
}

TEST(HttpReader, ChunksThatLieWholeInAReadAreTakenAsByteByByte) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string five = "5\r\nhello\r\n";
  for (const std::string odd : {"5\r\nhello\r\n",
                                "5\nhello\n",
                                "5\r\nhello\n",
                                "5\nhello\r\n",
                                "5\r\nhello\r\r\n",
                                "5\r\nhelloX\n",
                                "5\r\nhello\rX",
                                "5\r\nhelloXX",
                                "5\rX5\r\nhello\r\n",
                                "5\rXhello\r\n",
                                "5X\nhello\r\n",
                                "5 \r\nhello\r\n",
                                "5;a=b\r\nhello\r\n",
                                "05\r\nhello\r\n",
                                "0\r\n\r\n",
                                "00\r\n\r\n",
                                "0\r\n",
                                "\r\nhello\r\n",
                                "5",
                                "5\r",
                                "5\r\n",
                                "5\r\nhello",
                                "5\r\nhello\r",
                                "000000000000005\r\nhello\r\n",
                                "0000000000000005\r\nhello\r\n",
                                "FFFFFFFFFFFFFFF\r\nhello\r\n",
                                "fffffffffffffffe\r\nhello\r\n"}) {
    for (const std::string& bytes : {head + odd, head + odd + five, head + five + odd + five}) {
      std::vector<std::string> single;
      for (const char c : bytes) single.emplace_back(1, c);
      const Read expected = read(single);
      const Read got = read({bytes});
      const std::string what = odd + " of " + std::to_string(bytes.size());
      EXPECT_EQ(got.status, expected.status) << what;
      EXPECT_EQ(got.body, expected.body) << what;
      EXPECT_EQ(got.error, expected.error) << what;
    }
  }
}

TEST(HttpReader, NoTruncationIsTakenForAWholeResponse) {
  for (std::size_t cut = 0; cut < kChunked.size(); ++cut) {
    EXPECT_EQ(read({kChunked.substr(0, cut)}).status, HttpReader::Status::kMore) << cut;
  }
}

TEST(HttpReader, ReadsBodiesByLengthAndSkipsInterimHeads) {
  const Read got =
      read({"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Service Unavailable\r\n"
            "Content-Length: 4\r\nRetry-After: 7\r\n\r\nbusy"});
  EXPECT_EQ(got.status, HttpReader::Status::kComplete);
  EXPECT_EQ(got.code, 503);
  EXPECT_EQ(got.body, "busy");
}

TEST(HttpReader, RetryAfterIsSecondsOrAbsent) {
  HttpReader reader;
  for (const auto& [value, seconds] :
       {std::pair{"7", 7}, {"0", 0}, {"-1", -1}, {"Wed, 21 Oct 2026 07:28:00 GMT", -1}}) {
    reader.begin();
    (void)reader.feed(
        std::string("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nRetry-After: ") +
            value + "\r\n\r\n",
        [](std::string_view) {});
    EXPECT_EQ(reader.retry_after_s(), seconds) << value;
  }
}

TEST(HttpReader, ABodyUntilCloseEndsWithTheConnectionAndCannotBeReused) {
  HttpReader reader;
  reader.begin();
  std::string body;
  EXPECT_EQ(reader.feed("HTTP/1.1 200 OK\r\n\r\nabc", [&](std::string_view b) { body += b; }),
            HttpReader::Status::kMore);
  EXPECT_EQ(reader.on_eof(), HttpReader::Status::kComplete);
  EXPECT_FALSE(reader.keep_alive());
  EXPECT_EQ(body, "abc");
}

TEST(HttpReader, EndOfTheConnectionInsideAChunkedBodyIsACut) {
  HttpReader reader;
  reader.begin();
  (void)reader.feed(kChunked.substr(0, kChunked.size() - 4), [](std::string_view) {});
  EXPECT_EQ(reader.on_eof(), HttpReader::Status::kMore);
}

TEST(HttpReader, ConnectionCloseAndOldHttpForbidReuse) {
  EXPECT_FALSE(
      read({"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"}).keep_alive);
  EXPECT_FALSE(read({"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"}).keep_alive);
  EXPECT_TRUE(read({"HTTP/1.1 204 No Content\r\n\r\n"}).keep_alive);
  EXPECT_FALSE(read({"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more"}).keep_alive);
}

TEST(HttpReader, AHeadMayBeLargeButNotWithoutEnd) {
  const auto with_header_of = [](std::size_t size) {
    return read(
        {"HTTP/1.1 200 OK\r\nX-A: " + std::string(size, 'a') + "\r\nContent-Length: 2\r\n\r\nok"});
  };
  EXPECT_EQ(with_header_of(60'000).body, "ok") << with_header_of(60'000).error;
  EXPECT_EQ(with_header_of(70'000).status, HttpReader::Status::kBroken);
}

TEST(HttpReader, WhatIsNotHttpIsBrokenWithAReason) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& bad :
       {std::string("hello there\r\n\r\n"), std::string("HTTP/1.1 abc\r\n\r\n"), head + "zz\r\n",
        head + "\r\n", head + "5\r\nhelloX", head + "fffffffffffffffff\r\n",
        std::string(70'000, 'x')}) {
    const Read got = read({bad});
    EXPECT_EQ(got.status, HttpReader::Status::kBroken) << bad.substr(0, 40);
    EXPECT_FALSE(got.error.empty());
  }
}

}  // namespace
}  // namespace evenbench::wire
