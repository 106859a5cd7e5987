#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cli_fixture.h"

namespace ingle::cli {
namespace {

using ::testing::HasSubstr;

void add_tools_to(FakeEnvironment& environment) {
  environment.all_tools = {simple_tool("look", {.is_read_only = true}),
                           simple_tool("send", {.is_idempotent = true})};
}

TEST(ListTools, TableAndJsonSayWhatToolsDo) {
  FakeEnvironment environment;
  add_tools_to(environment);
  const Ran table = run_in(environment, {"tools"});
  EXPECT_EQ(table.code, 0);
  EXPECT_THAT(table.out, HasSubstr("look()  reads"));
  EXPECT_THAT(table.out, HasSubstr("may be repeated"));
  const Ran list = run_in(environment, {"tools", "--json"});
  EXPECT_EQ(list.lines()[0][0]["name"], "look");
  EXPECT_EQ(list.lines()[0][0]["read_only"], true);
  EXPECT_EQ(list.lines()[0][1]["parameters"]["type"], "object");
}

TEST(Tokenize, EachTokenIsALineOrAnObject) {
  FakeEnvironment environment;
  const Ran lines = run_in(environment, {"tokenize", "--model", "./x.gguf", "a\n"});
  EXPECT_EQ(lines.code, 0);
  EXPECT_THAT(lines.out, HasSubstr("97  \"a\""));
  EXPECT_THAT(lines.out, HasSubstr("10  \"\\n\""));
  EXPECT_THAT(lines.err, HasSubstr("2 tokens"));
  const Ran prompt =
      run_in(environment, {"tokenize", "--prompt", "--json", "--model", "./x.gguf", "a"});
  EXPECT_EQ(prompt.lines()[0][0]["control"], true);
  EXPECT_EQ(prompt.lines()[0].size(), 2U);
}

TEST(Tokenize, TextMayComeFromAPipe) {
  FakeEnvironment environment;
  EXPECT_THAT(run_in(environment, {"tokenize", "--model", "./x.gguf", "-"}, {.input = "b\n"}).out,
              HasSubstr("98"));
}

TEST(Tokenize, ScriptHasNoTokens) {
  FakeEnvironment environment;
  const Ran refused = run_in(environment, {"tokenize", "--model", "scripted:x", "a"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("a script has no tokens"));
}

TEST(Template, ShowsWhatTheModelIsShown) {
  FakeEnvironment environment;
  add_tools_to(environment);
  const Ran shown = run_in(environment, {"template", "--model", "./x.gguf", "--tools", "look",
                                         "--system", "Be short.", "Hi"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_EQ(shown.out, "system: Be short.\nuser: Hi\ntool look\n\n");
  EXPECT_THAT(shown.err, HasSubstr("reply: 7 tokens"));
  const Ran as_json = run_in(environment, {"template", "--model", "./x.gguf", "--json", "Hi"});
  EXPECT_EQ(as_json.lines()[0][0]["tokens"], 7);
  EXPECT_EQ(run_in(environment, {"template", "--model", "./x.gguf", "--tools", "lok", "Hi"}).code,
            2);
}

}  // namespace
}  // namespace ingle::cli
