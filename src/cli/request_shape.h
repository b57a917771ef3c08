// What the requests of a system carry: the spec's words, with what its engine makes of them.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/spec.h"
#include "engine/adapter.h"
#include "wire/request.h"

namespace evenbench::cli {

wire::RequestShape shape_of(const Spec& spec, const SystemSpec& system,
                            const engine::Adapter& adapter);

// For `check`: a line for each field that does nothing at one of the engines. Error: usage, a field
// that one of them refuses and that the spec does not allow to drop.
Result<std::string> print_fields(const Spec& spec);

}  // namespace evenbench::cli
