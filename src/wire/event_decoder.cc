#include "wire/event_decoder.h"

#include <simdjson.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/prefetch.h"
#include "wire/event_template.h"

namespace evenbench::wire {
namespace {

namespace sj = simdjson;
using Value = sj::ondemand::value;
using Object = sj::ondemand::object;

constexpr std::size_t kMaxMessage = 512;

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  return s;
}

}  // namespace

// Every member function may throw simdjson_error; decode() alone catches it. On-Demand reads each
// value once and in order, so each object is walked once and its keys are compared as they come: no
// engine's key order is assumed.
struct EventDecoder::State {
  sj::ondemand::parser parser;
  std::string buffer;  // the parser wants padding behind its input
  DecodedEvent event;
  bool keep_text = false;
  // While something is learned, `event` is what the learned event says.
  EventTemplate usual;
  std::uint32_t DecodedEvent::*usual_counter = nullptr;  // what the text of `usual` counts as
  std::size_t texts = 0;                                 // how many texts the event at hand has
  std::string_view raw_text;                             // the last of them, as it stands in buffer

  void clear() {
    usual.forget();
    texts = 0;
    raw_text = {};
    event.done_mark = event.has_choices = event.tool_piece = false;
    event.has_usage = event.finished = event.has_error = false;
    event.broken = {};
    event.content_bytes = event.reasoning_bytes = event.token_ids = 0;
    event.prompt_tokens = event.completion_tokens = {};
    event.reasoning_tokens = event.cached_tokens = {};
    event.error_code = 0;
    event.finish_reason.clear();
    event.error_word.clear();
    event.error_message.clear();
    event.text.clear();
  }

  static bool is(Value& value, sj::ondemand::json_type type) {
    return value.type().value() == type;
  }
  static bool is_string(Value& v) { return is(v, sj::ondemand::json_type::string); }
  static bool is_object(Value& v) { return is(v, sj::ondemand::json_type::object); }
  static bool is_array(Value& v) { return is(v, sj::ondemand::json_type::array); }

  template <typename Each>
  static void each_field(Object object, Each&& each) {
    for (auto field : object) each(field.unescaped_key().value(), field.value().value());
  }

  // Counts the text of a string value; anything else (null above all) is no text.
  void add_text(Value value, std::uint32_t DecodedEvent::*counter) {
    if (!is_string(value)) return;
    const std::string_view raw = value.raw_json_token();
    const std::string_view text = value.get_string().value();
    event.*counter += static_cast<std::uint32_t>(text.size());
    if (keep_text) event.text += text;
    ++texts;
    usual_counter = counter;
    raw_text = raw.substr(1, raw.rfind('"') - 1);  // blanks may follow the closing quote
  }

  static std::optional<std::uint32_t> count(Value value) {
    if (!is(value, sj::ondemand::json_type::number)) return std::nullopt;
    const double number = value.get_double().value();
    if (!(number >= 0) || number > 4e9) return std::nullopt;
    return static_cast<std::uint32_t>(number);
  }

  static std::string short_text(Value value) {
    if (is_string(value)) return std::string(value.get_string().value().substr(0, kMaxMessage));
    const std::string_view raw = sj::to_json_string(value).value();
    return std::string(raw.substr(0, kMaxMessage));
  }

  void read_details(Value value, std::string_view key, std::optional<std::uint32_t>& out) {
    if (!is_object(value)) return;
    each_field(value.get_object(), [&](std::string_view name, Value inner) {
      if (name == key) out = count(inner);
    });
  }

  void read_usage(Value value) {
    if (!is_object(value)) return;
    event.has_usage = true;
    each_field(value.get_object(), [&](std::string_view key, Value inner) {
      if (key == "prompt_tokens") {
        event.prompt_tokens = count(inner);
      } else if (key == "completion_tokens") {
        event.completion_tokens = count(inner);
      } else if (key == "prompt_tokens_details") {
        read_details(inner, "cached_tokens", event.cached_tokens);
      } else if (key == "completion_tokens_details") {
        read_details(inner, "reasoning_tokens", event.reasoning_tokens);
      }
    });
  }

