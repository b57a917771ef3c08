#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "report/report.h"

namespace evenbench::report {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& file, const std::string& why) {
  return environment_error(
      fmt::format("cannot write {}: {}; free some space or choose a folder that may be written to, "
                  "then make the "
                  "report again with `evenbench report`",
                  file.string(), why));
}

// A reader sees the old file or the new one, never a half.
Result<void> write(const fs::path& file, const std::string& text) {
  fs::path part = file;
  part += ".part";
  std::error_code error;
  {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      fs::remove(part, error);
      return cannot_write(file, "the file could not be opened or filled");
    }
  }
  fs::rename(part, file, error);
  if (!error) return {};
  const std::string why = error.message();
  fs::remove(part, error);
  return cannot_write(file, why);
}

}  // namespace

Result<void> write_all(const judge::JudgedRun& run, const fs::path& folder) {
  for (const auto& [name, make] :
       {std::pair{"summary.json", &summary_json}, std::pair{"steps.csv", &steps_csv},
        std::pair{"report.md", &markdown}, std::pair{"report.html", &html}}) {
    if (auto written = write(folder / name, make(run)); !written) return written.error();
  }
  return {};
}

}  // namespace evenbench::report
