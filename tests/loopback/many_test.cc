// Many at once: nothing in the client may be a cap that the server is blamed for.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>

#include "client.h"
#include "scripted_server.h"

namespace evenbench::loopback {
namespace {

constexpr wire::Tag kMany = 256;

TEST(Many, O25a_TwoHundredAndFiftySixRequestsAreOpenAtTheSameTime) {
  std::atomic<int> holding{0};
  std::atomic<bool> release{false};
  ScriptedServer server([&](Peer& peer) {
    peer.read_request();
    ++holding;
    while (!release) peer.sleep(milliseconds{5});
    peer.send(whole_stream(3));
    peer.wait_for_stop();
  });
  Client client(options_for(server.url()));
  for (wire::Tag tag = 0; tag < kMany; ++tag) client.send(tag);
  // A cap in the client would keep the number below 256 for ever.
  for (int i = 0; i < 100 && holding < static_cast<int>(kMany); ++i) {
    client.run_for(milliseconds{100});
  }
  EXPECT_EQ(holding, static_cast<int>(kMany));
  release = true;
  client.run_to(kMany);
  const auto good =
      std::count_if(client.done().begin(), client.done().end(),
                    [](const auto& entry) { return entry.second.ending == Ending::kDone; });
  EXPECT_EQ(good, kMany);
}

TEST(Many, O25b_TheLimitOfOpenFilesIsNamed) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.wait_for_stop();
  });
  auto options = options_for(server.url());
  Client client(options);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low{.rlim_cur = 3, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  const Exchanged got = client.exchange(0);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(got.ending, Ending::kConnectFailed);
  EXPECT_EQ(got.detail.find("too many open files: this process may have 3"), 0U) << got.detail;
}

}  // namespace
}  // namespace evenbench::loopback
