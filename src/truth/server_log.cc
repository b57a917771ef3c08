#include "truth/server_log.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace evenbench::truth {
namespace {

std::int64_t count(MonoTime at) {
  return at.time_since_epoch().count();
}

}  // namespace

std::string log_line(const Served& served) {
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  const std::string id =
      nlohmann::json(served.id).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string received =
      observed(served.received) ? std::to_string(count(served.received)) : "null";
  fmt::format_to(to, R"({{"id":{},"received_ns":{},"arrival_ns":{},"writes_ns":[)", id, received,
                 count(served.arrival));
  for (std::size_t i = 0; i < served.writes.size(); ++i) {
    fmt::format_to(to, "{}{}", i == 0 ? "" : ",", count(served.writes[i]));
  }
  fmt::format_to(to, R"(],"late_ns":[)");
  for (std::size_t i = 0; i < served.paced_sends(); ++i) {
    fmt::format_to(to, "{}{}", i == 0 ? "" : ",", served.lateness(i).count());
  }
  fmt::format_to(to, R"(],"tokens":{},"blocked":{},"done":{}}})", served.tokens, served.blocked,
                 served.done);
  return fmt::to_string(out);
}

}  // namespace evenbench::truth
