#include "engine/engine_build_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/engine_build.h"

namespace evenbench::engine {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kVersion = 1;
constexpr const char* kNote = "build.json";

Error cannot(const fs::path& what, const std::string& why) {
  return environment_error(
      fmt::format("the cache of built engines: {}: {}; give build.cache a folder that can be "
                  "written, on a disk with room",
                  what.string(), why));
}

// Name and size of every file of a built engine. nullopt: it could not be looked at.
std::optional<json> files_of(const fs::path& engine) {
  json out = json::object();
  std::error_code why;
  for (fs::recursive_directory_iterator it(engine, why), end; !why && it != end;
       it.increment(why)) {
    std::error_code none;
    if (!it->is_regular_file(none)) continue;
    const auto size = it->file_size(none);
    if (none) return std::nullopt;
    out[it->path().lexically_relative(engine).string()] = size;
  }
  if (why) return std::nullopt;
  return out;
}

constexpr std::string_view kWorkSuffix = ".XXXXXX";

// The key of a folder that a build works in; "" for any other name: the cache may be a folder that
// holds other things too.
std::string_view key_of_work(std::string_view name) {
  constexpr std::size_t kKeySize = 64;
  if (name.size() != kKeySize + kWorkSuffix.size() || name[kKeySize] != '.') return "";
  const auto key = name.substr(0, kKeySize);
  return key.find_first_not_of("0123456789abcdef") == key.npos ? key : "";
}

bool write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  return static_cast<bool>(out << text << std::flush);
}

}  // namespace

std::optional<BuiltEngine> EngineCache::find(const std::string& key) const {
  const fs::path folder = entry(key);
  std::ifstream in(folder / kNote, std::ios::binary);
  const json note = json::parse(in, nullptr, false);
  const auto files = files_of(folder / kBuiltFolder);
  if (!files || !note.is_object() || !note.contains("files") || note["files"] != *files)
    return std::nullopt;
  try {
    if (note.at("evenbench_build").get<int>() != kVersion) return std::nullopt;
    return BuiltEngine{folder, note.at("seconds").get<double>(),
                       note.at("built").get<std::string>()};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

Result<std::optional<OwnedFd>> EngineCache::try_lock(const std::string& key) const {
  std::error_code why;
  fs::create_directories(folder_, why);
  if (why) return cannot(folder_, why.message());
  const fs::path file = folder_ / (key + ".lock");
  // Closed when a program is started: what is built holds no lock.
  OwnedFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (fd.get() < 0) return cannot(file, std::strerror(errno));
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return std::optional(std::move(fd));
  if (errno == EWOULDBLOCK) return std::optional<OwnedFd>();
  return cannot(file, std::strerror(errno));
}

// What others are building is locked by them; what lies there of `own` has lost its builder.
void EngineCache::sweep(const std::string& own) const {
  std::error_code why;
  for (fs::directory_iterator it(folder_, why), end; !why && it != end; it.increment(why)) {
    const std::string key(key_of_work(it->path().filename().string()));
    if (key.empty()) continue;
    Result<std::optional<OwnedFd>> lock = std::optional<OwnedFd>();
    if (key != own) lock = try_lock(key);
    std::error_code none;
    if (key == own || (lock && *lock)) fs::remove_all(it->path(), none);
  }
}

Result<fs::path> EngineCache::begin(const std::string& key) const {
  sweep(key);
  std::string work = fmt::format("{}{}", entry(key).string(), kWorkSuffix);
  if (::mkdtemp(work.data()) == nullptr) return cannot(folder_, std::strerror(errno));
  std::error_code why;
  // As any folder: a container may run as another user.
  fs::permissions(work,
                  fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                      fs::perms::others_read | fs::perms::others_exec,
                  why);
  for (const char* part : {kCheckpointFolder, kBuiltFolder}) {
    fs::create_directory(fs::path(work) / part, why);
    if (why) return cannot(work, why.message());
  }
  return fs::path(work);
}

Result<BuiltEngine> EngineCache::keep(const std::string& key, const fs::path& work,
                                      const fs::path& log, double seconds, const std::string& date,
                                      const BuildFacts& facts) const {
  const auto files = files_of(work / kBuiltFolder);
  if (!files || files->empty()) {
    return environment_error(fmt::format(
        "the build ended well but left nothing in its output folder; its log is {}", log.string()));
  }
  json note = {
      {"evenbench_build", kVersion}, {"built", date}, {"seconds", seconds}, {"files", *files}};
  for (const auto& [name, text] : facts) note[name] = text;
  std::error_code why;
  fs::copy_file(log, work / kBuildLog, fs::copy_options::overwrite_existing, why);
  if (why) return cannot(work / kBuildLog, why.message());
  if (!write(work / kNote, note.dump(2, ' ', false, json::error_handler_t::replace) + "\n"))
    return cannot(work / kNote, std::strerror(errno));
  // As large as the weights, and of no more use.
  fs::remove_all(work / kCheckpointFolder, why);
  fs::remove_all(entry(key), why);  // one that find() did not accept
  fs::rename(work, entry(key), why);
  if (why) return cannot(entry(key), why.message());
  return BuiltEngine{entry(key), seconds, date};
}

Result<void> EngineCache::discard(const fs::path& work) {
  std::error_code why;
  fs::remove_all(work, why);
  if (!why) return {};
  return environment_error(fmt::format("{} could not be removed ({}); remove it yourself",
                                       work.string(), why.message()));
}

}  // namespace evenbench::engine
