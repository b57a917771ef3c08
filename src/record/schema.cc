#include "record/schema.h"

namespace evenbench::record {

// request is a rowid table with an index beside it, not WITHOUT ROWID: its rows carry blobs of
// kilobytes, and SQLite advises against WITHOUT ROWID there (sqlite.org/withoutrowid.html).
const char* const kCreateSchema = R"sql(
PRAGMA application_id = 0x45564e42;
PRAGMA user_version = 3;

CREATE TABLE run (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  title TEXT NOT NULL,
  tool_version TEXT NOT NULL,
  spec_sha256 TEXT NOT NULL,
  spec_yaml TEXT NOT NULL,
  seed INTEGER NOT NULL,
  anchor_monotonic_ns INTEGER,
  started_unix_ns INTEGER NOT NULL,
  stamp TEXT NOT NULL,
  host_json TEXT NOT NULL,
  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
  reason TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE system (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  engine TEXT NOT NULL,
  simulated INTEGER NOT NULL,
  url TEXT NOT NULL
) STRICT;

CREATE TABLE visit (
  id INTEGER PRIMARY KEY,
  system_id INTEGER NOT NULL REFERENCES system (id),
  block INTEGER NOT NULL,
  started_ns INTEGER,
  ready_ns INTEGER,
  stopped_ns INTEGER,
  engine_version TEXT NOT NULL,
  command TEXT NOT NULL,
  manifest_json TEXT NOT NULL,
  note TEXT NOT NULL
) STRICT;

CREATE TABLE step (
  id INTEGER PRIMARY KEY,
  visit_id INTEGER NOT NULL REFERENCES visit (id),
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL,
  planned_rate REAL,
  concurrency INTEGER,
  arrivals TEXT NOT NULL,
  begin_ns INTEGER,
  window_begin_ns INTEGER,
  window_end_ns INTEGER,
  end_ns INTEGER,
  planned INTEGER NOT NULL,
  max_in_flight INTEGER NOT NULL,
  finished INTEGER NOT NULL,
  note TEXT NOT NULL,
  options_json TEXT NOT NULL
) STRICT;

CREATE TABLE request (
  step_id INTEGER NOT NULL REFERENCES step (id),
  number INTEGER NOT NULL,
  phase TEXT NOT NULL,
  worker INTEGER NOT NULL,
  planned_ns INTEGER,
  prompt_id INTEGER NOT NULL,
  input_asked INTEGER NOT NULL,
  output_asked INTEGER NOT NULL,
  ending TEXT NOT NULL,
  detail TEXT NOT NULL,
  http_status INTEGER NOT NULL,
  streamed INTEGER NOT NULL,
  connect_started_ns INTEGER,
  connected_ns INTEGER,
  sent_ns INTEGER,
  headers_ns INTEGER,
  headers_kernel_ns INTEGER,
  first_event_ns INTEGER,
  first_event_kernel_ns INTEGER,
  first_token_ns INTEGER,
  first_token_kernel_ns INTEGER,
  first_content_ns INTEGER,
  first_content_kernel_ns INTEGER,
  last_token_ns INTEGER,
  last_token_kernel_ns INTEGER,
  closed_ns INTEGER,
  closed_kernel_ns INTEGER,
  token_events BLOB NOT NULL,
  prompt_tokens INTEGER,
  cached_tokens INTEGER,
  reasoning_tokens INTEGER,
  output_tokens INTEGER,
  token_source TEXT NOT NULL,
  finish_reason TEXT NOT NULL,
  done_mark INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  refusals INTEGER NOT NULL,
  reopened INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  reads INTEGER NOT NULL,
  merged_reads INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (step_id, number)
) STRICT;

CREATE TABLE worker_health (
  step_id INTEGER NOT NULL REFERENCES step (id),
  worker INTEGER NOT NULL,
  wall_ns INTEGER NOT NULL,
  cpu_ns INTEGER NOT NULL,
  run_queue_wait_ns INTEGER NOT NULL,
  max_loop_stall_ns INTEGER NOT NULL,
  loop_stalls INTEGER,
  cpu_peak_share REAL,
  reads INTEGER,
  stamped_reads INTEGER,
  delay_p50_ns INTEGER,
  delay_p99_ns INTEGER,
  delay_max_ns INTEGER,
  receive_queue_max INTEGER,
  zero_windows INTEGER,
  segments_sent INTEGER,
  segments_resent INTEGER,
  connections_opened INTEGER,
  connections_open_max INTEGER,
  limit_errors INTEGER,
  files_limit INTEGER,
  clock_move_max_ns INTEGER,
  clock_error_max_ns INTEGER,
  realtime INTEGER NOT NULL,
  nice INTEGER,
  extra_json TEXT NOT NULL,
  PRIMARY KEY (step_id, worker)
) STRICT;

CREATE TABLE finding (
  id INTEGER PRIMARY KEY,
  scope TEXT NOT NULL,
  scope_id INTEGER NOT NULL,
  severity TEXT NOT NULL,
  code TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (scope, scope_id, code, text)
) STRICT;

CREATE TABLE setting (
  visit_id INTEGER NOT NULL REFERENCES visit (id),
  key TEXT NOT NULL,
  requested TEXT NOT NULL,
  effective TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (visit_id, key)
) STRICT;

CREATE TABLE gpu (
  visit_id INTEGER NOT NULL REFERENCES visit (id),
  gpu INTEGER NOT NULL,
  uuid TEXT NOT NULL,
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  facts_json TEXT NOT NULL,
  total_bytes INTEGER,
  idle_bytes INTEGER,
  ready_bytes INTEGER,
  peak_bytes INTEGER,
  after_bytes INTEGER,
  PRIMARY KEY (visit_id, gpu)
) STRICT;

CREATE TABLE gpu_sample (
  id INTEGER PRIMARY KEY,
  visit_id INTEGER NOT NULL REFERENCES visit (id),
  gpu INTEGER NOT NULL,
  at_ns INTEGER,
  memory_used_bytes INTEGER,
  engine_memory_bytes INTEGER,
  gpu_utilisation REAL,
  memory_utilisation REAL,
  power_watts REAL,
  temperature_celsius REAL,
  sm_clock_mhz REAL,
  memory_clock_mhz REAL,
  throttle_reasons INTEGER
) STRICT;

CREATE TABLE engine_sample (
  id INTEGER PRIMARY KEY,
  visit_id INTEGER NOT NULL REFERENCES visit (id),
  step_id INTEGER NOT NULL,
  at_ns INTEGER,
  moment TEXT NOT NULL,
  metric TEXT NOT NULL,
  series TEXT NOT NULL,
  value REAL NOT NULL
) STRICT;
CREATE INDEX engine_sample_by_step ON engine_sample (step_id);

CREATE TABLE agreement (
  visit_id INTEGER NOT NULL REFERENCES visit (id),
  prompt INTEGER NOT NULL,
  repeat INTEGER NOT NULL,
  ending TEXT NOT NULL,
  detail TEXT NOT NULL,
  text TEXT NOT NULL,
  prompt_tokens INTEGER,
  output_tokens INTEGER,
  PRIMARY KEY (visit_id, prompt, repeat)
) STRICT;
)sql";

}  // namespace evenbench::record
