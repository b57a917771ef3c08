// What the last words of engines that did not start mean, as a table. Pure.
#pragma once

#include <string_view>

namespace evenbench::engine {

// What to do about the first known complaint in the log; "" when there is none.
std::string_view remedy_for(std::string_view log);

}  // namespace evenbench::engine
