// Asks an engine that is ready what it says of itself: the routes of its setting rules, and how its
// own tokenizer counts a few fixed texts. Every question has a time limit; what is not answered is
// not there. Before the load, never beside it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/setting_rules.h"
#include "net/fetch.h"

namespace evenbench::engine {

// Texts whose tokens differ from one tokenizer to another: prose, code, digits, Chinese, accents
// and signs beyond the basic plane.
std::span<const std::string_view> probe_texts();

std::string tokenize_body(const TokenizeRoute& tokenize, const std::string& model,
                          std::string_view text);
// {"count": 3}, {"tokens": [...]} or a list; nullopt: it says neither.
std::optional<std::size_t> token_count(std::string_view answer);

struct EvidenceOptions {
  wire::Endpoint endpoint;
  net::Tls tls;
  wire::Headers headers;  // sent with every question, kept nowhere
  std::string model;      // as requests name it
  Nanos timeout = std::chrono::seconds{5};
};

// Bodies of those routes that answered 200.
std::map<std::string, std::string> ask_routes(const EvidenceOptions& options,
                                              const std::vector<std::string>& routes,
                                              const Clock& clock);
// "5,12,31"; "" where one of the texts could not be counted.
std::string ask_token_counts(const EvidenceOptions& options, const TokenizeRoute& tokenize,
                             const Clock& clock);

}  // namespace evenbench::engine
