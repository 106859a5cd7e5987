#include "cli/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ingle::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

using Args = std::vector<std::string>;

template <class T>
T parse_as(const Args& args) {
  const auto parsed = parse_arguments(args);
  if (const auto* error = std::get_if<UsageError>(&parsed)) {
    ADD_FAILURE() << error->text;
    return {};
  }
  return std::get<T>(std::get<Arguments>(parsed));
}

std::string usage_error(const Args& args) {
  const auto parsed = parse_arguments(args);
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
  EXPECT_EQ(run.agent.model, "m");
  EXPECT_THAT(*run.agent.tools, ElementsAre("a", "b", "c"));
  EXPECT_EQ(run.agent.root, "d");
  EXPECT_EQ(run.agent.system, "s");
  EXPECT_EQ(run.agent.max_steps, 3);
  EXPECT_EQ(run.agent.max_tokens, 4);
  EXPECT_EQ(run.agent.temperature, 0.5);
  EXPECT_EQ(run.agent.timeout, 1.5);
  EXPECT_EQ(run.agent.threads, 2);
  EXPECT_EQ(run.agent.context, 512);
  EXPECT_THAT(run.until_tools, ElementsAre("a", "c"));
  EXPECT_THAT(run.agent.rules, ::testing::UnorderedElementsAre(Rule{"x*", GateEffect::kAllow},
                                                               Rule{"y", GateEffect::kAsk},
                                                               Rule{"z", GateEffect::kDeny}));
  EXPECT_EQ(run.session, "id");
  EXPECT_EQ(run.data, "f");
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
  EXPECT_EQ(run.agent.tools, std::nullopt);
  EXPECT_EQ(run.agent.temperature, std::nullopt);
  EXPECT_TRUE(run.agent.rules.empty());
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
  for (const char* value : {"x", "0", "-1"}) {
    EXPECT_THAT(usage_error({"run", "--max-steps", value, "Q"}),
                HasSubstr("\"" + std::string(value) + "\" is not a number above 0"));
  }
}

TEST(Options, EveryCommandHasHelpWithExamplesAndExitCodes) {
  for (const Args& args :
       {Args{"--help"}, Args{"-h"}, Args{"run", "--help"}, Args{"resume", "--help"},
        Args{"doctor", "--help"}, Args{"version", "-h"}}) {
    const auto parsed = parse_arguments(args);
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
  EXPECT_EQ(chat.agent.model, "m");
  EXPECT_THAT(*chat.agent.tools, ElementsAre("a", "b"));
  EXPECT_EQ(chat.agent.rules.size(), 1U);
  EXPECT_EQ(chat.session, "id");
  EXPECT_EQ(chat.data, "f");
  EXPECT_THAT(usage_error({"chat", "Hello"}), HasSubstr("see ingle chat --help"));
}

}  // namespace
}  // namespace ingle::cli