  void read_tool_calls(Value value) {
    if (!is_array(value)) return;
    for (auto call : value.get_array()) {
      Value item = call.value();
      if (!is_object(item)) continue;
      each_field(item.get_object(), [&](std::string_view key, Value inner) {
        if (key != "function" || !is_object(inner)) return;
        each_field(inner.get_object(), [&](std::string_view name, Value piece) {
          if (name != "name" && name != "arguments") return;
          if (is_string(piece) && !piece.get_string().value().empty()) event.tool_piece = true;
        });
      });
    }
  }

  void read_delta(Value value) {
    if (!is_object(value)) return;
    each_field(value.get_object(), [&](std::string_view key, Value inner) {
      if (key == "content") {
        add_text(inner, &DecodedEvent::content_bytes);
      } else if (key == "reasoning" || key == "reasoning_content") {
        add_text(inner, &DecodedEvent::reasoning_bytes);
      } else if (key == "tool_calls") {
        read_tool_calls(inner);
      }
    });
  }

  void read_finish(Value value) {
    if (!is_string(value)) return;
    const std::string_view reason = value.get_string().value();
    if (reason.empty()) return;  // TGI's completions write "" where others write null
    event.finished = true;
    event.finish_reason = reason;
  }

  void read_choices(Value value) {
    if (!is_array(value)) return;
    for (auto choice : value.get_array()) {
      Value item = choice.value();
      if (!is_object(item)) continue;
      event.has_choices = true;
      each_field(item.get_object(), [&](std::string_view key, Value inner) {
        if (key == "delta" || key == "message") {
          read_delta(inner);
        } else if (key == "text") {
          add_text(inner, &DecodedEvent::content_bytes);
        } else if (key == "finish_reason") {
          read_finish(inner);
        } else if (key == "token_ids" && is_array(inner)) {
          event.token_ids += static_cast<std::uint32_t>(inner.count_elements().value());
        }
      });
    }
  }

  // TGI's own route: {"token":{"text":…},"generated_text":null|"…","details":null|{…}}
  void read_tgi_token(Value value) {
    if (!is_object(value)) return;
    event.has_choices = true;
    each_field(value.get_object(), [&](std::string_view key, Value inner) {
      if (key == "text") add_text(inner, &DecodedEvent::content_bytes);
      if (key == "id") event.token_ids = 1;
    });
  }

  void read_tgi_details(Value value) {
    if (!is_object(value)) return;
    each_field(value.get_object(), [&](std::string_view key, Value inner) {
      if (key == "finish_reason") read_finish(inner);
      if (key == "generated_tokens") {
        event.completion_tokens = count(inner);
        event.has_usage = event.completion_tokens.has_value();
      }
      if (key == "input_length") event.prompt_tokens = count(inner);
    });
  }

  // "insufficient_quota", but not "429", nor what a server writes for none.
  static bool is_word(std::string_view text) {
    constexpr std::size_t kLongest = 64;
    constexpr std::string_view kCharacters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    if (text.empty() || text.size() > kLongest || text == "None" || text == "null") return false;
    return text.find_first_not_of(kCharacters) == std::string_view::npos &&
           text.find_first_not_of("0123456789.-") != std::string_view::npos;
  }

  void read_error_code(Value value) {
    if (const auto number = count(value)) {
      event.error_code = static_cast<int>(*number);
    } else if (is_string(value)) {
      const std::string text(value.get_string().value());
      event.error_code = std::atoi(text.c_str());
      if (is_word(text)) event.error_word = text;
    }
  }

  // An object {message, code | http_status_code}, or a bare string.
  void read_error(Value value) {
    if (is(value, sj::ondemand::json_type::null)) return;
    event.has_error = true;
    if (!is_object(value)) {
      event.error_message = short_text(value);
      return;
    }
    each_field(value.get_object(), [&](std::string_view key, Value inner) {
      if (key == "message") {
        event.error_message = short_text(inner);
      } else if (key == "code" || key == "http_status_code") {
        read_error_code(inner);
      }
    });
  }

