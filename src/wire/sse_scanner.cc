#include "wire/sse_scanner.h"

#include <cstring>
#include <utility>

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

const char* find(char c, const char* begin, const char* end) {
  if (begin == end) return end;
  const void* found = std::memchr(begin, c, static_cast<std::size_t>(end - begin));
  return found != nullptr ? static_cast<const char*>(found) : end;
}

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

void SseScanner::reset() {
  line_.clear();
  data_.clear();
  whole_ = {};
  has_data_ = false;
  at_start_ = true;
  after_cr_ = false;
}

bool SseScanner::feed(std::string_view bytes, const OnEvent& on_event) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  const char* lf = nullptr;  // the next LF, looked for once only: lines may end with CR alone
  while (at != end) {
    if (std::exchange(after_cr_, false) && *at == '\n') {
      ++at;
      continue;
    }
    if (lf == nullptr || lf < at) lf = find('\n', at, end);
    const char* const stop = find('\r', at, lf);
    if (stop == end) {
      line_.append(at, end);
      keep_whole();
      return line_.size() <= kMaxEvent;
    }
    if (!take_line_end(between(at, stop), on_event)) return false;
    after_cr_ = *stop == '\r';
    at = stop + 1;
  }
  keep_whole();
  return true;
}

bool SseScanner::take_line_end(std::string_view rest, const OnEvent& on_event) {
  if (line_.empty()) return take_line(rest, on_event);
  line_ += rest;
  const bool good = take_line(line_, on_event);
  keep_whole();
  line_.clear();
  return good;
}

bool SseScanner::take_line(std::string_view line, const OnEvent& on_event) {
  if (at_start_) {
    at_start_ = false;
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  }
  if (line.empty()) {
    give(on_event);
    return true;
  }
  std::string_view value;
  return data_value(line, value) ? append_data(value) : true;
}

void SseScanner::give(const OnEvent& on_event) {
  const std::string_view data = whole_.empty() ? std::string_view(data_) : whole_;
  if (!data.empty()) on_event(data);
  data_.clear();
  whole_ = {};
  has_data_ = false;
}

bool SseScanner::append_data(std::string_view value) {
  if (!has_data_) {
    if (value.size() > kMaxEvent) return false;
    has_data_ = true;
    whole_ = value;
    return true;
  }
  keep_whole();
  data_ += '\n';
  data_ += value;
  return data_.size() <= kMaxEvent;
}

// What is still needed when the bytes being read are gone.
void SseScanner::keep_whole() {
  data_ += whole_;
  whole_ = {};
}

}  // namespace evenbench::wire
