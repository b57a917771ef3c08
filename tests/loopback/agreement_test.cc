// The fixed prompts, asked of a server over a socket.
#include "engine/agreement_probe.h"

#include <gmock/gmock.h>

#include "client.h"
#include "scripted_server.h"

namespace evenbench::loopback {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::size_t all() {
  return engine::agreement_prompts().size() * engine::kAgreementRepeats;
}

engine::AgreementOptions asking(const std::string& url) {
  engine::AgreementOptions options;
  options.transport = options_for(url);
  options.shape.model = "m";
  return options;
}

TEST(AgreementProbe, KeepsEveryAnswerWithItsPromptItsRepeatAndItsEnding) {
  std::vector<std::string> requests;
  ScriptedServer server([&](Peer& peer) {
    requests.push_back(*peer.read_request());
    if (peer.index() == 1) return peer.send(plain_answer(503, "", "{\"error\":\"full\"}"));
    peer.send(stream_head() + token("answer") + token(" " + std::to_string(peer.index())) +
              finish(4, 2));
  });
  const SystemClock clock;
  const auto rows = engine::ask_agreement(asking(server.url()), clock);
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_THAT(*rows, SizeIs(all()));
  EXPECT_EQ((*rows)[0].text, "answer 0");
  EXPECT_EQ((*rows)[0].prompt, 1);
  EXPECT_EQ((*rows)[0].repeat, 1);
  EXPECT_EQ((*rows)[0].prompt_tokens, 4U);
  EXPECT_EQ((*rows)[0].output_tokens, 2U);
  EXPECT_EQ((*rows)[1].ending, Ending::kHttpError);
  EXPECT_THAT((*rows)[1].detail, HasSubstr("503"));
  EXPECT_EQ(rows->back().prompt, static_cast<int>(engine::agreement_prompts().size()));
  EXPECT_EQ(rows->back().repeat, engine::kAgreementRepeats);
  EXPECT_THAT(requests[0], HasSubstr(std::string(engine::agreement_prompts()[0])));
  EXPECT_THAT(requests[0], HasSubstr("\"temperature\":0"));
}

TEST(AgreementProbe, EndsWhenItIsInterruptedAndKeepsWhatItHas) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(whole_stream(2));
  });
  auto options = asking(server.url());
  int asked = 0;
  options.interrupted = [&] { return ++asked > 3; };
  const SystemClock clock;
  const auto rows = engine::ask_agreement(options, clock);
  ASSERT_TRUE(rows);
  EXPECT_THAT(*rows, SizeIs(3));
}

TEST(AgreementProbe, AsksNothingMoreWhenItsTimeIsOver) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(whole_stream(2));
  });
  auto options = asking(server.url());
  options.total_limit = Nanos{1};
  const SystemClock clock;
  EXPECT_THAT(*engine::ask_agreement(options, clock), SizeIs(::testing::Le(1U)));
}

}  // namespace
}  // namespace evenbench::loopback
