// The tables of the run file, version 3. docs/run-file.md is the same in prose, with units.
#pragma once

#include <cstdint>

namespace evenbench::record {

// "EVNB": what PRAGMA application_id and file(1) say of a run file.
inline constexpr std::int32_t kApplicationId = 0x45564e42;

// Makes every table and sets application_id and user_version. To be run inside the transaction
// that also inserts the run's row, so that no file has one without the other.
extern const char* const kCreateSchema;

}  // namespace evenbench::record
