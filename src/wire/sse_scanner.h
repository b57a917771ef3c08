// Finds the events of a server-sent event stream (WHATWG HTML, section 9.2) in bytes that come in
// any pieces. Knows nothing of what the events mean.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace evenbench::wire {

class SseScanner {
 public:
  // `data`: the data lines of one event, joined by LF. It dies when the callback returns.
  using OnEvent = std::function<void(std::string_view data)>;

  // Largest event that is accepted: beyond it the stream is broken, not merely long.
  static constexpr std::size_t kMaxEvent = std::size_t{1} << 20;

  // Reads on. LF, CR LF and CR end a line; comments and fields other than data are skipped; an
  // event without data gives nothing. Any split of a stream gives the same events. false: an event
  // is larger than kMaxEvent; nothing more may be fed then.
  [[nodiscard]] bool feed(std::string_view bytes, const OnEvent& on_event);

  // Ready for a new stream; keeps its buffers.
  void reset();

  // Whether bytes of an unfinished event are held: at the end of a stream, a cut.
  [[nodiscard]] bool has_partial() const { return !line_.empty() || has_data_; }

 private:
  // What came of a line that now is whole.
  bool take_line_end(std::string_view rest, const OnEvent& on_event);
  bool take_line(std::string_view line, const OnEvent& on_event);
  bool append_data(std::string_view value);
  void give(const OnEvent& on_event);
  void keep_whole();

  std::string line_;  // an unfinished line
  std::string data_;  // data lines of an unfinished event
  // The only data line so far of the event at hand, where it lies whole in the bytes being read:
  // most events are given from there, without a copy.
  std::string_view whole_;
  bool has_data_ = false;
  bool at_start_ = true;   // a byte-order mark may come
  bool after_cr_ = false;  // an LF that comes next belongs to the CR before it
};

}  // namespace evenbench::wire
