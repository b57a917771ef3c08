// Reads one HTTP/1.1 response from bytes that come in any pieces: head, framing, end. Knows nothing
// of what the body means.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace evenbench::wire {

// Takes chunked framing off (RFC 9112, section 7.1). Sizes in upper or lower case, extensions and
// trailers are accepted.
class ChunkDecoder {
 public:
  using OnBody = std::function<void(std::string_view)>;
  enum class Status : std::uint8_t { kMore, kComplete, kBroken };
  void reset() { *this = ChunkDecoder(); }
  // Takes bytes from the front of `bytes` up to the end of the body.
  Status feed(std::string_view& bytes, const OnBody& on_body);

 private:
  enum class State : std::uint8_t { kSize, kExtension, kData, kDataEnd, kTrailer };
  static void take_whole_chunks(std::string_view& bytes, const OnBody& on_body);
  Status take_line_byte(char c);
  Status end_size_line();

  State state_ = State::kSize;
  std::uint64_t left_ = 0;  // bytes of the chunk still to come, or the size read so far
  int digits_ = 0;
  bool line_empty_ = true;      // trailer: nothing but CR on this line yet
  std::uint32_t overhead_ = 0;  // bytes of extensions and trailers, bounded
};

class HttpReader {
 public:
  using OnBody = ChunkDecoder::OnBody;
  enum class Status : std::uint8_t { kMore, kComplete, kBroken };

  void begin();
  // The bytes of one read; body bytes go to `on_body` as they are freed of their framing. Interim
  // 1xx heads are skipped. Bytes after the end of the response make it not reusable: nothing was
  // asked for.
  Status feed(std::string_view bytes, const OnBody& on_body);
  // The peer has closed. kComplete where the end of the connection is the end of the body, else
  // kMore: it was cut.
  [[nodiscard]] Status on_eof() const;

  [[nodiscard]] bool started() const { return started_; }
  [[nodiscard]] bool head_done() const { return head_done_; }
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::string& content_type() const { return content_type_; }
  [[nodiscard]] bool keep_alive() const { return keep_alive_; }
  [[nodiscard]] int retry_after_s() const { return retry_after_s_; }  // -1: absent or a date
  [[nodiscard]] const std::string& error() const { return error_; }   // why it is broken

 private:
  enum class Framing : std::uint8_t { kNone, kLength, kChunked, kUntilClose };
  Status broken(std::string why);
  // Takes head bytes; true once a final head is parsed. Sets error_ when it cannot be.
  bool take_head(std::string_view& bytes);
  bool parse_head();
  Status take_body(std::string_view bytes, const OnBody& on_body);

  std::string head_;
  bool started_ = false;
  bool head_done_ = false;
  Framing framing_ = Framing::kNone;
  std::uint64_t left_ = 0;
  ChunkDecoder chunks_;
  int status_ = 0;
  std::string content_type_;
  bool keep_alive_ = false;
  int retry_after_s_ = -1;
  std::string error_;
};

}  // namespace evenbench::wire
