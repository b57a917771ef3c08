#include "engine/engine_build_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "engine/engine_build.h"

namespace evenbench::engine {
namespace {

namespace fs = std::filesystem;

const std::string kKey(64, 'a');
const std::string kOtherKey(64, 'b');

class EngineBuildCache : public ::testing::Test {
 protected:
  EngineBuildCache() { write(folder_ / "log", "said"); }
  ~EngineBuildCache() override { fs::remove_all(folder_); }

  static fs::path new_folder() {
    std::string name = (fs::temp_directory_path() / "evenbench-cache-XXXXXX").string();
    return ::mkdtemp(name.data());
  }
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string read(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Those that are no lock.
  std::vector<std::string> left() const {
    std::vector<std::string> out;
    for (const auto& each : fs::directory_iterator(folder_ / "cache"))
      if (each.path().extension() != ".lock") out.push_back(each.path().filename());
    return out;
  }
  Result<BuiltEngine> build(const std::string& text = "engine") {
    const auto lock = cache_.try_lock(kKey);
    EXPECT_TRUE(lock && *lock);
    const fs::path work = cache_.begin(kKey).value();
    write(work / kCheckpointFolder / "w", "weights");
    if (!text.empty()) write(work / kBuiltFolder / "rank0.engine", text);
    return cache_.keep(kKey, work, folder_ / "log", 312.4, "2026-11-30T12:00:00Z",
                       {{"evenbench", "1.2"}});
  }

  fs::path folder_ = new_folder();
  EngineCache cache_{folder_ / "cache"};
};

TEST_F(EngineBuildCache, WhatIsKeptIsFoundWithItsDurationAndDate) {
  EXPECT_FALSE(cache_.find(kKey));
  ASSERT_TRUE(build());
  const auto found = cache_.find(kKey);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->folder, folder_ / "cache" / kKey);
  EXPECT_DOUBLE_EQ(found->seconds, 312.4);
  EXPECT_EQ(found->date, "2026-11-30T12:00:00Z");
  EXPECT_EQ(read(found->folder / kBuiltFolder / "rank0.engine"), "engine");
  EXPECT_EQ(read(found->folder / kBuildLog), "said");
  EXPECT_NE(read(found->folder / "build.json").find("\"evenbench\": \"1.2\""), std::string::npos);
  EXPECT_FALSE(fs::exists(found->folder / kCheckpointFolder));
  EXPECT_EQ(left(), std::vector<std::string>{kKey});
  EXPECT_FALSE(cache_.find(kOtherKey));
}

TEST_F(EngineBuildCache, AnEngineWithAFileThatIsShortOrMissingIsNotFound) {
  ASSERT_TRUE(build());
  const fs::path file = cache_.entry(kKey) / kBuiltFolder / "rank0.engine";
  write(file, "eng");
  EXPECT_FALSE(cache_.find(kKey));
  fs::remove(file);
  EXPECT_FALSE(cache_.find(kKey));
  ASSERT_TRUE(build("anew"));
  EXPECT_TRUE(cache_.find(kKey));
}

TEST_F(EngineBuildCache, ANoteThatIsNotOneOfOursIsNotFound) {
  ASSERT_TRUE(build());
  const fs::path note = cache_.entry(kKey) / "build.json";
  const std::string good = read(note);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"312.4", "\"long\""},
           {"\"evenbench_build\": 1", "\"evenbench_build\": 2"},
           {"{", ""}}) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    write(note, bad);
    EXPECT_FALSE(cache_.find(kKey)) << from;
  }
  write(note, good);
  EXPECT_TRUE(cache_.find(kKey));
}

TEST_F(EngineBuildCache, ABuildThatLeftNothingIsNotKept) {
  const auto kept = build("");
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().message.find("left nothing"), std::string::npos);
  EXPECT_FALSE(cache_.find(kKey));
}

TEST_F(EngineBuildCache, OneAtATimeBuildsAKey) {
  auto first = cache_.try_lock(kKey);
  ASSERT_TRUE(first && *first);
  const auto second = cache_.try_lock(kKey);
  ASSERT_TRUE(second);
  EXPECT_FALSE(*second);
  const auto other = cache_.try_lock(kOtherKey);
  EXPECT_TRUE(other && *other);
  (*first)->reset();
  const auto third = cache_.try_lock(kKey);
  EXPECT_TRUE(third && *third);
}

TEST_F(EngineBuildCache, WhatDeadBuildersLeftIsRemovedAndNothingElse) {
  const fs::path cache = folder_ / "cache";
  const auto other = cache_.try_lock(kOtherKey);  // is being built by another
  for (const std::string& name :
       {kKey + ".AAAAAA", std::string(64, 'c') + ".BBBBBB", kOtherKey + ".CCCCCC",
        std::string("llama.old"), std::string(64, 'z') + ".DDDDDD", kKey + "-AAAAAA"}) {
    fs::create_directories(cache / name / kBuiltFolder);
  }
  const auto lock = cache_.try_lock(kKey);
  const fs::path work = cache_.begin(kKey).value();
  EXPECT_FALSE(fs::exists(cache / (kKey + ".AAAAAA")));
  EXPECT_FALSE(fs::exists(cache / (std::string(64, 'c') + ".BBBBBB")));
  EXPECT_TRUE(fs::exists(cache / (kOtherKey + ".CCCCCC")));
  EXPECT_TRUE(fs::exists(cache / "llama.old"));
  EXPECT_FALSE(fs::exists(cache / "llama.lock"));
  EXPECT_TRUE(fs::exists(cache / (std::string(64, 'z') + ".DDDDDD")));
  EXPECT_TRUE(fs::exists(cache / (kKey + "-AAAAAA")));
  EXPECT_TRUE(fs::exists(work / kCheckpointFolder));
  ASSERT_TRUE(EngineCache::discard(work));
  EXPECT_FALSE(fs::exists(work));
}

TEST_F(EngineBuildCache, AFolderThatCannotBeMadeIsNamedWithTheRemedy) {
  const auto lock = EngineCache(folder_ / "log" / "cache").try_lock(kKey);
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ErrorCode::kEnvironment);
  EXPECT_NE(lock.error().message.find("build.cache"), std::string::npos);
}

}  // namespace
}  // namespace evenbench::engine
