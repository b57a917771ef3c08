#include "judge/testing/fake_reader.h"

#include <algorithm>

namespace evenbench::judge::testing {

RequestBuilder::RequestBuilder(double planned_ms) : planned_ms_(planned_ms) {
  row_.planned = at_ms(planned_ms);
  row_.exchanged.sent = row_.planned;
  row_.exchanged.ending = Ending::kDone;
  row_.exchanged.http_status = 200;
  row_.exchanged.streamed = true;
}

RequestBuilder& RequestBuilder::tokens(const std::vector<double>& after_ms) {
  Exchanged& x = row_.exchanged;
  for (const double ms : after_ms) x.tokens.push_back({stamp_ms(planned_ms_ + ms), 0, false});
  if (after_ms.empty()) return *this;
  x.first_token = x.first_content = x.first_event = x.headers = x.tokens.front().at;
  x.last_token = x.closed = x.tokens.back().at;
  x.reads = static_cast<std::uint32_t>(after_ms.size());
  return *this;
}

RequestBuilder& RequestBuilder::tokens(std::initializer_list<double> after_ms) {
  return tokens(std::vector<double>(after_ms));
}

RequestBuilder& RequestBuilder::counts(std::initializer_list<std::uint32_t> per_event) {
  std::size_t i = 0;
  for (const std::uint32_t count : per_event) row_.exchanged.tokens.at(i++).tokens = count;
  return *this;
}

RequestBuilder& RequestBuilder::usage(std::uint32_t prompt, std::uint32_t output) {
  row_.exchanged.prompt_tokens = prompt;
  row_.exchanged.output_tokens = output;
  row_.exchanged.source = TokenSource::kUsage;
  return *this;
}

RequestBuilder& RequestBuilder::asked(std::uint32_t input, std::uint32_t output) {
  row_.input_asked = input;
  row_.output_asked = output;
  return *this;
}

RequestBuilder& RequestBuilder::sent(double at) {
  row_.exchanged.sent = at_ms(at);
  return *this;
}

RequestBuilder& RequestBuilder::closed(double after_ms) {
  row_.exchanged.closed = stamp_ms(planned_ms_ + after_ms);
  return *this;
}

RequestBuilder& RequestBuilder::kernel(double before_ms) {
  Exchanged& x = row_.exchanged;
  const auto stamp = [before_ms](Stamp& at) {
    if (observed(at)) at.kernel = at.user - from_seconds(before_ms / 1000.0);
  };
  for (Stamp* at :
       {&x.headers, &x.first_event, &x.first_token, &x.first_content, &x.last_token, &x.closed}) {
    stamp(*at);
  }
  for (TokenEvent& event : x.tokens) stamp(event.at);
  return *this;
}

RequestBuilder& RequestBuilder::merged(std::initializer_list<std::size_t> events) {
  for (const std::size_t i : events) row_.exchanged.tokens.at(i).merged = true;
  return *this;
}

RequestBuilder& RequestBuilder::phase(Phase phase) {
  row_.phase = phase;
  return *this;
}

RequestBuilder& RequestBuilder::whole(double after_ms) {
  row_.exchanged.streamed = false;
  row_.exchanged.last_token = stamp_ms(planned_ms_ + after_ms);
  return closed(after_ms);
}

RequestBuilder& RequestBuilder::failed(Ending ending, std::string detail, double after_ms,
                                       int status) {
  row_.exchanged.ending = ending;
  row_.exchanged.detail = std::move(detail);
  row_.exchanged.http_status = status;
  return closed(after_ms);
}

RequestBuilder& RequestBuilder::cut(double at) {
  row_.exchanged.ending = Ending::kCutAtEnd;
  row_.exchanged.closed = stamp_ms(at);
  return *this;
}

FakeReader::FakeReader() {
  run_row.anchor = at_ms(0);
  system_rows.push_back({1, "north", "vllm", false, "http://127.0.0.1:8000"});
  record::VisitRow visit;
  visit.id = visit.system_id = 1;
  visit_rows.push_back(visit);
}

record::StepRow& FakeReader::add_step(double begin_ms, double end_ms, double rate) {
  record::StepRow row;
  row.id = static_cast<std::int64_t>(step_rows.size()) + 1;
  row.visit_id = visit_rows.back().id;
  row.ordinal = static_cast<int>(row.id);
  row.kind = "ladder";
  row.planned_rate = rate;
  row.arrivals = "constant";
  row.begin = row.window_begin = at_ms(begin_ms);
  row.end = row.window_end = at_ms(end_ms);
  row.finished = true;
  step_rows.push_back(row);
  return step_rows.back();
}

record::StepRow& FakeReader::add_closed(double begin_ms, double end_ms, std::uint32_t concurrency) {
  record::StepRow& row = add_step(begin_ms, end_ms, 0);
  row.kind = "closed";
  row.planned_rate.reset();
  row.arrivals.clear();
  row.concurrency = concurrency;
  return row;
}

void FakeReader::add(record::RequestRow row) {
  record::StepRow& step = step_rows.back();
  row.step_id = step.id;
  row.index = static_cast<std::uint32_t>(requests[step.id].size());
  step.end = std::max(step.end, row.exchanged.closed.user);
  requests[step.id].push_back(std::move(row));
}

JudgedStep FakeReader::judged_step() const {
  return judge(*this).value().systems.at(0).steps.at(0);
}

Result<void> FakeReader::for_each_gpu_sample(
    std::int64_t visit_id, const std::function<void(const record::GpuSampleRow&)>& take) const {
  for (const record::GpuSampleRow& row : gpu_sample_rows) {
    if (row.visit_id == visit_id) take(row);
  }
  return {};
}

Result<void> FakeReader::for_each_engine_sample(
    std::int64_t step_id, const std::function<void(const record::EngineSampleRow&)>& take) const {
  for (const record::EngineSampleRow& row : engine_sample_rows) {
    if (row.step_id == step_id) take(row);
  }
  return {};
}

Result<void> FakeReader::for_each_request(
    std::int64_t step_id, const std::function<void(const record::RequestRow&)>& visit) const {
  const auto it = requests.find(step_id);
  if (it == requests.end()) return {};
  for (const record::RequestRow& row : it->second) visit(row);
  return {};
}

Result<record::FirstTokens> FakeReader::first_tokens(std::int64_t step_id) const {
  record::FirstTokens tokens;
  const auto it = requests.find(step_id);
  if (it == requests.end()) return tokens;
  for (const record::RequestRow& row : it->second) {
    const Exchanged& x = row.exchanged;
    if (!x.streamed || !observed(x.first_token)) continue;
    ++tokens.seen;
    tokens.by_kernel += observed(x.first_token.kernel) ? 1 : 0;
  }
  return tokens;
}

bool says(const JudgedStep& step, std::string_view text) {
  return std::any_of(step.reasons.begin(), step.reasons.end(), [&](const std::string& reason) {
    return reason.find(text) != std::string::npos;
  });
}

}  // namespace evenbench::judge::testing
