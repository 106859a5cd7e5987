#include "cli/options/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/config/config_keys.h"
#include "ingle/core/json.h"

namespace ingle::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

using Args = std::vector<std::string>;

template <class T>
T parse_as(const Args& args) {
  const auto parsed = parse_arguments(args).command;
  if (const auto* error = std::get_if<UsageError>(&parsed)) {
    ADD_FAILURE() << error->text;
    return {};
  }
  return std::get<T>(std::get<Arguments>(parsed));
}

std::string usage_error(const Args& args) {
  const auto parsed = parse_arguments(args).command;
  const auto* error = std::get_if<UsageError>(&parsed);
  return error == nullptr ? "no error" : error->text;
}

TEST(Options, RunTakesEveryOption) {
  const auto run = parse_as<RunArguments>(
      {"run", "--model",      "m",   "--tools",     "a,b",     "--tools",      "c", "--root",
       "d",   "--system",     "s",   "--max-steps", "3",       "--max-tokens", "4", "--temperature",
       "0.5", "--until-tool", "a,c", "--allow",     "x*",      "--ask",        "y", "--deny",
       "z",   "--timeout",    "1.5", "--session",   "id",      "--data",       "f", "--threads",
       "2",   "--context",    "512", "--json",      "--quiet", "the prompt"});
  EXPECT_EQ(run.flags.values.model, "m");
  EXPECT_THAT(*run.flags.values.tools, ElementsAre("a", "b", "c"));
  EXPECT_EQ(run.flags.values.root, "d");
  EXPECT_EQ(run.flags.values.system, "s");
  EXPECT_EQ(run.flags.values.max_steps, 3);
  EXPECT_EQ(run.flags.values.max_tokens, 4);
  EXPECT_EQ(run.flags.values.temperature, 0.5);
  EXPECT_EQ(run.flags.values.timeout, 1.5);
  EXPECT_EQ(run.flags.values.threads, 2);
  EXPECT_EQ(run.flags.values.context, 512);
  EXPECT_THAT(run.until_tools, ElementsAre("a", "c"));
  EXPECT_THAT(
      rules_of(run.flags.values),
      ::testing::UnorderedElementsAre(Rule{"x*", GateEffect::kAllow}, Rule{"y", GateEffect::kAsk},
                                      Rule{"z", GateEffect::kDeny}));
  EXPECT_EQ(run.session, "id");
  EXPECT_EQ(run.flags.values.data, "f");
  EXPECT_EQ(run.prompt, "the prompt");
  EXPECT_TRUE(run.output.json);
  EXPECT_TRUE(run.output.quiet);
}

TEST(Options, ThePromptMayStandBehindAnyOption) {
  EXPECT_EQ(parse_as<RunArguments>({"run", "--tools", "a", "hello"}).prompt, "hello");
  EXPECT_EQ(parse_as<RunArguments>({"run", "--allow", "a", "hello"}).prompt, "hello");
  EXPECT_EQ(parse_as<RunArguments>({"run", "--until-tool", "a", "hello"}).prompt, "hello");
  EXPECT_EQ(parse_as<RunArguments>({"run", "hello", "--json"}).prompt, "hello");
}

TEST(Options, ThePromptIsTakenAsItIs) {
  for (const char* prompt : {"-", "version", "[a,b]", "a,b", "--x=y z", "a \"b\" \\n", "%%"}) {
    EXPECT_EQ(parse_as<RunArguments>({"run", "--", prompt}).prompt, prompt);
  }
  EXPECT_EQ(parse_as<RunArguments>({"run", "version"}).prompt, "version");
  EXPECT_EQ(parse_as<RunArguments>({"run", "-"}).prompt, "-");
}

TEST(Options, NothingIsSetUnlessGiven) {
  const auto run = parse_as<RunArguments>({"run"});
  EXPECT_EQ(run.prompt, std::nullopt);
  EXPECT_EQ(run.flags.values.tools, std::nullopt);
  EXPECT_EQ(run.flags.values.temperature, std::nullopt);
  EXPECT_TRUE(rules_of(run.flags.values).empty());
}

TEST(Options, ResumeTakesAnswers) {
  const auto resume =
      parse_as<ResumeArguments>({"resume", "--answer", "ask_1=approve", "--answer",
                                 "ask_2=reject:no, never", "01ab", "--accept-changes"});
  EXPECT_EQ(resume.session, "01ab");
  EXPECT_TRUE(resume.accept_changes);
  ASSERT_EQ(resume.answers.size(), 2U);
  EXPECT_EQ(resume.answers[1].text, "no, never");
}

