#include "sim/answer_text.h"

namespace evenbench::sim {

AnswerText::AnswerText(const Engine& engine, const Ask& ask, std::uint64_t number,
                       std::int64_t created_s)
    : engine_(engine),
      ask_(ask),
      number_(number),
      created_s_(created_s),
      words_(engine.settings, ask, (engine.seed << 32U) + number) {
  if (ask.stream) shape_ = engine.dialect->events(answer());
}

Answer AnswerText::answer() const {
  const Dialect& dialect = *engine_.dialect;
  // "tgi" is the name under which TGI's own model is asked for.
  const bool own = !dialect.says_name_back || ask_.model.empty() || ask_.model == dialect.name;
  return {ask_, dialect.answer_id(ask_, number_), own ? engine_.model : ask_.model, created_s_};
}

void AnswerText::fixed(const std::string& json, const char* behind, std::string& out) const {
  append_chunk(engine_.dialect->style, "data: " + json + "}" + behind + "\n\n", out);
}

void AnswerText::event(std::uint32_t words, std::uint32_t total, bool last,
                       std::string& out) const {
  const bool end = last && ask_.natural_end;
  if (words == 0 && shape_.skips_empty_text) return;
  std::string text = "data: ";
  text.reserve(shape_.before.size() + shape_.after.size() + words * Words::kSize + 128);
  text += last ? shape_.last_before : shape_.before;
  words_.append(total - words - (end ? 1 : 0), words, text);
  if (end) text += shape_.last_text;
  text += last ? shape_.last_after : shape_.after;
  if (shape_.running_usage) {
    text += ",\"usage\":" + engine_.dialect->usage(UsageIn::kEveryEvent, ask_, total);
  }
  text += "}\n\n";
  append_chunk(engine_.dialect->style, text, out);
}

void AnswerText::tokens(std::uint32_t count, std::uint32_t total, bool last,
                        std::string& out) const {
  // The engines that have a role event send it with the first token.
  if (total == count && !shape_.role.empty()) {
    fixed(shape_.role, shape_.role_blank ? " " : "", out);
  }
  std::uint32_t left = count;
  while (shape_.one_token_events && left > 1) event(1, total - --left, false, out);
  event(left - (last && ask_.natural_end ? 1 : 0), total, last, out);
  if (!last) return;
  if (!shape_.finish.empty()) fixed(shape_.finish, "", out);
  if (shape_.usage_event) {
    fixed(shape_.usage_before + engine_.dialect->usage(UsageIn::kLastEvent, ask_, total) +
              shape_.usage_after,
          "", out);
  }
  append_done(engine_.dialect->style, out);
}

std::string AnswerText::whole() const {
  std::string text;
  words_.append(0, ask_.output_tokens - (ask_.natural_end ? 1 : 0), text);
  return engine_.dialect->whole(answer(), text);
}

}  // namespace evenbench::sim
