#include "cli/attachment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/secrets.h"
#include "cli/secret_names.h"
#include "net/fetch.h"

namespace evenbench::cli {
namespace {

std::string proxy_note(const wire::Endpoint& endpoint) {
  const auto either = [](const char* upper, const char* lower) {
    const std::string value = from_environment(upper);
    return value.empty() ? from_environment(lower) : value;
  };
  std::string warning;
  const std::string proxy = net::proxy_for(endpoint, either("HTTP_PROXY", "http_proxy"),
                                           either("HTTPS_PROXY", "https_proxy"),
                                           either("NO_PROXY", "no_proxy"), &warning);
  std::string out = "proxy: " + proxy;
  if (proxy != "none") out += " is set for this address but evenbench connects directly";
  if (!warning.empty()) out += "; " + warning;
  return out;
}

// Files and secret stores put a line end behind a key; anywhere else a control byte would break
// the request's head.
Result<std::string> tidy_key(std::string key, const std::string& variable) {
  while (!key.empty() && std::isspace(static_cast<unsigned char>(key.back())) != 0) key.pop_back();
  for (const char c : key) {
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F) {
      return environment_error(fmt::format(
          "the key in {} holds a blank or a control character; set it to the key alone", variable));
    }
  }
  return key;
}

// As it stands and as it stands inside a JSON text: a server may echo either.
void add_secret(Attachment& out, const std::string& secret) {
  if (secret.empty()) return;
  out.secrets.push_back(secret);
  const std::string quoted =
      nlohmann::json(secret).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string escaped = quoted.substr(1, quoted.size() - 2);
  if (escaped != secret) out.secrets.push_back(escaped);
}

bool has_authorization(const wire::Headers& headers) {
  return std::ranges::any_of(headers, [](const auto& header) {
    return std::ranges::equal(header.first, std::string_view("authorization"), {},
                              [](unsigned char c) { return std::tolower(c); });
  });
}

Result<void> add_key(const Spec& spec, const SystemSpec& system, const Credentials& credentials,
                     Attachment& out) {
  std::string name = system.key_env.empty() ? spec.credentials.key_env : system.key_env;
  const bool named = !name.empty();
  if (!named) {
    if (!out.remote.remote && !system.address_from_env) return {};
    if (has_authorization(spec.request.headers)) return {};
    name = kUsualKeyEnv;
  }
  const auto value = credentials.value_of(name);
  if (!value) return value.error();
  const auto key = tidy_key(*value, name);
  if (!key) return key.error();
  if (key->empty()) {
    if (!named) return {};
    return environment_error(
        fmt::format("the variable {} is to hold the key but is not set; export {}=..., or put it "
                    "into an .env file",
                    name, name));
  }
  out.key_env = name;
  out.headers.emplace_back("Authorization", "Bearer " + *key);
  add_secret(out, *key);
  return {};
}

}  // namespace

Error without_secrets(Error error, const std::vector<std::string>& secrets) {
  hide_secrets(error.message, secrets);
  return error;
}

Result<Attachment> attachment_of(const Spec& spec, const SystemSpec& system,
                                 const Credentials& credentials,
                                 const std::vector<std::string>& own) {
  const std::string url = system.attach_url.empty()
                              ? fmt::format("http://{}:{}", system.host, system.port)
                              : system.attach_url;
  auto endpoint = wire::parse_endpoint(url);
  if (!endpoint) return endpoint.error().in(system.name);
  Attachment out;
  out.endpoint = *endpoint;
  out.remote = remote_of(system, out.endpoint, own);
  if (auto keyed = add_key(spec, system, credentials, out); !keyed) {
    return keyed.error().in(system.name);
  }
  for (const auto& header : spec.request.headers) {
    out.headers.push_back(header);
    // "Bearer KEY", "Basic KEY", or the key alone.
    if (names_secret(header.first)) {
      add_secret(out, header.second.substr(header.second.rfind(' ') + 1));
    }
  }
  out.transport.endpoint = out.endpoint;
  out.transport.tls = spec.tls;
  out.transport.limits = spec.limits;
  out.transport.retries = spec.retries;
  out.transport.expect_stream = spec.request.stream;
  out.proxy_note = proxy_note(out.endpoint);
  return out;
}

}  // namespace evenbench::cli
