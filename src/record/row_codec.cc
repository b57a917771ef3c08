#include "record/row_codec.h"

#include <utility>

#include "record/token_blob.h"

namespace evenbench::record {
namespace {

// The columns as macros, because SQL text must be one literal for both directions.
#define RUN_COLUMNS(stamp)                                                   \
  "title, tool_version, spec_sha256, spec_yaml, seed, anchor_monotonic_ns, " \
  "started_unix_ns, " stamp ", host_json"
#define SYSTEM_COLUMNS "id, name, engine, simulated, url"
#define VISIT_COLUMNS                                                        \
  "id, system_id, block, started_ns, ready_ns, stopped_ns, engine_version, " \
  "command, manifest_json, note"
#define STEP_COLUMNS                                                             \
  "id, visit_id, ordinal, kind, planned_rate, concurrency, arrivals, begin_ns, " \
  "window_begin_ns, window_end_ns, end_ns, planned, max_in_flight, finished, "   \
  "note, options_json"
#define FIRST_HEALTH_COLUMNS \
  "step_id, worker, wall_ns, cpu_ns, run_queue_wait_ns, max_loop_stall_ns, "
#define HEALTH_COLUMNS                                                         \
  FIRST_HEALTH_COLUMNS                                                         \
  "loop_stalls, cpu_peak_share, reads, stamped_reads, delay_p50_ns, "          \
  "delay_p99_ns, delay_max_ns, receive_queue_max, zero_windows, "              \
  "segments_sent, segments_resent, connections_opened, connections_open_max, " \
  "limit_errors, files_limit, clock_move_max_ns, clock_error_max_ns, "         \
  "realtime, nice, extra_json"
#define FINDING_COLUMNS "scope, scope_id, severity, code, text"
#define REQUEST_COLUMNS                                                           \
  "step_id, number, phase, worker, planned_ns, prompt_id, input_asked, "          \
  "output_asked, ending, detail, http_status, streamed, connect_started_ns, "     \
  "connected_ns, sent_ns, headers_ns, headers_kernel_ns, first_event_ns, "        \
  "first_event_kernel_ns, first_token_ns, first_token_kernel_ns, "                \
  "first_content_ns, first_content_kernel_ns, last_token_ns, "                    \
  "last_token_kernel_ns, closed_ns, closed_kernel_ns, token_events, "             \
  "prompt_tokens, cached_tokens, reasoning_tokens, output_tokens, token_source, " \
  "finish_reason, done_mark, attempts, refusals, reopened, bytes, reads, "        \
  "merged_reads, text"

std::optional<Phase> phase_from(std::string_view name) {
  for (const Phase phase : {Phase::kWarmup, Phase::kMeasure, Phase::kCooldown}) {
    if (name_of(phase) == name) return phase;
  }
  return std::nullopt;
}

void add(sql::Statement& to, const Anchor& anchor, const Stamp& stamp) {
  to.add(anchor.stored(stamp.user)).add(anchor.stored(stamp.kernel));
}

void get(sql::Statement& from, const Anchor& anchor, MonoTime& t) {
  std::optional<std::int64_t> offset;
  from.get(offset);
  t = anchor.loaded(offset);
}
void get(sql::Statement& from, const Anchor& anchor, Stamp& stamp) {
  get(from, anchor, stamp.user);
  get(from, anchor, stamp.kernel);
}
void get(sql::Statement& from, Nanos& span) {
  std::int64_t count = 0;
  from.get(count);
  span = Nanos{count};
}

void get(sql::Statement& from, std::optional<Nanos>& span) {
  std::optional<std::int64_t> count;
  from.get(count);
  span = count ? std::optional(Nanos{*count}) : std::nullopt;
}

std::optional<std::int64_t> stored(const std::optional<Nanos>& span) {
  return span ? std::optional(span->count()) : std::nullopt;
}

// What nobody counted is NULL in every column.
void add(sql::Statement& to, const std::optional<TransportHealth>& health) {
  const auto part = [&](auto member) {
    to.add(health ? std::optional((*health).*member) : std::nullopt);
  };
  const TransportHealth none;
  const TransportHealth& h = health ? *health : none;
  part(&TransportHealth::reads);
  part(&TransportHealth::stamped_reads);
  to.add(stored(h.delay_p50)).add(stored(h.delay_p99)).add(stored(h.delay_max));
  part(&TransportHealth::receive_queue_max);
  part(&TransportHealth::zero_windows);
  to.add(h.segments_sent).add(h.segments_resent);
  part(&TransportHealth::connections_opened);
  part(&TransportHealth::connections_open_max);
  part(&TransportHealth::limit_errors);
  to.add(h.files_limit);
  to.add(health ? std::optional(h.clock_move_max.count()) : std::nullopt);
  to.add(stored(h.clock_error_max));
}
void get(sql::Statement& from, std::optional<TransportHealth>& health) {
  TransportHealth h;
  std::optional<std::uint64_t> reads;
  from.get(reads).get(h.stamped_reads);
  h.reads = reads.value_or(0);
  for (auto* delay : {&h.delay_p50, &h.delay_p99, &h.delay_max}) get(from, *delay);
  from.get(h.receive_queue_max).get(h.zero_windows).get(h.segments_sent).get(h.segments_resent);
  from.get(h.connections_opened).get(h.connections_open_max).get(h.limit_errors);
  from.get(h.files_limit);
  get(from, h.clock_move_max);
  get(from, h.clock_error_max);
  health = reads ? std::optional(h) : std::nullopt;
}

}  // namespace

const char* const kPutRun =
    "INSERT INTO run (id, " RUN_COLUMNS("stamp") ") VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const char* const kGetRun = "SELECT " RUN_COLUMNS("stamp") ", complete, reason FROM run";
const char* const kGetRunV1 = "SELECT " RUN_COLUMNS("'user'") ", complete, reason FROM run";

void bind(sql::Statement& to, const RunRow& row) {
  to.add(row.title).add(row.tool_version).add(row.spec_sha256).add(row.spec_yaml).add(row.seed);
  to.add(observed(row.anchor) ? std::optional(row.anchor.time_since_epoch().count())
                              : std::nullopt);
  to.add(row.started.time_since_epoch().count()).add(name_of(row.stamp)).add(row.host_json);
}

Result<void> load(sql::Statement& from, RunRow& row) {
  std::optional<std::int64_t> anchor;
  Nanos started{};
  from.get(row.title).get(row.tool_version).get(row.spec_sha256).get(row.spec_yaml).get(row.seed);
  from.get(anchor);
  get(from, started);
  if (auto known = get_word(from, stamp_choice_named, "stamp", row.stamp); !known) return known;
  from.get(row.host_json);
  row.anchor = anchor ? MonoTime{Nanos{*anchor}} : kNever;
  row.started = WallTime{started};
  return {};
}

const char* const kPutSystem =
    "INSERT OR REPLACE INTO system (" SYSTEM_COLUMNS ") VALUES (?, ?, ?, ?, ?)";
const char* const kGetSystems = "SELECT " SYSTEM_COLUMNS " FROM system ORDER BY id";

void bind(sql::Statement& to, const SystemRow& row, const Anchor& /*anchor*/) {
  to.add(row.id).add(row.name).add(row.engine).add(row.simulated).add(row.url);
}

Result<void> load(sql::Statement& from, SystemRow& row, const Anchor& /*anchor*/) {
  from.get(row.id).get(row.name).get(row.engine).get(row.simulated).get(row.url);
  return {};
}

const char* const kPutVisit =
    "INSERT OR REPLACE INTO visit (" VISIT_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const char* const kGetVisits = "SELECT " VISIT_COLUMNS " FROM visit ORDER BY id";

void bind(sql::Statement& to, const VisitRow& row, const Anchor& anchor) {
  to.add(row.id).add(row.system_id).add(row.block);
  to.add(anchor.stored(row.started)).add(anchor.stored(row.ready)).add(anchor.stored(row.stopped));
  to.add(row.engine_version).add(row.command).add(row.manifest_json).add(row.note);
}

Result<void> load(sql::Statement& from, VisitRow& row, const Anchor& anchor) {
  from.get(row.id).get(row.system_id).get(row.block);
  for (MonoTime* t : {&row.started, &row.ready, &row.stopped}) get(from, anchor, *t);
  from.get(row.engine_version).get(row.command).get(row.manifest_json).get(row.note);
  return {};
}

const char* const kPutStep = "INSERT OR REPLACE INTO step (" STEP_COLUMNS
                             ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const char* const kGetSteps = "SELECT " STEP_COLUMNS " FROM step ORDER BY id";

void bind(sql::Statement& to, const StepRow& row, const Anchor& anchor) {
  to.add(row.id).add(row.visit_id).add(row.ordinal).add(row.kind);
  to.add(row.planned_rate).add(row.concurrency).add(row.arrivals);
  for (const MonoTime t : {row.begin, row.window_begin, row.window_end, row.end}) {
    to.add(anchor.stored(t));
  }
  to.add(row.planned).add(row.max_in_flight).add(row.finished);
  to.add(row.note).add(row.options_json);
}

Result<void> load(sql::Statement& from, StepRow& row, const Anchor& anchor) {
  from.get(row.id).get(row.visit_id).get(row.ordinal).get(row.kind);
  from.get(row.planned_rate).get(row.concurrency).get(row.arrivals);
  for (MonoTime* t : {&row.begin, &row.window_begin, &row.window_end, &row.end}) {
    get(from, anchor, *t);
  }
  from.get(row.planned).get(row.max_in_flight).get(row.finished);
  from.get(row.note).get(row.options_json);
  return {};
}

const char* const kPutHealth = "INSERT OR REPLACE INTO worker_health (" HEALTH_COLUMNS
                               ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                               "?, ?, ?, ?, ?, ?, ?, ?)";
const char* const kGetHealth =
    "SELECT " HEALTH_COLUMNS " FROM worker_health ORDER BY step_id, worker";
const char* const kGetHealthV1 =
    "SELECT " FIRST_HEALTH_COLUMNS
    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
    "NULL, NULL, 0, NULL, extra_json FROM worker_health ORDER BY step_id, worker";

void bind(sql::Statement& to, const WorkerHealthRow& row, const Anchor& /*anchor*/) {
  to.add(row.step_id).add(row.worker);
  for (const Nanos span : {row.wall, row.cpu, row.run_queue_wait, row.max_loop_stall}) {
    to.add(span.count());
  }
  to.add(row.loop_stalls).add(row.cpu_peak_share);
  add(to, row.transport);
  to.add(row.realtime).add(row.nice).add(row.extra_json);
}

Result<void> load(sql::Statement& from, WorkerHealthRow& row, const Anchor& /*anchor*/) {
  from.get(row.step_id).get(row.worker);
  for (Nanos* span : {&row.wall, &row.cpu, &row.run_queue_wait, &row.max_loop_stall}) {
    get(from, *span);
  }
  from.get(row.loop_stalls).get(row.cpu_peak_share);
  get(from, row.transport);
  from.get(row.realtime).get(row.nice).get(row.extra_json);
  return {};
}

// A finding has no id of its own: the same sentence about the same thing is the same finding.
const char* const kPutFinding =
    "INSERT INTO finding (" FINDING_COLUMNS
    ") VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (scope, scope_id, code, text) DO UPDATE SET severity = excluded.severity";
const char* const kGetFindings = "SELECT " FINDING_COLUMNS " FROM finding ORDER BY id";

void bind(sql::Statement& to, const FindingRow& row, const Anchor& /*anchor*/) {
  to.add(row.scope).add(row.scope_id).add(row.severity).add(row.code).add(row.text);
}

Result<void> load(sql::Statement& from, FindingRow& row, const Anchor& /*anchor*/) {
  from.get(row.scope).get(row.scope_id).get(row.severity).get(row.code).get(row.text);
  return {};
}

const char* const kPutRequest =
    "INSERT INTO request (" REQUEST_COLUMNS
    ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
    "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const char* const kGetRequest = "SELECT " REQUEST_COLUMNS " FROM request WHERE rowid = ?";

void bind(sql::Statement& to, const RequestRow& row, const Anchor& anchor, std::string& blob) {
  const Exchanged& e = row.exchanged;
  encode_token_events(e.tokens, anchor, blob);
  to.add(row.step_id).add(row.index).add(name_of(row.phase)).add(row.worker);
  to.add(anchor.stored(row.planned)).add(row.prompt_id).add(row.input_asked).add(row.output_asked);
  to.add(name_of(e.ending)).add(e.detail).add(e.http_status).add(e.streamed);
  for (const MonoTime t : {e.connect_started, e.connected, e.sent}) to.add(anchor.stored(t));
  for (const Stamp& stamp :
       {e.headers, e.first_event, e.first_token, e.first_content, e.last_token, e.closed}) {
    add(to, anchor, stamp);
  }
  to.add_blob(blob);
  to.add(e.prompt_tokens).add(e.cached_tokens).add(e.reasoning_tokens).add(e.output_tokens);
  to.add(name_of(e.source)).add(e.finish_reason).add(e.done_mark);
  to.add(e.attempts).add(e.refusals).add(e.reopened);
  to.add(e.bytes).add(e.reads).add(e.merged_reads).add(e.text);
}

Result<void> load(sql::Statement& from, RequestRow& row, const Anchor& anchor) {
  Exchanged& e = row.exchanged;
  from.get(row.step_id).get(row.index);
  if (auto known = get_word(from, phase_from, "phase", row.phase); !known) return known;
  from.get(row.worker);
  get(from, anchor, row.planned);
  from.get(row.prompt_id).get(row.input_asked).get(row.output_asked);
  if (auto known = get_word(from, ending_from, "ending", e.ending); !known) return known;
  from.get(e.detail).get(e.http_status).get(e.streamed);
  for (MonoTime* t : {&e.connect_started, &e.connected, &e.sent}) get(from, anchor, *t);
  for (Stamp* stamp :
       {&e.headers, &e.first_event, &e.first_token, &e.first_content, &e.last_token, &e.closed}) {
    get(from, anchor, *stamp);
  }
  auto tokens = decode_token_events(from.view(), anchor);
  if (!tokens) return tokens.error();
  e.tokens = *std::move(tokens);
  from.get(e.prompt_tokens).get(e.cached_tokens).get(e.reasoning_tokens).get(e.output_tokens);
  if (auto known = get_word(from, token_source_from, "token source", e.source); !known) {
    return known;
  }
  from.get(e.finish_reason).get(e.done_mark).get(e.attempts).get(e.refusals).get(e.reopened);
  from.get(e.bytes).get(e.reads).get(e.merged_reads).get(e.text);
  return {};
}

}  // namespace evenbench::record
