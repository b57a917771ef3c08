#include "record/run_folder.h"

#include <fmt/chrono.h>

#include <cstdint>
#include <string>
#include <system_error>

namespace evenbench::record {
namespace {

namespace fs = std::filesystem;

constexpr int kSlugCharacters = 40;
constexpr int kSameSecond = 1000;  // folders of one title in one second

struct Character {
  std::uint32_t code = 0;  // 0: not UTF-8
  std::size_t bytes = 1;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  return {code, bytes};
}

// Beyond ASCII: the blocks of letters that need no joining marks. Punctuation, controls of writing
// direction and symbols stay out of file names.
bool is_letter(std::uint32_t code) {
  const auto in = [code](std::uint32_t low, std::uint32_t high) {
    return code >= low && code <= high;
  };
  return in(0xc0, 0x24f) ? code != 0xd7 && code != 0xf7  // Latin, less the signs × and ÷
                         : in(0x370, 0x373) || in(0x386, 0x481) || in(0x48a, 0x52f) ||
                               in(0x3041, 0x3096) || in(0x30a1, 0x30fa) || in(0x3400, 0x4dbf) ||
                               in(0x4e00, 0x9fff) || in(0xac00, 0xd7a3);
}

bool is_kept(std::uint32_t code) {
  return (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9') || is_letter(code);
}

Error cannot_make(const fs::path& folder, const std::error_code& why) {
  return environment_error(
      fmt::format("the run folder {} cannot be made: {}; give an output "
                  "folder that can be written",
                  folder.string(), why.message()));
}

}  // namespace

std::string folder_slug(std::string_view title) {
  std::string slug;
  bool gap = false;
  for (int kept = 0; !title.empty() && kept < kSlugCharacters;) {
    auto [code, bytes] = first_of(title);
    if (code >= 'A' && code <= 'Z') code += 'a' - 'A';
    if (is_kept(code)) {
      if (gap && !slug.empty()) {
        slug += '-';
        ++kept;
      }
      gap = false;
      ++kept;
      slug += bytes == 1 ? std::string(1, static_cast<char>(code)) : title.substr(0, bytes);
    } else {
      gap = true;
    }
    title.remove_prefix(bytes);
  }
  return slug.empty() ? "run" : slug;
}

Result<fs::path> make_run_folder(const fs::path& parent, WallTime now, std::string_view title) {
  std::error_code why;
  fs::create_directories(parent, why);
  if (why) return cannot_make(parent, why);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  // No colons: docker's -v and Windows shares refuse them.
  const std::string name = fmt::format(
      "{:%Y-%m-%dT%H%M%SZ}-{}", fmt::gmtime(static_cast<std::time_t>(seconds)), folder_slug(title));
  for (int take = 1; take <= kSameSecond; ++take) {
    const fs::path folder = parent / (take == 1 ? name : fmt::format("{}-{}", name, take));
    // mkdir(2) makes it for exactly one of all who try; false means somebody else's.
    const bool mine = fs::create_directory(folder, why);
    if (mine) fs::create_directory(folder / "logs", why);
    if (why && why != std::errc::file_exists) return cannot_make(folder, why);
    if (mine) return folder;
  }
  return cannot_make(parent / name, std::make_error_code(std::errc::file_exists));
}

Result<fs::path> find_run_file(const fs::path& path) {
  std::error_code why;
  if (fs::is_regular_file(path, why)) return path;
  if (!fs::is_directory(path, why)) {
    return environment_error(
        fmt::format("there is no {}; give a run folder or its {}", path.string(), kRunFileName));
  }
  if (fs::is_regular_file(path / kRunFileName, why)) return path / kRunFileName;
  return environment_error(
      fmt::format("the folder {} holds no {}, so it is not a run folder; give one below runs/",
                  path.string(), kRunFileName));
}

}  // namespace evenbench::record
