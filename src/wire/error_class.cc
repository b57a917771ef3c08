#include "wire/error_class.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>
#include <string>

namespace evenbench::wire {
namespace {

using Words = std::span<const std::string_view>;

// All in lower case. The servers' own words, from recorded answers and their sources.
constexpr std::array<std::string_view, 6> kKeyWords = {
    "invalid api key", "incorrect api key", "api key not valid", "no api key passed",
    "invalid token",
    // LiteLLM without a database: any key but its own.
    "no connected db"};
constexpr std::array<std::string_view, 11> kRateWords = {
    "rate limit",   "ratelimit",  "rate_limit", "per minute", "per second", "too many requests",
    "requests per", "tokens per", "retry in",   "rpm",        "throttling"};
constexpr std::array<std::string_view, 10> kQuotaWords = {
    "quota",   "billing",      "insufficient_balance", "insufficient balance", "credit",
    "payment", "expired plan", "plan has expired",     "spending limit",       "budget"};
constexpr std::array<std::string_view, 6> kOverloadWords = {"overloaded",  "currently busy",
                                                            "server busy", "queue is full",
                                                            "at capacity", "no slot available"};
constexpr std::array<std::string_view, 13> kLengthWords = {
    "maximum context length",
    "context_length_exceeded",
    "contextwindowexceeded",
    "exceeds the available context size",
    "exceed_context_size",
    "cannot be greater than max_model_len",
    "should not exceed max_num_tokens",
    "default_max_tokens",
    "`inputs` must have less than",
    "`inputs` tokens + `max_new_tokens` must be",
    "longer than the model's context length",
    "prompt is too long",
    "input is too long"};
constexpr std::array<std::string_view, 4> kModelWords = {"invalid model name", "model_not_found",
                                                         "unknown model", "no such model"};
constexpr std::array<std::string_view, 8> kFieldWords = {"extra_forbidden",
                                                         "extra inputs are not permitted",
                                                         "unsupported parameter",
                                                         "unsupported_parameter",
                                                         "is not supported",
                                                         "unknown field",
                                                         "unrecognized request argument",
                                                         "does not support parameters"};
// Faults of the engine that some servers answer with 400 or 422.
constexpr std::array<std::string_view, 8> kFaultWords = {"out of memory",
                                                         "request failed during generation",
                                                         "incomplete generation",
                                                         "internal server error",
                                                         "enginecore",
                                                         "engine core",
                                                         "executor",
                                                         "cuda error"};
constexpr std::array<std::string_view, 3> kRequestWords = {"validation error", "must be",
                                                           "invalid_request_error"};

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool has_any(std::string_view text, Words words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has(text, word); });
}

bool names_no_model(std::string_view text) {
  if (has_any(text, kModelWords)) return true;
  return has(text, "model") && (has(text, "does not exist") || has(text, "not found"));
}

// 429: money does not come back by waiting, a rate does.
ErrorClass of_limit(std::string_view text, const std::optional<int>& retry_after_s) {
  if (has_any(text, kOverloadWords)) return ErrorClass::kOverloaded;
  if (has_any(text, kRateWords) || retry_after_s) return ErrorClass::kThrottled;
  return has_any(text, kQuotaWords) ? ErrorClass::kQuota : ErrorClass::kThrottled;
}

// A request that was refused for what it holds, or a fault that is worded so.
ErrorClass of_words(std::string_view text, ErrorClass otherwise) {
  if (has_any(text, kOverloadWords)) return ErrorClass::kOverloaded;
  if (has_any(text, kKeyWords)) return ErrorClass::kKeyRefused;
  if (has_any(text, kLengthWords)) return ErrorClass::kTooLong;
  if (names_no_model(text)) return ErrorClass::kUnknownModel;
  if (has_any(text, kFieldWords)) return ErrorClass::kUnsupportedField;
  if (has_any(text, kFaultWords)) return ErrorClass::kProviderFault;
  if (has_any(text, kRequestWords)) return ErrorClass::kBadRequest;
  return otherwise;
}

ErrorClass of_fault(std::string_view text) {
  if (has_any(text, kOverloadWords)) return ErrorClass::kOverloaded;
  // Some servers answer a request that they cannot read with 500.
  return has(text, "validation error") ? ErrorClass::kBadRequest : ErrorClass::kProviderFault;
}

// "in-stream error 503: text": the code (0: none) and the text.
ErrorAnswer parts_of(std::string_view detail) {
  ErrorAnswer out;
  const auto colon = detail.find(": ");
  out.said = colon == std::string_view::npos ? std::string_view{} : detail.substr(colon + 2);
  const std::string_view head = detail.substr(0, colon);
  const auto blank = head.rfind(' ');
  if (blank != std::string_view::npos) {
    std::from_chars(head.data() + blank + 1, head.data() + head.size(), out.status);
  }
  return out;
}

}  // namespace

std::string_view name_of(ErrorClass error) {
  static constexpr std::array<std::string_view, kErrorClassCount> kNames = {
      "key_refused",    "permission",        "quota",       "throttled",
      "provider_fault", "overloaded",        "bad_request", "too_long",
      "unknown_model",  "unsupported_field", "other"};
  return kNames[static_cast<std::size_t>(error)];
}

ErrorClass error_class(const ErrorAnswer& answer) {
  std::string text(answer.said);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  switch (answer.status) {
    case 0:
      return of_words(text, ErrorClass::kOther);
    case 401:
      return ErrorClass::kKeyRefused;
    case 402:
      return ErrorClass::kQuota;
    case 403:
      return has_any(text, kQuotaWords) ? ErrorClass::kQuota : ErrorClass::kPermission;
    case 404:
      return names_no_model(text) ? ErrorClass::kUnknownModel : ErrorClass::kOther;
    case 413:
      return ErrorClass::kTooLong;
    case 424:
      return ErrorClass::kProviderFault;
    case 429:
      return of_limit(text, answer.retry_after_s);
    case 400:
    case 415:
    case 422:
      return of_words(text, ErrorClass::kBadRequest);
    default:
      return answer.status >= 500 ? of_fault(text) : ErrorClass::kOther;
  }
}

std::optional<ErrorClass> error_class(const Exchanged& x) {
  if (x.ending != Ending::kHttpError && x.ending != Ending::kStreamError) return std::nullopt;
  ErrorAnswer answer = parts_of(x.detail);
  if (x.ending == Ending::kHttpError) answer.status = x.http_status;
  answer.retry_after_s = x.retry_after_s;
  return error_class(answer);
}

}  // namespace evenbench::wire
