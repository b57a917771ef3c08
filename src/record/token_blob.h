// The coding of a request's token events as one blob of the run file; docs/run-file.md describes
// the bytes. Exact to the nanosecond for every value of every field. Knows nothing of SQLite.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/stamp.h"
#include "record/anchor.h"

namespace evenbench::record {

// Replaces the content of `blob`, whose memory is reused.
void encode_token_events(const TokenEvents& events, const Anchor& anchor, std::string& blob);

// Errors: a version that is not known, an end in the middle, bytes left over.
Result<TokenEvents> decode_token_events(std::string_view blob, const Anchor& anchor);

}  // namespace evenbench::record
