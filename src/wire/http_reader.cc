#include "wire/http_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <charconv>

namespace evenbench::wire {
namespace {

namespace http = boost::beast::http;

constexpr std::size_t kMaxHead = 64 * 1024;
constexpr std::uint32_t kMaxOverhead = 64 * 1024;
constexpr int kMaxSizeDigits = 15;  // 2^60 bytes: no overflow of the size

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

int parse_retry_after(std::string_view text) {
  int seconds = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return error == std::errc{} && end == text.data() + text.size() && seconds >= 0 ? seconds : -1;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  });
  return out;
}

}  // namespace

ChunkDecoder::Status ChunkDecoder::feed(std::string_view& bytes, const OnBody& on_body) {
  while (!bytes.empty()) {
    if (state_ == State::kSize && digits_ == 0) {
      take_whole_chunks(bytes, on_body);
      if (bytes.empty()) break;
    }
    if (state_ == State::kData) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
      on_body(bytes.substr(0, n));
      bytes.remove_prefix(n);
      left_ -= n;
      if (left_ == 0) state_ = State::kDataEnd;
      continue;
    }
    const char c = bytes.front();
    bytes.remove_prefix(1);
    const Status status = take_line_byte(c);
    if (status != Status::kMore) return status;
  }
  return Status::kMore;
}

// The usual form: chunks that lie whole in the bytes, without extensions, with CR LF. What is
// anything else is left to the state machine, from the begin of its size line.
void ChunkDecoder::take_whole_chunks(std::string_view& bytes, const OnBody& on_body) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  for (;;) {
    const char* c = at;
    std::size_t size = 0;
    for (int digit = 0; end - c > 2 && c - at < kMaxSizeDigits && (digit = hex_digit(*c)) >= 0;
         ++c) {
      size = size * 16 + static_cast<std::size_t>(digit);
    }
    if (size == 0 || end - c < 4 || c[0] != '\r' || c[1] != '\n') break;
    c += 2;
    if (static_cast<std::size_t>(end - c) < size + 2 || c[size] != '\r' || c[size + 1] != '\n')
      break;
    on_body({c, size});
    at = c + size + 2;
    if (at == end) break;
  }
  bytes.remove_prefix(static_cast<std::size_t>(at - bytes.data()));
}

ChunkDecoder::Status ChunkDecoder::take_line_byte(char c) {
  switch (state_) {
    case State::kSize: {
      const int digit = hex_digit(c);
      if (digit >= 0) {
        left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
        return ++digits_ > kMaxSizeDigits ? Status::kBroken : Status::kMore;
      }
      if (digits_ == 0) return Status::kBroken;
      if (c == '\n') return end_size_line();
      if (c != '\r' && c != ';' && c != ' ' && c != '\t') return Status::kBroken;
      state_ = State::kExtension;
      return Status::kMore;
    }
    case State::kExtension:
      if (c == '\n') return end_size_line();
      return ++overhead_ > kMaxOverhead ? Status::kBroken : Status::kMore;
    case State::kDataEnd:
      if (c == '\r') return Status::kMore;
      if (c != '\n') return Status::kBroken;
      state_ = State::kSize;
      digits_ = 0;
      return Status::kMore;
    case State::kTrailer:
      if (c == '\n') {
        if (line_empty_) return Status::kComplete;
        line_empty_ = true;
      } else if (c != '\r') {
        line_empty_ = false;
      }
      return ++overhead_ > kMaxOverhead ? Status::kBroken : Status::kMore;
    case State::kData:
      break;
  }
  return Status::kBroken;
}

ChunkDecoder::Status ChunkDecoder::end_size_line() {
  state_ = left_ == 0 ? State::kTrailer : State::kData;
  return Status::kMore;
}

void HttpReader::begin() {
  head_.clear();
  started_ = false;
  head_done_ = false;
  framing_ = Framing::kNone;
  left_ = 0;
  chunks_.reset();
  status_ = 0;
  content_type_.clear();
  keep_alive_ = false;
  retry_after_s_ = -1;
  error_.clear();
}

HttpReader::Status HttpReader::broken(std::string why) {
  error_ = std::move(why);
  keep_alive_ = false;
  return Status::kBroken;
}

HttpReader::Status HttpReader::feed(std::string_view bytes, const OnBody& on_body) {
  if (bytes.empty()) return Status::kMore;
  started_ = true;
  if (!head_done_) {
    if (!take_head(bytes)) return error_.empty() ? Status::kMore : Status::kBroken;
  }
  return take_body(bytes, on_body);
}

bool HttpReader::take_head(std::string_view& bytes) {
  while (!bytes.empty()) {
    // The blank line may be split over reads: look a little before what is new.
    const std::size_t from = head_.size() < 3 ? 0 : head_.size() - 3;
    const std::size_t before = head_.size();
    head_ += bytes;
    const std::size_t end = head_.find("\r\n\r\n", from);
    if (end == std::string::npos) {
      bytes = {};
      if (head_.size() > kMaxHead) broken("the response head is larger than 64 KiB");
      return false;
    }
    head_.resize(end + 4);
    bytes.remove_prefix(end + 4 - before);
    if (!parse_head()) return false;
    head_.clear();
    if (head_done_) return true;
  }
  return false;
}

bool HttpReader::parse_head() {
  http::response_parser<http::empty_body> parser;
  parser.skip(true);
  parser.header_limit(kMaxHead);
  boost::beast::error_code failed;
  parser.put(boost::asio::buffer(head_), failed);
  if (failed || !parser.is_header_done()) {
    broken(fmt::format("the response head is not HTTP: {}", failed.message()));
    return false;
  }
  const auto& head = parser.get();
  const auto code = static_cast<int>(head.result_int());
  if (code >= 100 && code < 200) return true;  // interim: the real head follows
  head_done_ = true;
  status_ = code;
  content_type_ = lower(std::string_view(head[http::field::content_type].data(),
                                         head[http::field::content_type].size()));
  const auto retry = head[http::field::retry_after];
  retry_after_s_ = parse_retry_after({retry.data(), retry.size()});
  keep_alive_ = parser.keep_alive();
  const auto length = parser.content_length();
  if (code == 204 || code == 304) {
    framing_ = Framing::kNone;
  } else if (parser.chunked()) {
    framing_ = Framing::kChunked;
  } else if (length) {
    framing_ = Framing::kLength;
    left_ = *length;
  } else {
    framing_ = Framing::kUntilClose;
    keep_alive_ = false;
  }
  return true;
}

HttpReader::Status HttpReader::take_body(std::string_view bytes, const OnBody& on_body) {
  switch (framing_) {
    case Framing::kNone:
      break;
    case Framing::kLength: {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
      if (n > 0) on_body(bytes.substr(0, n));
      bytes.remove_prefix(n);
      left_ -= n;
      if (left_ > 0) return Status::kMore;
      break;
    }
    case Framing::kChunked: {
      const auto status = chunks_.feed(bytes, on_body);
      if (status == ChunkDecoder::Status::kMore) return Status::kMore;
      if (status == ChunkDecoder::Status::kBroken)
        return broken("a chunk of the body is malformed");
      break;
    }
    case Framing::kUntilClose:
      if (!bytes.empty()) on_body(bytes);
      return Status::kMore;
  }
  if (!bytes.empty()) keep_alive_ = false;
  return Status::kComplete;
}

HttpReader::Status HttpReader::on_eof() const {
  return head_done_ && framing_ == Framing::kUntilClose ? Status::kComplete : Status::kMore;
}

}  // namespace evenbench::wire
