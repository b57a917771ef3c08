#include "sim/virtual_transport.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "sim/answer_text.h"
#include "sim/front_end.h"
#include "wire/exchange.h"

namespace evenbench::sim {
namespace {

Stamp seen_at(MonoTime at) {
  return {at, at};  // nobody is between the kernel and the reader here
}

// The one-way delay is the same for everything, so both directions are queues in order of time.
class VirtualTransport final : public wire::Transport {
 public:
  VirtualTransport(Profile profile, std::uint64_t seed, VirtualClock& clock, Nanos network)
      : front_(engine_of(std::move(profile), {}, "sim-model").value()),
        model_(front_.engine().profile, seed),
        clock_(clock),
        network_(network) {}

  void send(wire::Tag tag, std::string_view request) override;
  void cut(wire::Tag tag) override;
  MonoTime run_until(wire::Until until, wire::TransportListener& listener) override;

 private:
  struct Flight {
    wire::Tag tag = 0;
    std::string_view request;
    Ask ask;
    std::optional<AnswerText> text;
    Exchanged out;
  };
  struct Upward {  // on its way to the engine
    MonoTime at;
    SequenceId id;
    bool abort;
  };
  struct Downward {  // on its way to the client
    MonoTime at;
    SequenceId id;
    std::uint32_t count = 0;  // tokens; 0: the head of a stream, or `whole`
    std::uint32_t total = 0;
    bool last = false;
    std::string whole;  // an answer in one piece
  };

  [[nodiscard]] MonoTime next_instant() const;
  void step_to(MonoTime at, wire::TransportListener& listener);
  void arrive(SequenceId id, MonoTime at);
  [[nodiscard]] std::string refusal(SequenceId id, const std::variant<Ask, Reply>& taken,
                                    MonoTime at);
  void push(const EmittedTokens& tokens);
  void deliver(const Downward& down, wire::TransportListener& listener);
  void take_whole(Flight& flight, const Downward& down);
  void take_tokens(Flight& flight, const Downward& down);
  void done(SequenceId id, wire::TransportListener& listener);

