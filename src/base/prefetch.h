// A hint to the processor: memory that will be needed soon. Changes nothing else, and may name
// memory that is not there.
#pragma once

#include <cstddef>

namespace evenbench {

inline void prefetch(const void* begin, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  const char* const first = static_cast<const char*>(begin);
  for (std::size_t i = 0; i < bytes; i += kLine) __builtin_prefetch(first + i);
}

}  // namespace evenbench
