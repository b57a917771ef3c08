// The client's own share, step by step, with the limits that were passed marked in place.
#include <fmt/format.h>

#include "report/tables.h"
#include "report/text.h"

namespace evenbench::report {
namespace {

using judge::ClientHealth;
using judge::JudgedRun;
using judge::JudgedStep;
using judge::Signal;
using Value = std::optional<double>;
using Count = std::optional<std::uint64_t>;

constexpr double kMicrosPerMilli = 1e3;

Value micros(const Value& millis) {
  return millis ? Value(*millis * kMicrosPerMilli) : std::nullopt;
}
std::string maybe_count(const Count& value) {
  return value ? count(*value) : std::string(kAbsent);
}
// "1 / 2 / 3", or one dash when none of them was observed.
std::string joined(std::initializer_list<std::string> parts) {
  std::string out;
  bool any = false;
  for (const std::string& part : parts) {
    any = any || part != kAbsent;
    out += (out.empty() ? "" : " / ") + part;
  }
  return any ? out : std::string(kAbsent);
}

// The limit behind a cell whose signal passed it, in the unit of the column.
std::string mark(const ClientHealth& health, Signal signal, std::string (*shown)(double)) {
  const judge::BrokenLimit* broken = health.broken_limit(signal);
  if (broken == nullptr) return "";
  return fmt::format(" (> {} {})", shown(broken->limit), broken->hard ? "!!" : "!");
}
std::string as_number(double value) {
  return number(value);
}
std::string as_micros(double millis) {
  return number(millis * kMicrosPerMilli);
}
// The wait for a CPU has its limit at half a percent.
std::string as_fine_percent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}
std::string as_percent(double share) {
  return percent(share);
}
std::string as_count(double value) {
  return count(static_cast<std::uint64_t>(value));
}

std::string sends(const JudgedStep& step) {
  const judge::BrokenLimit* broken = step.client.broken_limit(Signal::kSends);
  const std::string cell = joined({count(step.sent), count(step.planned)});
  return broken == nullptr ? cell : cell + (broken->hard ? " (!!)" : " (!)");
}

std::string resent(const ClientHealth& h) {
  const std::string cell = joined({maybe_count(h.segments_resent), maybe_count(h.segments_sent)});
  return cell + mark(h, Signal::kRetransmits, as_number);
}

std::string priority(const ClientHealth& h) {
  if (h.workers == 0) return std::string(kAbsent);
  if (h.realtime) return "realtime";
  return h.nice ? fmt::format("nice {}", *h.nice) : std::string(kAbsent);
}

std::string stamp(const JudgedRun& run, const JudgedStep& step) {
  const std::string used(name_of(run.stamp.used));
  if (step.instants.by_program == 0) return used;
  return fmt::format("{}, {} of {} by program", used, count(step.instants.by_program),
                     count(step.instants.instants));
}

void add_cells(Row& row, const JudgedStep& step) {
  const ClientHealth& h = step.client;
  const auto add = [&row](std::string cell) { row.cells.push_back(std::move(cell)); };
  add(sends(step));
  add(joined({number(step.lateness.p50), number(step.lateness.p99), number(step.lateness.max)}) +
      mark(h, Signal::kLateness, as_number));
  add(joined({number(micros(h.delay_p50_ms)), number(micros(h.delay_p99_ms)),
              number(micros(h.delay_max_ms))}) +
      mark(h, Signal::kDelay, as_micros));
  add(joined({maybe_count(h.stalls), number(h.stall_max_ms)}) +
      mark(h, Signal::kLoopStall, as_number));
  add(joined({percent(h.cpu_share), percent(h.cpu_peak_share)}) +
      mark(h, Signal::kCpu, as_percent) + mark(h, Signal::kCpuPeak, as_percent));
  add((h.run_queue_share ? as_fine_percent(*h.run_queue_share) : std::string(kAbsent)) +
      mark(h, Signal::kRunQueue, as_fine_percent));
  add(maybe_count(h.receive_queue_max) + mark(h, Signal::kReceiveQueue, as_count));
  add(maybe_count(h.zero_windows) + mark(h, Signal::kZeroWindow, as_count));
  add(resent(h));
  add(joined({maybe_count(h.connections_opened), count(h.opened_in_window),
              maybe_count(h.connections_open_max)}) +
      mark(h, Signal::kConnections, as_percent) + mark(h, Signal::kFiles, as_percent));
  add(maybe_count(h.limit_errors) + mark(h, Signal::kLimitErrors, as_count));
  add(joined({count(step.reopened), count(step.retries)}));
  add(number(step.connect.p50));
  add(number(h.clock_move_max_ms) + mark(h, Signal::kClock, as_number));
  add(joined({percent(step.censored_event_share), percent(step.censored_first_token_share)}));
  add(number(step.tokens_per_event));
}

}  // namespace

Table client_table(const JudgedRun& run) {
  Table table{"", start_columns(), {}};
  add_columns(table, {"Sent / planned", "Lateness P50 / P99 / max (ms)",
                      "Kernel to program P50 / P99 / max (µs)", "Stalls > 1 ms / longest (ms)",
                      "CPU / busiest second", "Waited for a CPU", "Receive queue at most (bytes)",
                      "Closed windows", "Segments resent / sent",
                      "Connections opened / in the window / at once", "Refused by a limit",
                      "Reopened / retries", "Connect P50 (ms)", "Clock moved (ms)",
                      "Events / first tokens not read alone", "Tokens per event"});
  table.columns.push_back({"Stamp", false, ""});
  table.columns.push_back({"Priority", false, ""});
  for (std::size_t i = 0; i < run.systems.size(); ++i) {
    for (const JudgedStep& step : run.systems[i].steps) {
      Row row = start_row(run, i, step);
      add_cells(row, step);
      row.cells.push_back(stamp(run, step));
      row.cells.push_back(priority(step.client));
      table.rows.push_back(std::move(row));
    }
  }
  if (table.rows.empty()) return table;
  table.caption = fmt::format(
      "Instants are by the {} stamp{}. Of several workers the one for which it is worst; counts "
      "are sums. Behind a value beyond its limit stands the limit: ! makes the step SUSPECT, !! "
      "INVALID_CLIENT.",
      run.stamp.used == StampChoice::kKernel ? "kernel's" : "program's own",
      run.stamp.why.empty() ? "" : " (" + run.stamp.why + ")");
  return table;
}

}  // namespace evenbench::report
