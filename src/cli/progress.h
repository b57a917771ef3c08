// What a person reads on stderr while a run goes on: plain lines. --quiet keeps only warnings and
// errors.
#pragma once

#include <string_view>

namespace evenbench::cli {

class Progress {
 public:
  explicit Progress(bool quiet) : quiet_(quiet) {}
  void line(std::string_view text) const;     // ordinary news
  void warning(std::string_view text) const;  // shown also with --quiet

 private:
  bool quiet_;
};

}  // namespace evenbench::cli
