// The run file of schema version 2 that lies in tests/data/run-files: what version 1 did not have
// yet. It was written once, from the rows below and those of the test of version 1.
#include <gtest/gtest.h>

#include "record/reader.h"
#include "record/sample_run.h"

namespace evenbench::record {
namespace {

const std::string kV2 = EVENBENCH_TEST_DATA "/run-files/v2.sqlite";

std::vector<WorkerHealthRow> v2_health() {
  WorkerHealthRow seen;
  seen.step_id = 1;
  seen.wall = Nanos{37'500'000'000};
  seen.cpu = Nanos{1'250'000'000};
  seen.run_queue_wait = Nanos{3'000'001};
  seen.max_loop_stall = Nanos{999};
  seen.loop_stalls = 3;
  seen.cpu_peak_share = 0.125;
  seen.transport = TransportHealth{.reads = 1'001,
                                   .stamped_reads = 1'000,
                                   .delay_p50 = Nanos{7'000},
                                   .delay_p99 = Nanos{90'001},
                                   .delay_max = Nanos{4'000'000},
                                   .receive_queue_max = 65'536,
                                   .zero_windows = 2,
                                   .segments_sent = 5'000'000'000,
                                   .segments_resent = 1,
                                   .connections_opened = 12,
                                   .connections_open_max = 8,
                                   .limit_errors = 4,
                                   .files_limit = 18'446'744'073'709'551'615U,
                                   .clock_move_max = Nanos{-250'000},
                                   .clock_error_max = Nanos{60}};
  seen.realtime = true;
  seen.nice = -10;
  seen.extra_json = R"({"cpu":1})";
  WorkerHealthRow uncounted;  // in virtual time, say: nothing was counted, which is not 0
  uncounted.step_id = 2;
  uncounted.worker = 1;
  WorkerHealthRow unstamped;  // where the kernel tells neither stamps nor segments
  unstamped.step_id = 2;
  unstamped.worker = 2;
  unstamped.loop_stalls = 0;
  unstamped.transport.emplace().reads = 5;
  return {seen, uncounted, unstamped};
}

TEST(RunFileV2, HoldsTheStampOfTheHeadlineAndWhatTheWorkersSawOfThemselves) {
  const auto opened = Reader::open(kV2);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ((*opened)->run().stamp, StampChoice::kAuto);
  EXPECT_EQ(texts((*opened)->health()), texts(v2_health()));
}

}  // namespace
}  // namespace evenbench::record
