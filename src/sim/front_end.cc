#include "sim/front_end.h"

#include "sim/tokenizer.h"

namespace evenbench::sim {
namespace {

// Of an answer that nobody limits.
constexpr std::uint32_t kNaturalTokens = 16;

// Where the text ends by itself, if it does so before its limit.
void settle_end(const Engine& engine, Ask& ask) {
  const Settings& settings = engine.settings;
  if (settings.empty_answers) {
    ask.output_tokens = 1;
    ask.natural_end = true;
    return;
  }
  std::uint32_t end = settings.natural_end;
  if (end == 0 && !ask.has_limit) end = kNaturalTokens;
  const bool goes_on = ask.ignore_eos && !engine.dialect->ignores_eos_wish;
  if (end == 0 || goes_on || end > ask.output_tokens) return;
  ask.output_tokens = end;
  ask.natural_end = true;
}

}  // namespace

std::variant<Ask, Reply> FrontEnd::take(wire::Api api, std::string_view content_type,
                                        std::string_view body) {
  const Dialect& dialect = *engine_.dialect;
  if (!content_type.starts_with(kJsonType)) {
    return dialect.refused(engine_, {.kind = Fault::Kind::kWrongContentType, .api = api});
  }
  auto read = reader_.read(api, body, api == wire::Api::kChat ? dialect.chat : dialect.completions);
  if (const Fault* fault = std::get_if<Fault>(&read)) return dialect.refused(engine_, *fault);
  Ask& ask = std::get<Ask>(read);
  ask.prompt_tokens = tokens_of(ask.prompt_words, engine_.settings.tokens_per_word);
  if (const auto fault = dialect.admit(engine_, ask)) return dialect.refused(engine_, *fault);
  settle_end(engine_, ask);
  return ask;
}

std::string FrontEnd::bytes_of(const Reply& reply, bool keep_alive) const {
  if (reply.type != kStreamType) return response(reply, keep_alive);
  const StreamStyle& style = engine_.dialect->style;
  std::string out = stream_head(style, keep_alive);
  append_chunk(style, "data: " + reply.body + "\n\n", out);
  append_done(style, out);
  return out;
}

}  // namespace evenbench::sim
