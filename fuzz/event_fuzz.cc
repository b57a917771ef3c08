// The decoder against a second JSON reader: what it takes for an object is one, and the text it
// counts is there.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "wire/event_decoder.h"

using evenbench::wire::EventDecoder;
using nlohmann::json;

namespace {

std::size_t text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get_ref<const std::string&>().size()
                                                     : 0;
}

// Visible text of a well-formed chat event with one choice; everything else is left alone.
std::size_t reference_content(const json& root) {
  if (!root.contains("choices") || !root["choices"].is_array() || root["choices"].size() != 1) {
    return 0;
  }
  const json& choice = root["choices"][0];
  if (!choice.is_object() || !choice.contains("delta") || !choice["delta"].is_object()) return 0;
  return text_of(choice["delta"], "content");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static EventDecoder decoder;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto& event = decoder.decode(bytes, false);
  const json root = json::parse(bytes, nullptr, false);
  if (event.done_mark || !root.is_object() || !event.broken.empty()) return 0;
  if (event.content_bytes < reference_content(root)) std::abort();
  return 0;
}
