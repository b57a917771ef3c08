// The bytes of every answer. Pure.
#pragma once

#include <string>
#include <string_view>

#include "request.h"

namespace truth {

std::string plain(int status, std::string_view json);
std::string error(int status, std::string_view message);
std::string models();
std::string stream_head();
// One event with the text of `tokens` tokens, as a chunk.
std::string event(const Asked& asked, int tokens);
// Finish reason, usage if it was asked for, [DONE] and the end of the body.
std::string tail(const Asked& asked, int tokens);
// The answer when no stream was asked for.
std::string whole(const Asked& asked, int tokens);

}  // namespace truth
