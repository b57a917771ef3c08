// Before anything is started or measured: does every attached system answer, with its key, a model
// list and one request of one token? A model list alone proves little: TGI shows it to everyone,
// and gateways list what they refuse.
#pragma once

#include "base/result.h"
#include "cli/credentials.h"
#include "cli/progress.h"
#include "cli/spec.h"

namespace evenbench::cli {

// Error: all systems that answered but did not pass, one a line. One that cannot be reached at all
// is left to its visit with a warning, unless all `must_be_there`; one of which the spec forbids
// requests before the load is not asked.
Result<void> preflight(const Spec& spec, const Credentials& credentials, const Progress& progress,
                       const Clock& clock, bool must_be_there = false);

}  // namespace evenbench::cli
