#include "record/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "record/run_writer.h"
#include "record/sample_run.h"

namespace evenbench::record {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ostringstream all;
  all << std::ifstream(file, std::ios::binary).rdbuf();
  return all.str();
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

void write_run(const fs::path& file, std::uint32_t requests) {
  Rng rng(1, "run");
  const auto writer = *RunWriter::create(file, sample_run(), 1, {});
  writer->put(sample_step(1, rng));
  for (std::uint32_t i = 0; i < requests; ++i) writer->lane(0).add(sample_request(1, i, rng));
  ASSERT_TRUE(writer->finish(true, ""));
}

void change(const fs::path& file, const char* statement) {
  sql::Database db;
  ASSERT_FALSE(db.open(file.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  const auto fault = db.run(statement);
  ASSERT_FALSE(fault) << fault->text;
}

std::string error_of(const fs::path& file) {
  const auto reader = Reader::open(file);
  return reader ? "it opened" : reader.error().message;
}

std::size_t count_requests(const Reader& reader) {
  std::size_t count = 0;
  EXPECT_TRUE(reader.for_each_request(1, [&](const RequestRow&) { ++count; }));
  return count;
}

TEST(Reader, LeavesTheFileAndItsFolderAsTheyWere) {
  const TempFolder folder;
  write_run(folder.run_file(), 20);
  const std::string before = bytes_of(folder.run_file());
  {
    const auto reader = *Reader::open(folder.run_file());
    EXPECT_EQ(count_requests(*reader), 20U);
    EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"run.sqlite"});
  }
  EXPECT_EQ(bytes_of(folder.run_file()), before);
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"run.sqlite"});
}

// What a killed program leaves: the file and its WAL, copied here from under a living writer.
TEST(Reader, ReadsALeftOverWalAndDoesNotTouchIt) {
  const TempFolder folder;
  const TempFolder copy;
  const std::string wal = "run.sqlite-wal";
  Rng rng(1, "wal");
  const auto writer = *RunWriter::create(folder.run_file(), sample_run(), 1, {});
  writer->put(sample_step(1, rng));
  for (std::uint32_t i = 0; i < 50; ++i) writer->lane(0).add(sample_request(1, i, rng));
  writer->flush();
  fs::copy_file(folder.run_file(), copy.run_file());
  fs::copy_file(folder.path() / wal, copy.path() / wal);
  const std::string before = bytes_of(copy.run_file());
  const std::string wal_before = bytes_of(copy.path() / wal);
  for (int again = 0; again < 2; ++again) {
    const auto reader = *Reader::open(copy.run_file());
    EXPECT_FALSE(reader->complete());
    EXPECT_EQ(reader->steps().size(), 1U);
    EXPECT_EQ(count_requests(*reader), 50U);
  }
  EXPECT_EQ(bytes_of(copy.run_file()), before);
  EXPECT_EQ(bytes_of(copy.path() / wal), wal_before);
}

// A WAL that was itself cut in the middle of a write ends at its last whole commit.
TEST(Reader, ReadsACutWalUpToItsLastCommit) {
  const TempFolder folder;
  const fs::path wal = folder.path() / "run.sqlite-wal";
  Rng rng(1, "wal");
  const auto writer = *RunWriter::create(folder.run_file(), sample_run(), 1, {});
  writer->put(sample_step(1, rng));
  writer->flush();
  const auto first = fs::file_size(wal);
  for (std::uint32_t i = 0; i < 50; ++i) writer->lane(0).add(sample_request(1, i, rng));
  writer->flush();
  const std::string whole = bytes_of(wal);
  ASSERT_GT(whole.size(), first + 8192);
  const TempFolder copy;
  fs::copy_file(folder.run_file(), copy.run_file());
  std::ofstream(copy.path() / "run.sqlite-wal", std::ios::binary) << whole.substr(0, first + 6000);
  const auto reader = *Reader::open(copy.run_file());
  EXPECT_EQ(reader->steps().size(), 1U);
  EXPECT_EQ(count_requests(*reader), 0U);
}

