// The same fixed prompts for every system before its load, greedy, so that the audit can see
// whether they run the same model. Compares nothing itself.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/http_transport.h"
#include "record/evidence_rows.h"
#include "wire/request.h"

namespace evenbench::engine {

std::span<const std::string_view> agreement_prompts();

// Every prompt this often: a server that does not repeat itself is no measure for another.
inline constexpr int kAgreementRepeats = 2;
// Long enough for a difference to show, short enough for a CPU.
inline constexpr std::uint32_t kAgreementTokens = 32;

// The shape of a run's requests made greedy, and free to end by itself.
wire::RequestShape greedy(wire::RequestShape shape);

struct AgreementOptions {
  net::TransportOptions transport;
  wire::Headers headers;
  wire::RequestShape shape;  // of the run
  Nanos request_limit = std::chrono::seconds{30};
  Nanos total_limit = std::chrono::minutes{2};  // what is not asked by then is not asked
  std::function<bool()> interrupted = [] { return false; };
};

// One row per answer, in the order of asking; the visit is the caller's to fill in. Error: what
// cannot be an ending of a request (a bad CA file).
Result<std::vector<record::AgreementRow>> ask_agreement(const AgreementOptions& options,
                                                        const Clock& clock);

}  // namespace evenbench::engine
