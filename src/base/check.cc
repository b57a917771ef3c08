#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace evenbench::check_detail {

void fail(const char* file, int line, const char* condition, std::string_view message) {
  fmt::print(stderr, "evenbench: bug at {}:{}: {} does not hold: {}\n", file, line, condition,
             message);
  std::abort();
}

}  // namespace evenbench::check_detail
