#include "cli/credentials.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "cli/env_file.h"

namespace evenbench::cli {
namespace {

std::set<std::string> names_of(const Spec& spec) {
  std::set<std::string> out{kUsualKeyEnv, spec.credentials.key_env, spec.credentials.base_url_env};
  for (const SystemSpec& system : spec.systems) out.insert(system.key_env);
  return out;
}

bool others_can_read(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && (status.st_mode & S_IROTH) != 0;
}

}  // namespace

std::string from_environment(const std::string& name) {
  const char* value =
      std::getenv(name.c_str());  // lint-ok(environment): keys and proxies are given this way
  return value == nullptr ? "" : value;
}

Result<Credentials> Credentials::read(const Spec& spec, Environment environment) {
  Credentials out;
  out.environment_ = std::move(environment);
  const bool stated = !spec.credentials.env_file.empty();
  const std::string path = stated ? spec.credentials.env_file : kUsualEnvFile;
  std::error_code failed;
  if (!stated && !std::filesystem::is_regular_file(path, failed)) return out;
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  auto parsed =
      in ? parse_env_file(text, path)
         : environment_error(fmt::format(
               "{} cannot be read; correct credentials.env_file, or its owner and mode", path));
  if (!parsed) {
    if (stated) return parsed.error();
    out.unreadable_ = parsed.error();
    return out;
  }
  out.file_ = std::move(*parsed);
  const auto names = names_of(spec);
  const bool used = std::ranges::any_of(
      out.file_, [&](const auto& entry) { return names.contains(entry.first); });
  if (used && others_can_read(path)) {
    out.warnings_.push_back(fmt::format(
        "{} holds a key and every user of this machine can read it: chmod 600 {}", path, path));
  }
  return out;
}

Result<std::string> Credentials::value_of(const std::string& name) const {
  if (std::string value = environment_(name); !value.empty()) return value;
  if (unreadable_) return *unreadable_;
  const auto found = file_.find(name);
  return found == file_.end() ? std::string() : found->second;
}

Result<void> fill_addresses(Spec& spec, const Credentials& credentials) {
  for (SystemSpec& system : spec.systems) {
    if (!system.address_from_env) continue;
    const std::string& name = spec.credentials.base_url_env;
    const auto url = credentials.value_of(name);
    if (!url) return url.error().in(system.name);
    if (url->empty()) {
      return environment_error(fmt::format(
          "{}: attach states no url, and the variable {} is not set; state one, or export {}=...",
          system.name, name, name));
    }
    // The value is not shown: a key may have been put there.
    if (!wire::parse_endpoint(*url)) {
      return environment_error(
          fmt::format("{}: the variable {} holds no base address such as https://host/api/v1",
                      system.name, name));
    }
    system.attach_url = *url;
  }
  return {};
}

}  // namespace evenbench::cli
