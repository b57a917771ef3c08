// Which field of a request a server has refused, read from its answer, and a request without it.
// Pure; knows nothing of what was allowed to be dropped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/request.h"

namespace evenbench::engine {

// Names that a refusal may be about: every field of a request that its author could leave out, and
// the length field.
std::vector<std::string> refusable_fields(const wire::RequestShape& shape);

// The one of `fields` that an error answer is about: by its location (FastAPI), by its `param`
// (OpenAI), else the one named first in the text. nullopt: it names none of them.
std::optional<std::string> refused_field(std::string_view answer,
                                         const std::vector<std::string>& fields);

// The same request without the field. false: it cannot be left out.
bool drop_field(wire::RequestShape& shape, const std::string& field);

}  // namespace evenbench::engine