TEST(Reader, OpensFilesWhoseNamesMeanSomethingInAUri) {
  const TempFolder folder;
  const fs::path odd = folder.path() / "100% ?mode=rw#坏 run.sqlite";
  write_run(odd, 1);
  EXPECT_TRUE(Reader::open(odd)) << error_of(odd);
}

TEST(Reader, SaysWhatIsNotARunFile) {
  const TempFolder folder;
  EXPECT_THAT(error_of(folder.run_file()), testing::HasSubstr("there is no run file"));
  EXPECT_THAT(error_of(folder.path()), testing::HasSubstr("give a run folder or its run.sqlite"));

  const fs::path text = folder.path() / "notes.txt";
  std::ofstream(text) << std::string(5000, 'x');
  EXPECT_THAT(error_of(text), testing::HasSubstr("no database, not a run file"));

  const fs::path empty = folder.path() / "empty";
  std::ofstream{empty};
  EXPECT_THAT(error_of(empty), testing::HasSubstr("it is empty or cut short"));

  const fs::path other = folder.path() / "other.sqlite";
  change(other, "CREATE TABLE run (title TEXT); PRAGMA user_version = 1");
  EXPECT_THAT(error_of(other), testing::HasSubstr("a database of something else"));
}

TEST(Reader, SaysThatASchemaIsNewer) {
  const TempFolder folder;
  write_run(folder.run_file(), 1);
  change(folder.run_file(), "PRAGMA user_version = 4");
  EXPECT_THAT(error_of(folder.run_file()),
              testing::AllOf(testing::HasSubstr("schema version 4, this program reads up to 3"),
                             testing::HasSubstr("or a newer one")));
}

TEST(Reader, SaysThatAFileIsCutShort) {
  const TempFolder folder;
  write_run(folder.run_file(), 100);
  const auto size = fs::file_size(folder.run_file());
  for (const auto kept : {size - 1, size / 2, std::uintmax_t{4096}, std::uintmax_t{50}}) {
    fs::resize_file(folder.run_file(), kept);
    EXPECT_THAT(error_of(folder.run_file()), testing::AnyOf(testing::HasSubstr("take a whole copy"),
                                                            testing::HasSubstr("no database")))
        << kept;
  }
}

TEST(Reader, NamesTheRequestThatItCannotRead) {
  const TempFolder folder;
  write_run(folder.run_file(), 10);
  const auto read = [&] {
    return (*Reader::open(folder.run_file()))->for_each_request(1, [](const RequestRow&) {});
  };
  change(folder.run_file(), "UPDATE request SET token_events = x'0105' WHERE number = 7");
  auto result = read();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message,
              testing::HasSubstr("request 7 of step 1: token events cut short"));
  change(folder.run_file(), "UPDATE request SET ending = 'gone', token_events = x'0100'");
  result = read();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, testing::HasSubstr("'gone' is not a known ending"));
  change(folder.run_file(), "DELETE FROM run");
  EXPECT_THAT(error_of(folder.run_file()), testing::HasSubstr("it has no row for the run"));
}

// A page of noise anywhere gives rows or an error, never a crash.
TEST(Reader, SurvivesANoisyPageAnywhere) {
  const TempFolder folder;
  write_run(folder.run_file(), 60);
  const std::string good = bytes_of(folder.run_file());
  Rng rng(12, "noise");
  for (std::size_t page = 0; page < good.size() / 4096; ++page) {
    std::string bad = good;
    for (std::size_t i = 100; i < 4096; ++i) {
      bad[page * 4096 + i] = static_cast<char>(rng.below(256));
    }
    const fs::path file = folder.path() / "bad.sqlite";
    std::ofstream(file, std::ios::binary) << bad;
    const auto reader = Reader::open(file);
    if (reader) (void)(*reader)->for_each_request(1, [](const RequestRow&) {});
  }
}

}  // namespace
}  // namespace evenbench::record