  FrontEnd front_;
  EngineModel model_;
  VirtualClock& clock_;
  Nanos network_;
  wire::Exchange exchange_;
  SequenceId next_id_ = 1;
  std::unordered_map<SequenceId, Flight> flights_;
  std::unordered_map<wire::Tag, SequenceId> by_tag_;
  std::deque<Upward> upward_;
  std::deque<Downward> downward_;
  std::vector<SequenceId> cut_;
  std::vector<EmittedTokens> emitted_;
  std::string scratch_;
  bool any_done_ = false;
};

void VirtualTransport::send(wire::Tag tag, std::string_view request) {
  const SequenceId id = next_id_++;
  Flight flight;
  flight.tag = tag;
  flight.request = request;
  flight.out.sent = clock_.now();
  flights_.emplace(id, std::move(flight));
  EVENBENCH_CHECK(by_tag_.emplace(tag, id).second, "tag {} is in flight", tag);
  upward_.push_back({clock_.now() + network_, id, false});
}

void VirtualTransport::cut(wire::Tag tag) {
  const auto it = by_tag_.find(tag);
  if (it == by_tag_.end()) return;
  if (std::find(cut_.begin(), cut_.end(), it->second) != cut_.end()) return;
  cut_.push_back(it->second);
  upward_.push_back({clock_.now() + network_, it->second, true});
}

MonoTime VirtualTransport::next_instant() const {
  MonoTime next = MonoTime::max();
  if (!upward_.empty()) next = std::min(next, upward_.front().at);
  if (!downward_.empty()) next = std::min(next, downward_.front().at);
  if (const auto step = model_.next_instant()) next = std::min(next, *step);
  return next;
}

MonoTime VirtualTransport::run_until(wire::Until until, wire::TransportListener& listener) {
  const MonoTime deadline = until.first();
  any_done_ = false;
  for (const SequenceId id : std::exchange(cut_, {})) {
    const auto it = flights_.find(id);
    if (it == flights_.end()) continue;
    it->second.out.ending = Ending::kCutAtEnd;
    it->second.out.closed = seen_at(clock_.now());
    done(id, listener);
  }
  while (!any_done_) {
    const MonoTime next = next_instant();
    if (next > deadline) break;
    clock_.set(std::max(clock_.now(), next));
    step_to(next, listener);
  }
  EVENBENCH_CHECK(any_done_ || deadline < MonoTime::max(), "waiting for ever for nothing");
  if (!any_done_) clock_.set(std::max(clock_.now(), deadline));
  return clock_.now();
}

// Everything of one instant: what a step gives out comes before what arrives with its end.
void VirtualTransport::step_to(MonoTime at, wire::TransportListener& listener) {
  emitted_.clear();
  model_.advance(at, emitted_);
  for (const EmittedTokens& tokens : emitted_) push(tokens);
  while (!upward_.empty() && upward_.front().at <= at) {
    const Upward up = upward_.front();
    upward_.pop_front();
    if (up.abort) {
      model_.abort(up.id, at);
    } else {
      arrive(up.id, at);
    }
  }
  while (!downward_.empty() && downward_.front().at <= at) {
    const Downward down = std::move(downward_.front());
    downward_.pop_front();
    deliver(down, listener);
  }
}

void VirtualTransport::push(const EmittedTokens& tokens) {
  const auto it = flights_.find(tokens.id);
  if (it == flights_.end()) return;  // cut
  Downward down{tokens.at + network_, tokens.id, tokens.count, tokens.total, tokens.last, ""};
  if (!it->second.ask.stream) {
    if (!tokens.last) return;
    down.whole = response({200, kJsonType, it->second.text->whole()}, true);
  }
  downward_.push_back(std::move(down));
}

void VirtualTransport::arrive(SequenceId id, MonoTime at) {
  const auto it = flights_.find(id);
  if (it == flights_.end()) return;  // cut while it was on its way
  Flight& flight = it->second;
  const std::size_t head_end = flight.request.find("\r\n\r\n");
  EVENBENCH_CHECK(head_end != std::string_view::npos, "a request without an end of its head");
  const std::string_view line = flight.request.substr(0, flight.request.find("\r\n"));
  const bool chat = line.find("/chat/completions ") != std::string_view::npos;
  const auto taken = front_.take(chat ? wire::Api::kChat : wire::Api::kCompletions, kJsonType,
                                 flight.request.substr(head_end + 4));
  if (const Ask* ask = std::get_if<Ask>(&taken)) flight.ask = *ask;
  if (std::string no = refusal(id, taken, at); !no.empty()) {
    downward_.push_back({at + network_, id, 0, 0, true, std::move(no)});
    return;
  }
  const auto seconds =
      std::chrono::floor<std::chrono::seconds>(clock_.wall()).time_since_epoch().count();
  flight.text.emplace(front_.engine(), flight.ask, id, seconds);
  if (flight.ask.stream) downward_.push_back({at + network_, id, 0, 0, false, ""});
}

// Empty: the engine has taken it.
std::string VirtualTransport::refusal(SequenceId id, const std::variant<Ask, Reply>& taken,
                                      MonoTime at) {
  if (const Reply* no = std::get_if<Reply>(&taken)) return front_.bytes_of(*no, true);
  const Ask& ask = std::get<Ask>(taken);
  if (model_.submit(id, ask.prompt_tokens, ask.output_tokens, at)) return "";
  return front_.bytes_of(front_.engine().dialect->overloaded(ask.stream), true);
}

void VirtualTransport::deliver(const Downward& down, wire::TransportListener& listener) {
  const auto it = flights_.find(down.id);
  if (it == flights_.end()) return;  // cut
  Flight& flight = it->second;
  if (!down.whole.empty()) {
    take_whole(flight, down);
  } else if (down.count == 0) {
    flight.out.http_status = 200;
    flight.out.streamed = true;
    flight.out.headers = seen_at(down.at);
    flight.out.bytes += stream_head(front_.engine().dialect->style, true).size();
    ++flight.out.reads;
  } else {
    take_tokens(flight, down);
  }
  if (down.last) done(down.id, listener);
}

// Rare enough to be read as the real client reads it.
void VirtualTransport::take_whole(Flight& flight, const Downward& down) {
  exchange_.begin(flight.ask.stream, false);
  exchange_.on_bytes(down.whole, seen_at(down.at));
  const MonoTime sent = flight.out.sent;
  flight.out = exchange_.take();
  flight.out.sent = sent;
}

// What wire::Exchange makes of AnswerText::tokens(), without writing and reading JSON: a test holds
// the two together.
void VirtualTransport::take_tokens(Flight& flight, const Downward& down) {
  Exchanged& out = flight.out;
  const Ask& ask = flight.ask;
  const Stamp stamp = seen_at(down.at);
  const std::string_view dialect = front_.engine().dialect->name;
  const bool tgi = dialect == "tgi";
  const bool running = ask.continuous_usage && !tgi;
  const bool on_last_event = tgi && ask.api == wire::Api::kCompletions;
  const bool final_usage = ask.include_usage || on_last_event;
  // The token that ends a text by itself has none, but for TGI's completions.
  const bool silent = down.last && ask.natural_end && !on_last_event && down.count == 1;
  // Usage that rides on an event tells how many tokens it carries, if none went uncounted before.
  const bool counted = running || (on_last_event && down.last && down.count == down.total);
  if (!observed(out.first_event)) out.first_event = stamp;
  if (!silent) {
    if (!observed(out.first_token)) out.first_token = out.first_content = stamp;
    out.last_token = stamp;
    out.tokens.push_back({.at = stamp, .tokens = counted ? down.count : 0, .merged = false});
  }
  scratch_.clear();
  flight.text->tokens(down.count, down.total, down.last, scratch_);
  out.bytes += scratch_.size();
  ++out.reads;
  if (running || (down.last && final_usage)) {
    out.prompt_tokens = ask.prompt_tokens;
    if (dialect == "trtllm") out.cached_tokens = 0;
    out.output_tokens = down.total;
    out.source = down.last ? TokenSource::kUsage : TokenSource::kRunningUsage;
  }
  if (!down.last) return;
  out.finish_reason = !ask.natural_end ? "length" : on_last_event ? "eos_token" : "stop";
  out.done_mark = true;
  out.ending = Ending::kDone;
  out.closed = stamp;
}

void VirtualTransport::done(SequenceId id, wire::TransportListener& listener) {
  const auto it = flights_.find(id);
  const wire::Tag tag = it->second.tag;
  Exchanged out = std::move(it->second.out);
  flights_.erase(it);
  by_tag_.erase(tag);
  any_done_ = true;
  listener.on_done(tag, std::move(out));
}

}  // namespace

std::unique_ptr<wire::Transport> make_virtual_transport(Profile profile, std::uint64_t seed,
                                                        VirtualClock& clock, Nanos network) {
  return std::make_unique<VirtualTransport>(std::move(profile), seed, clock, network);
}

}  // namespace evenbench::sim
