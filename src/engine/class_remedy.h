// What a person can do about an answer of each error class. Pure; knows no engine: remedies in an
// engine's own flags are in signatures.h and step_rules.h.
#pragma once

#include <string>

#include "wire/error_class.h"

namespace evenbench::engine {

// "key_refused: the key in X is not accepted: ..."; "" where the answer itself says all there is.
// `key_env`: the variable whose key was sent, "" when none was named.
std::string class_remedy(wire::ErrorClass error, const std::string& key_env);

}  // namespace evenbench::engine
