#include "engine/agreement_probe.h"

#include <array>

#include "net/fetch.h"

namespace evenbench::engine {
namespace {

// Plain matters whose likely continuation does not hang on a rare word.
constexpr std::array<std::string_view, 6> kPrompts{
    "Name the capital of France and describe it in a few sentences.",
    "Count from one to twenty in words, separated by commas.",
    "Explain to a child why the sky is blue.",
    "Write a short recipe for vegetable soup, step by step.",
    "List the days of the week and one thing people often do on each.",
    "Continue this story: The old lighthouse keeper heard a knock at the door,"};

record::AgreementRow row_of(int prompt, int repeat, const Exchanged& answer) {
  record::AgreementRow row;
  row.prompt = prompt;
  row.repeat = repeat;
  row.ending = answer.ending;
  row.detail = answer.detail;
  row.text = answer.text;
  row.prompt_tokens = answer.prompt_tokens;
  row.output_tokens = answer.output_tokens;
  return row;
}

}  // namespace

std::span<const std::string_view> agreement_prompts() {
  return kPrompts;
}

wire::RequestShape greedy(wire::RequestShape shape) {
  shape.temperature = 0;
  shape.ignore_eos = false;
  shape.min_tokens = false;
  return shape;
}

Result<std::vector<record::AgreementRow>> ask_agreement(const AgreementOptions& options,
                                                        const Clock& clock) {
  net::TransportOptions transport = options.transport;
  transport.limits = net::Limits{};
  transport.limits.total = options.request_limit;
  transport.retries = net::Retries{};
  transport.preopen = 0;
  transport.expect_stream = options.shape.stream;
  const wire::RequestShape shape = greedy(options.shape);
  const char* route = shape.api == wire::Api::kChat ? "chat/completions" : "completions";
  const std::string path = transport.endpoint.path(route);
  const MonoTime until = clock.now() + options.total_limit;
  std::vector<record::AgreementRow> out;
  for (int repeat = 1; repeat <= kAgreementRepeats; ++repeat) {
    int number = 0;
    for (const std::string_view prompt : kPrompts) {
      if (options.interrupted() || clock.now() >= until) return out;
      const std::string request =
          wire::http_request("POST", transport.endpoint, path, options.headers,
                             wire::request_body(shape, prompt, kAgreementTokens));
      const auto answer = net::fetch_stream(transport, request, clock);
      if (!answer) return answer.error();
      out.push_back(row_of(++number, repeat, *answer));
    }
  }
  return out;
}

}  // namespace evenbench::engine
