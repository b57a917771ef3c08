#include "cli/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/attachment.h"

namespace evenbench::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

class CredentialsTest : public ::testing::Test {
 protected:
  CredentialsTest() {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
    spec_.systems.push_back({});
    system().name = "cloud";
    system().engine = "openai";
    system().attach_url = "https://gateway.example/api/v1";
  }
  ~CredentialsTest() override { fs::remove_all(folder_); }

  SystemSpec& system() { return spec_.systems.front(); }
  void write(const std::string& text, fs::perms mode = fs::perms::owner_read) {
    const fs::path file = folder_ / "keys.env";
    std::ofstream(file) << text;
    fs::permissions(file, mode);
    spec_.credentials.env_file = file.string();
  }
  Result<Credentials> read() {
    return Credentials::read(spec_, [this](const std::string& name) {
      const auto found = environment_.find(name);
      return found == environment_.end() ? "" : found->second;
    });
  }
  // The Authorization header that would be sent.
  std::string sent() {
    const auto attachment = attachment_of(spec_, system(), *read(), {});
    if (!attachment) return "error: " + attachment.error().message;
    return attachment->headers.empty() ? "" : attachment->headers.front().second;
  }

  fs::path folder_;
  Spec spec_;
  std::map<std::string, std::string> environment_;
};

TEST_F(CredentialsTest, TheEnvironmentStandsBeforeTheFile) {
  write("TAOTOKEN_API_KEY=sk-file\nOTHER=sk-other\n");
  EXPECT_EQ(read()->value_of("TAOTOKEN_API_KEY").value(), "sk-file");
  environment_["TAOTOKEN_API_KEY"] = "sk-env";
  EXPECT_EQ(read()->value_of("TAOTOKEN_API_KEY").value(), "sk-env");
  EXPECT_EQ(read()->value_of("OTHER").value(), "sk-other");
  EXPECT_EQ(read()->value_of("NONE").value(), "");
}

TEST_F(CredentialsTest, AFileThatOthersCanReadDrawsAWarningIfItHoldsAKeyOfThisSpec) {
  write("TAOTOKEN_API_KEY=sk-file\n");
  EXPECT_THAT(read()->warnings(), IsEmpty());
  fs::permissions(folder_ / "keys.env", fs::perms::owner_read | fs::perms::others_read);
  ASSERT_EQ(read()->warnings().size(), 1U);
  EXPECT_THAT(read()->warnings().front(), HasSubstr("chmod 600"));
  EXPECT_THAT(read()->warnings().front(), Not(HasSubstr("sk-file")));
  fs::permissions(folder_ / "keys.env", fs::perms::owner_all);
  write("NOT_OURS=1\n", fs::perms::owner_read | fs::perms::others_read);
  EXPECT_THAT(read()->warnings(), IsEmpty());
}

TEST_F(CredentialsTest, AStatedFileThatIsMissingOrNotUnderstoodIsAnError) {
  spec_.credentials.env_file = (folder_ / "none.env").string();
  ASSERT_FALSE(read());
  EXPECT_THAT(read().error().message, HasSubstr("none.env"));
  write("this is sk-secret\n");
  ASSERT_FALSE(read());
  EXPECT_EQ(read().error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(read().error().message, Not(HasSubstr("sk-secret")));
}

TEST_F(CredentialsTest, TheUsualKeyGoesToRemoteSystemsOnly) {
  environment_["TAOTOKEN_API_KEY"] = "sk-1";
  EXPECT_EQ(sent(), "Bearer sk-1");
  system().attach_url = "http://127.0.0.1:8000";
  EXPECT_EQ(sent(), "");
  system().remote = true;
  EXPECT_EQ(sent(), "Bearer sk-1");
  system().remote.reset();
  system().address_from_env = true;  // whoever gives the address means the key for it
  EXPECT_EQ(sent(), "Bearer sk-1");
  environment_.clear();
  EXPECT_EQ(sent(), "");  // an open server needs none
}

TEST_F(CredentialsTest, ANamedKeyStandsBeforeTheUsualOneAndMustBeThere) {
  environment_ = {{"TAOTOKEN_API_KEY", "sk-1"}, {"ALL", "sk-2"}, {"MINE", "sk-3"}};
  spec_.credentials.key_env = "ALL";
  EXPECT_EQ(sent(), "Bearer sk-2");
  system().key_env = "MINE";
  EXPECT_EQ(sent(), "Bearer sk-3");
  system().key_env = "GONE";
  EXPECT_THAT(sent(), HasSubstr("cloud: the variable GONE"));
}

TEST_F(CredentialsTest, AHeaderOfTheSpecStandsBeforeTheUsualKey) {
  environment_["TAOTOKEN_API_KEY"] = "sk-1";
  spec_.request.headers = {{"authorization", "Bearer sk-9"}};
  const auto attachment = attachment_of(spec_, system(), *read(), {});
  ASSERT_EQ(attachment->headers.size(), 1U);
  EXPECT_EQ(attachment->headers.front().second, "Bearer sk-9");
}

TEST_F(CredentialsTest, AnAddressComesFromItsVariable) {
  system().attach_url = "";
  system().address_from_env = true;
  environment_["TAOTOKEN_BASE_URL"] = "https://t.example/api/v1/";
  ASSERT_TRUE(fill_addresses(spec_, *read()));
  EXPECT_EQ(system().attach_url, "https://t.example/api/v1/");
  spec_.credentials.base_url_env = "OTHER_URL";
  const auto unset = fill_addresses(spec_, *read());
  ASSERT_FALSE(unset);
  EXPECT_THAT(unset.error().message, HasSubstr("OTHER_URL"));
  environment_["OTHER_URL"] = "sk-a-key-in-the-wrong-place";
  const auto bad = fill_addresses(spec_, *read());
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, Not(HasSubstr("sk-a-key")));
}

TEST_F(CredentialsTest, AStatedAddressIsLeftAlone) {
  environment_["TAOTOKEN_BASE_URL"] = "https://t.example";
  ASSERT_TRUE(fill_addresses(spec_, *read()));
  EXPECT_EQ(system().attach_url, "https://gateway.example/api/v1");
}

}  // namespace
}  // namespace evenbench::cli
