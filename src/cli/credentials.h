// Where keys and base addresses come from: the process environment first, then an `.env` file.
// Values live only here and in what is made of them; they are never written or shown.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/spec.h"

namespace evenbench::cli {

// Of remote systems, where a spec names no other key.
inline constexpr const char* kUsualKeyEnv = "TAOTOKEN_API_KEY";
inline constexpr const char* kUsualEnvFile = ".env";  // of the working directory, if it is there

// "" when it is not set.
std::string from_environment(const std::string& name);

class Credentials {
 public:
  using Environment = std::function<std::string(const std::string&)>;
  // Reads the file that the spec states, or the usual one where there is one. Error: environment, a
  // stated file that cannot be read or understood. A usual one that is not understood, for it may
  // belong to others, is an error only once a name is looked for in it.
  static Result<Credentials> read(const Spec& spec, Environment environment = from_environment);

  // "" when neither holds the name. Error: see above.
  [[nodiscard]] Result<std::string> value_of(const std::string& name) const;
  // A file with a name this spec may use that others on this machine can read.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Environment environment_;
  std::map<std::string, std::string> file_;
  std::optional<Error> unreadable_;
  std::vector<std::string> warnings_;
};

// Gives the systems that leave their address to the environment the one of
// credentials.base_url_env. Error: environment, the variable is not set or holds no base address.
Result<void> fill_addresses(Spec& spec, const Credentials& credentials);

}  // namespace evenbench::cli
