#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "report/gpu.h"
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

using Fill = std::function<Result<void>(std::ostream&)>;

// A reader sees the old file or the new one, never a half.
Result<void> write(const fs::path& file, const Fill& fill) {
  fs::path part = file;
  part += ".part";
  std::error_code error;
  {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    auto filled = fill(out);
    out.close();
    if (!filled) {
      fs::remove(part, error);
      return filled;
    }
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

Fill whole(std::string text) {
  return [text = std::move(text)](std::ostream& out) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    return Result<void>();
  };
}

bool any_gpus(const judge::JudgedRun& run) {
  return std::any_of(run.systems.begin(), run.systems.end(),
                     [](const auto& system) { return !system.gpus.empty(); });
}

}  // namespace

Result<void> write_all(const judge::JudgedRun& run, const fs::path& folder,
                       const GpuSeries& series) {
  for (const auto& [name, make] :
       {std::pair{"summary.json", &summary_json}, std::pair{"steps.csv", &steps_csv},
        std::pair{"report.md", &markdown}, std::pair{"report.html", &html}}) {
    if (auto written = write(folder / name, whole(make(run))); !written) return written.error();
  }
  if (!any_gpus(run)) return {};
  return write(folder / "gpu.csv", [&](std::ostream& out) {
    out << gpu_csv_header();
    return series([&](const judge::GpuPoint& point) { out << gpu_csv_row(point); });
  });
}

}  // namespace evenbench::report
