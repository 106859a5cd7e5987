#include "cli/options/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cli_fixture.h"
#include "cli/config/config_keys.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class Completion : public ::testing::Test {
 protected:
  Completion() {
    folder_.write("models/alpha.gguf", "x");
    folder_.write("models/beta.gguf", "x");
    environment_.variables["INGLE_MODELS"] = (folder_.path() / "models").string();
    environment_.variables["INGLE_DATA"] = (folder_.path() / "sessions.db").string();
    environment_.all_tools = {simple_tool("read_file", {.is_read_only = true}),
                              simple_tool("write_file", {})};
  }
  std::vector<std::string> of(const std::vector<std::string>& words) {
    return completions(words, environment_);
  }
  testing::TempDir folder_;
  FakeEnvironment environment_;
};

TEST_F(Completion, CommandsComeFirst) {
  EXPECT_THAT(of({"re"}), ElementsAre("resume"));
  EXPECT_THAT(of({""}), Contains("chat"));
  EXPECT_THAT(of({}), Contains("chat"));
  EXPECT_THAT(of({""}), Not(Contains("probe-model")));
  EXPECT_THAT(of({"models", ""}), Contains("rm"));
  EXPECT_THAT(of({"nonsense", "re"}), ElementsAre("resume"));
}

TEST_F(Completion, OptionsAreThoseOfTheCommand) {
  EXPECT_THAT(of({"run", "--top"}), ElementsAre("--top-k", "--top-p"));
  EXPECT_THAT(of({"run", "a prompt", "--top"}), ElementsAre("--top-k", "--top-p"));
  EXPECT_THAT(of({"resume", "--ans"}), ElementsAre("--answer"));
  EXPECT_THAT(of({"doctor", "--top"}), IsEmpty());
  EXPECT_THAT(of({"run", "--", "--top"}), IsEmpty());
  for (const ConfigKey& key : config_keys()) {
    EXPECT_THAT(of({"chat", "--"}), Contains(std::string(key.flag)));
  }
}

TEST_F(Completion, ValuesAreThoseOfTheOption) {
  EXPECT_THAT(of({"run", "--model", ""}), ElementsAre("alpha", "beta", "scripted:", kFiles));
  EXPECT_THAT(of({"run", "--model", "b"}), ElementsAre("beta", kFiles));
  EXPECT_THAT(of({"run", "--thinking", ""}), ElementsAre("on", "off"));
  EXPECT_THAT(of({"run", "--kv-type", "q"}), ElementsAre("q8", "q4"));
  EXPECT_THAT(of({"run", "--root", ""}), ElementsAre(kFolders));
  EXPECT_THAT(of({"run", "--data", ""}), ElementsAre(kFiles));
  EXPECT_THAT(of({"run", "--tools", "r"}), ElementsAre("read_file"));
  EXPECT_THAT(of({"run", "--tools", "read_file,w"}), ElementsAre("read_file,write_file"));
  EXPECT_THAT(of({"run", "--top-k", ""}), IsEmpty());
  EXPECT_THAT(of({"run", "--json", "--mod"}), UnorderedElementsAre("--model", "--models"));
  EXPECT_THAT(of({"run", "--model=x", "--thinking", "of"}), ElementsAre("off"));
}

TEST_F(Completion, NamesAreOfWhatTheCommandTakes) {
  EXPECT_THAT(of({"models", "show", ""}), ElementsAre("alpha", "beta"));
  EXPECT_THAT(of({"models", "add", ""}), ElementsAre(kFiles));
  EXPECT_THAT(of({"config", "sampling.top"}), ElementsAre("sampling.top_k", "sampling.top_p"));
  EXPECT_THAT(of({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(of({"run", ""}), IsEmpty());
}

TEST_F(Completion, SessionsAreOfferedAndNoFileIsMadeForIt) {
  EXPECT_THAT(of({"resume", ""}), IsEmpty());
  EXPECT_TRUE(environment_.data_file.empty());
  folder_.write("sessions.db", "");
  ASSERT_TRUE(environment_.store->create(SessionId("01abc")));
  EXPECT_THAT(of({"resume", ""}), ElementsAre("01abc"));
  EXPECT_THAT(of({"run", "--session", "01"}), ElementsAre("01abc"));
  EXPECT_THAT(of({"resume", "01abc", ""}), IsEmpty());
}

TEST_F(Completion, ABrokenConfigurationOffersWhatIsLeft) {
  folder_.write("ingle.toml", "modle = 1");
  environment_.here = folder_.path();
  EXPECT_THAT(of({"re"}), ElementsAre("resume"));
}

TEST_F(Completion, TheCommandPrintsALineForEach) {
  EXPECT_EQ(run_in(environment_, {"complete", "models", "path", "a"}).out, "alpha\n");
  EXPECT_EQ(run_in(environment_, {"complete", "--mod"}).code, 0);
}

TEST_F(Completion, ThereIsAScriptForEachShell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Ran ran = run_in(environment_, {"completion", shell});
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out, ::testing::HasSubstr(std::string("ingle completion ") + shell));
    EXPECT_THAT(ran.out, ::testing::HasSubstr(" complete "));
  }
  EXPECT_EQ(run_in(environment_, {"completion", "tcsh"}).code, 2);
  EXPECT_EQ(run_in(environment_, {"completion"}).code, 2);
}

}  // namespace
}  // namespace ingle::cli