  void read_root(Object root) {
    bool object_is_error = false;
    std::string message;
    std::string detail;
    std::string word;
    int code = 0;
    each_field(root, [&](std::string_view key, Value value) {
      if (key == "choices") {
        read_choices(value);
      } else if (key == "usage") {
        read_usage(value);
      } else if (key == "error") {
        read_error(value);
      } else if (key == "object") {
        object_is_error = is_string(value) && value.get_string().value() == "error";
      } else if (key == "message") {
        message = short_text(value);
      } else if (key == "detail") {
        detail = short_text(value);
      } else if (key == "code") {
        const int kept = event.error_code;
        const std::string kept_word = event.error_word;
        read_error_code(value);
        code = std::exchange(event.error_code, kept);
        word = std::exchange(event.error_word, kept_word);
      } else if (key == "token") {
        read_tgi_token(value);
      } else if (key == "generated_text") {
        if (is_string(value)) {
          event.finished = true;
          if (event.finish_reason.empty()) event.finish_reason = "generated_text";
        }
      } else if (key == "details") {
        read_tgi_details(value);
      }
    });
    if (object_is_error && !event.has_error) {
      event.has_error = true;
      event.error_message = message;
      event.error_code = code;
      event.error_word = word;
    }
    if (!event.has_error && !detail.empty() && !event.has_choices) {
      event.has_error = true;
      event.error_message = detail;
    }
  }

  // Of two events with the same bytes around their texts, all other values are alike: the next one
  // can say nothing new but its text, if that is the only one and counted once.
  void learn(std::string_view parsed) {
    if (texts != 1) return;
    usual.learn(parsed, static_cast<std::size_t>(raw_text.data() - parsed.data()), raw_text.size());
  }

  void take_usual(std::string_view text) {
    event.*usual_counter = static_cast<std::uint32_t>(text.size());
    event.text.assign(keep_text ? text : std::string_view());
  }

  void parse(std::string_view data) {
    if (buffer.size() < data.size() + sj::SIMDJSON_PADDING) {
      buffer.resize(2 * data.size() + sj::SIMDJSON_PADDING);
    }
    std::memcpy(buffer.data(), data.data(), data.size());
    std::memset(buffer.data() + data.size(), ' ', sj::SIMDJSON_PADDING);
    sj::ondemand::document document =
        parser.iterate(buffer.data(), data.size(), buffer.size()).value();
    read_root(document.get_object().value());
    // This version of the library tells that nothing is left by an error of the location.
    if (document.current_location().error() != sj::OUT_OF_BOUNDS) {
      event.broken = "bytes behind the JSON object";
    }
    learn({buffer.data(), data.size()});
  }
};

EventDecoder::EventDecoder() : state_(std::make_unique<State>()) {}
EventDecoder::~EventDecoder() = default;
EventDecoder::EventDecoder(EventDecoder&&) noexcept = default;
EventDecoder& EventDecoder::operator=(EventDecoder&&) noexcept = default;

void EventDecoder::prefetch() const {
  evenbench::prefetch(&state_->event, sizeof(DecodedEvent));
  state_->usual.prefetch();
}

const DecodedEvent& EventDecoder::decode(std::string_view data, bool keep_text) {
  State& state = *state_;
  state.keep_text = keep_text;
  data = trimmed(data);  // trtllm-serve writes a blank behind its role event
  if (const auto text = state.usual.text_of(data)) {
    state.take_usual(*text);
    return state.event;
  }
  state.clear();
  if (data == "[DONE]") {
    state.event.done_mark = true;
    return state.event;
  }
  try {
    state.parse(data);
  } catch (const sj::simdjson_error& error) {
    state.clear();
    state.event.broken = sj::error_message(error.error());
  }
  return state.event;
}

}  // namespace evenbench::wire
