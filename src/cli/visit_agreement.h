// Asks a system that is ready the fixed prompts, and puts its answers where the terms are judged.
#pragma once

#include "base/result.h"
#include "cli/attachment.h"
#include "cli/visit.h"
#include "wire/request.h"

namespace evenbench::cli {

// Whether the spec wants it: as stated, else where there is more than one system to compare.
bool agreement_is_asked(const Spec& spec);

// Error: as engine::ask_agreement. Nothing is asked where the spec does not want it.
Result<void> put_agreement(const VisitContext& context, const Attachment& attachment,
                           const wire::RequestShape& shape);

}  // namespace evenbench::cli
