#include "record/disk_trouble.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace evenbench::record {

Trouble write_trouble(const sql::Fault& fault, const std::filesystem::path& file) {
  const std::string folder = file.parent_path().empty() ? "." : file.parent_path().string();
  const std::string elsewhere = "or give an output folder on another file system";
  if (fault.os_error == EFBIG) {
    return {"the limit on the size of a file is reached",
            "raise it (ulimit -f unlimited) and run again"};
  }
  if (fault.os_error == EDQUOT) {
    return {"the disk quota is used up",
            fmt::format("free space of your quota in {}, {}", folder, elsewhere)};
  }
  switch (fault.primary()) {
    case SQLITE_FULL:
      return {"no space is left", fmt::format("free space in {}, {}", folder, elsewhere)};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return {fault.text, fmt::format("make {} writable, {}", folder, elsewhere)};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {"another program keeps it locked",
              "close what else has it open for writing and run again"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {"it was changed from outside while the run went on",
              "let nothing else write to it and run again"};
    case SQLITE_IOERR:
      return {fault.os_error == 0
                  ? fault.text
                  : fmt::format("{} ({})", fault.text, std::strerror(fault.os_error)),
              fmt::format("look at the health of the disk under {}, {}", folder, elsewhere)};
    default:
      return {fault.text, "this should not happen; please report it with the run file"};
  }
}

}  // namespace evenbench::record