TEST(Options, MistakesAreOneLineThatSaysWhereToLook) {
  const std::vector<Args> mistakes{{},
                                   {"run", "--nonsense"},
                                   {"run", "two", "prompts"},
                                   {"run", "--max-steps", "0", "x"},
                                   {"run", "--max-steps", "many", "x"},
                                   {"run", "--max-steps"},
                                   {"run", "--threads", "99999999999", "x"},
                                   {"run", "--temperature", "3", "x"},
                                   {"run", "--timeout", "-1", "x"},
                                   {"resume"},
                                   {"resume", "s", "--answer", "yes"},
                                   {"walk"}};
  for (const Args& args : mistakes) {
    const std::string error = usage_error(args);
    EXPECT_THAT(error, EndsWith("--help")) << ::testing::PrintToString(args);
    EXPECT_THAT(error, Not(HasSubstr("\n")));
  }
  EXPECT_THAT(usage_error({"run", "--nonsense"}), HasSubstr("--nonsense"));
  EXPECT_THAT(usage_error({"run", "--nonsense"}), EndsWith("see ingle run --help"));
}

TEST(Options, ANumberOutOfRangeIsQuoted) {
  for (const char* value : {"\"x\"", "0", "-1"}) {
    std::string text(value);
    std::erase(text, '"');
    EXPECT_EQ(usage_error({"run", "--max-steps", text, "Q"}),
              "--max-steps: " + std::string(value) +
                  " is not a whole number from 1; see ingle run --help");
  }
}

TEST(Options, EveryCommandHasHelpWithExamplesAndExitCodes) {
  for (const Args& args :
       {Args{"--help"}, Args{"-h"}, Args{"run", "--help"}, Args{"resume", "--help"},
        Args{"doctor", "--help"}, Args{"version", "-h"}}) {
    const auto parsed = parse_arguments(args).command;
    ASSERT_TRUE(std::holds_alternative<HelpText>(parsed)) << ::testing::PrintToString(args);
    const std::string& text = std::get<HelpText>(parsed).text;
    EXPECT_THAT(text, HasSubstr("Examples:"));
    EXPECT_THAT(text, HasSubstr("xit codes"));
    EXPECT_THAT(text, Not(HasSubstr("probe-model")));
  }
}

TEST(Options, VersionIsACommandAndAFlag) {
  EXPECT_FALSE(parse_as<VersionArguments>({"--version"}).json);
  EXPECT_TRUE(parse_as<VersionArguments>({"version", "--json"}).json);
}

TEST(Options, TheProbeIsThereThoughHidden) {
  EXPECT_EQ(parse_as<ProbeArguments>({"probe-model", "/x"}).path, "/x");
}

TEST(Options, ChatTakesWhatDescribesAnAgent) {
  const auto chat = parse_as<ChatArguments>(
      {"chat", "--model", "m", "--tools", "a,b", "--ask", "y", "--session", "id", "--data", "f"});
  EXPECT_EQ(chat.flags.values.model, "m");
  EXPECT_THAT(*chat.flags.values.tools, ElementsAre("a", "b"));
  EXPECT_EQ(rules_of(chat.flags.values).size(), 1U);
  EXPECT_EQ(chat.session, "id");
  EXPECT_EQ(chat.flags.values.data, "f");
  EXPECT_THAT(usage_error({"chat", "Hello"}), HasSubstr("see ingle chat --help"));
}

TEST(Options, EveryKeyIsAFlagOfTheCommandsThatMakeAnAgent) {
  for (const ConfigKey& key : config_keys()) {
    const bool is_switch = std::holds_alternative<std::optional<bool> Config::*>(key.member);
    const std::string value = is_switch ? "on" : key.choices.empty() ? "1" : "q8";
    for (const char* command : {"run", "chat", "config"}) {
      const auto parsed = parse_arguments(Args{command, std::string(key.flag), value}).command;
      EXPECT_TRUE(std::holds_alternative<Arguments>(parsed)) << command << " " << key.flag;
    }
    const auto run = parse_as<RunArguments>({"run", std::string(key.flag), value});
    EXPECT_FALSE(value_of(run.flags.values, key).is_null()) << key.flag;
  }
}

TEST(Options, VerboseMayStandAnywhere) {
  for (const Args& args : {Args{"--verbose", "version"}, Args{"version", "--verbose"},
                           Args{"models", "list", "--verbose"}, Args{"run", "x", "--verbose"}}) {
    EXPECT_TRUE(parse_arguments(args).is_verbose) << ::testing::PrintToString(args);
  }
  EXPECT_FALSE(parse_arguments(Args{"version"}).is_verbose);
}

}  // namespace
}  // namespace ingle::cli
