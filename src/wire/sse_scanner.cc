#include "wire/sse_scanner.h"

namespace evenbench::wire {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Whether `line` is a data field; then `value` is what it carries.
bool data_value(std::string_view line, std::string_view& value) {
  if (!line.starts_with("data")) return false;
  line.remove_prefix(4);
  if (line.empty()) {
    value = line;
    return true;
  }
  if (line.front() != ':') return false;
  line.remove_prefix(1);
  if (line.starts_with(' ')) line.remove_prefix(1);  // one space at most belongs to the syntax
  value = line;
  return true;
}

}  // namespace

void SseScanner::reset() {
  line_.clear();
  data_.clear();
  has_data_ = false;
  at_start_ = true;
  after_cr_ = false;
}

bool SseScanner::feed(std::string_view bytes, const OnEvent& on_event) {
  while (!bytes.empty()) {
    if (after_cr_) {
      after_cr_ = false;
      if (bytes.front() == '\n') {
        bytes.remove_prefix(1);
        continue;
      }
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) {
      line_ += bytes;
      return line_.size() <= kMaxEvent;
    }
    after_cr_ = bytes[end] == '\r';
    bool good = true;
    if (line_.empty()) {
      good = take_line(bytes.substr(0, end), on_event);
    } else {
      line_ += bytes.substr(0, end);
      good = take_line(line_, on_event);
      line_.clear();
    }
    if (!good) return false;
    bytes.remove_prefix(end + 1);
  }
  return true;
}

bool SseScanner::take_line(std::string_view line, const OnEvent& on_event) {
  if (at_start_) {
    at_start_ = false;
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  }
  if (line.empty()) {
    if (has_data_ && !data_.empty()) on_event(data_);
    data_.clear();
    has_data_ = false;
    return true;
  }
  std::string_view value;
  return data_value(line, value) ? append_data(value) : true;
}

bool SseScanner::append_data(std::string_view value) {
  if (has_data_) data_ += '\n';
  has_data_ = true;
  data_ += value;
  return data_.size() <= kMaxEvent;
}

}  // namespace evenbench::wire
