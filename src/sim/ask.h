// What a request to a simulated engine asks for, read from its JSON body. A word counts as a token:
// no tokenizer is known here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "wire/request.h"

namespace evenbench::sim {

struct Ask {
  wire::Api api = wire::Api::kChat;
  std::string model;  // "" = not named
  std::uint32_t prompt_tokens = 0;
  std::uint32_t output_tokens = 16;
  bool stream = false;
  bool include_usage = false;
  bool continuous_usage = false;
};

class AskReader {
 public:
  AskReader();
  ~AskReader();
  // Error: what is wrong with the body, for the 400 answer.
  Result<Ask> read(wire::Api api, std::string_view body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Words between blanks of any kind.
std::uint32_t count_words(std::string_view text);

}  // namespace evenbench::sim
