// What a person reads when the run file cannot be written or read: the fault of SQLite and of the
// system under it, as one sentence with a remedy.
#pragma once

#include <filesystem>
#include <string>

#include "record/sqlite.h"

namespace evenbench::record {

struct Trouble {
  std::string cause;   // "the disk is full"
  std::string remedy;  // "free space …"
};

// Of a write that failed.
Trouble write_trouble(const sql::Fault& fault, const std::filesystem::path& file);

}  // namespace evenbench::record
