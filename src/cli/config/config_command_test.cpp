#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"
#include "cli/config/config_keys.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ConfigCommand : public ::testing::Test {
 protected:
  ConfigCommand() { environment_.here = folder_.path(); }
  testing::TempDir folder_;
  FakeEnvironment environment_;
};

TEST_F(ConfigCommand, EachKeyHasALineWithItsValueAndWhereItCameFrom) {
  folder_.write("ingle.toml", "[sampling]\ntop_k = 40");
  environment_.variables["INGLE_THREADS"] = "2";
  const Ran ran = run_in(environment_, {"config", "--seed", "7"});
  EXPECT_EQ(ran.code, 0);
  for (const ConfigKey& key : config_keys()) {
    EXPECT_THAT(ran.out, HasSubstr(std::string(key.name) + " "));
  }
  EXPECT_THAT(ran.out, ::testing::ContainsRegex("sampling.top_k +40 +ingle.toml:2\n"));
  EXPECT_THAT(ran.out, ::testing::ContainsRegex("sampling.seed +7 +--seed\n"));
  EXPECT_THAT(ran.out, ::testing::ContainsRegex("engine.threads +2 +INGLE_THREADS\n"));
  EXPECT_THAT(ran.out, ::testing::ContainsRegex("limits.max_steps +.50. +default\n"));
  EXPECT_THAT(ran.out, HasSubstr("~/.config/ingle/ingle.toml (not there)"));
}

TEST_F(ConfigCommand, OneKeyIsItsValueAlone) {
  environment_.variables["INGLE_MODELS"] = "/m";
  EXPECT_EQ(run_in(environment_, {"config", "models"}).out, "/m\n");
  EXPECT_EQ(run_in(environment_, {"config", "data"}).out,
            "/home/someone/.local/share/ingle/sessions.db\n");
  EXPECT_EQ(run_in(environment_, {"config", "sampling.seed"}).out, "\n");
  EXPECT_EQ(run_in(environment_, {"config", "sampling.seed", "--seed", "3"}).out, "3\n");
  const Ran unknown = run_in(environment_, {"config", "seed"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no key seed; did you mean sampling.seed?"));
}

TEST_F(ConfigCommand, JsonIsForScripts) {
  folder_.write("ingle.toml", "tools = [\"a\"]");
  const auto lines = run_in(environment_, {"config", "--json"}).lines();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["values"]["tools"]["value"], json{"a"});
  EXPECT_EQ(lines[0]["values"]["tools"]["from"], json{"ingle.toml:1"});
  EXPECT_EQ(lines[0]["values"]["engine.threads"]["value"], nullptr);
  EXPECT_EQ(lines[0]["files"].size(), 2U);
}

TEST_F(ConfigCommand, EveryCommandRefusesAnUnknownKey) {
  folder_.write("ingle.toml", "modle = \"x\"");
  for (const std::vector<std::string>& args : {std::vector<std::string>{"run", "hi"},
                                               {"chat"},
                                               {"config"},
                                               {"models"},
                                               {"tools"},
                                               {"tokenize", "x"},
                                               {"template", "x"},
                                               {"resume", "01jd8"}}) {
    const Ran ran = run_in(environment_, args);
    EXPECT_EQ(ran.code, 2) << args[0];
    EXPECT_THAT(ran.err, HasSubstr("ingle.toml:1: there is no key modle; did you mean model?"))
        << args[0];
  }
  EXPECT_EQ(run_in(environment_, {"config", "--config", "none"}).code, 0);
  // The doctor tells it among all else.
  EXPECT_THAT(run_in(environment_, {"doctor"}).out, HasSubstr("there is no key modle"));
}

TEST_F(ConfigCommand, ValuesReachTheModelAndTheLog) {
  folder_.write("ingle.toml",
                "[engine]\nthreads = 3\nkv_type = \"q8\"\nflash_attention = true\n"
                "gpu_layers = 0\nbatch_size = 64\nbatch_threads = 4\ncontext = 512\n"
                "chat_template = \"t.jinja\"\n[sampling]\ntop_k = 5");
  environment_.script = R"({"text": "Hello."})";
  const Ran ran = run_in(environment_, {"run", "--model", "scripted:x", "--json", "hi"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(environment_.requests.size(), 1U);
  const ModelRequest& request = environment_.requests[0];
  EXPECT_EQ(request.threads, 3);
  EXPECT_EQ(request.batch_threads, 4);
  EXPECT_EQ(request.context_window, 512);
  EXPECT_EQ(request.batch_size, 64);
  EXPECT_EQ(request.kv_cache_type, "q8");
  EXPECT_EQ(request.flash_attention, true);
  EXPECT_EQ(request.gpu_layers, 0);
  EXPECT_EQ(request.chat_template, folder_.path() / "t.jinja");
  EXPECT_THAT(ran.out, HasSubstr(R"("sampling":{"top_k":5})"));
}

TEST_F(ConfigCommand, VerboseTellsAllThatIsKnownOfAnError) {
  environment_.model_error =
      Error{ErrorCode::kInternal, "model_load_failed", "the model could not be loaded",
            json{{"bytes", 3}}}
          .because({ErrorCode::kUnavailable, "disk_failed", "the disk does not answer", Json{}});
  const std::vector<std::string> args{"run", "--model", "./m.gguf", "hi"};
  const Ran brief = run_in(environment_, args);
  EXPECT_THAT(brief.err, HasSubstr("ingle: the model could not be loaded\n"));
  EXPECT_THAT(brief.err, Not(HasSubstr("because")));
  for (const std::vector<std::string>& verbose :
       {std::vector<std::string>{"run", "--verbose", "--model", "./m.gguf", "hi"},
        {"--verbose", "run", "--model", "./m.gguf", "hi"}}) {
    const Ran ran = run_in(environment_, verbose);
    EXPECT_THAT(ran.err, HasSubstr("ingle: the model could not be loaded\n"
                                   "    code internal, reason model_load_failed\n"
                                   "    details {\"bytes\":3}\n"
                                   "  because: the disk does not answer\n"
                                   "    code unavailable, reason disk_failed\n"));
  }
}

}  // namespace
}  // namespace ingle::cli
