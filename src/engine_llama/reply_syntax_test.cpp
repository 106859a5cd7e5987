#include "engine_llama/reply_syntax.h"

#include <gtest/gtest.h>

#include <string>

#include "engine_llama/reply_syntax_impl.h"

namespace ingle {
namespace {

TEST(WithoutProse, TextBeforeAForcedCallIsTakenOutOfTheFirstRule) {
  EXPECT_EQ(without_prose("call ::= \"x\"\nroot ::= until-0 call space\nuntil-0 ::= [^<]*\n"),
            "call ::= \"x\"\nroot ::=  call space\nuntil-0 ::= [^<]*\n");
  EXPECT_EQ(without_prose("root ::= until-12\ncall ::= \"x\""), "root ::= \ncall ::= \"x\"");
  EXPECT_EQ(without_prose("root ::= call until-1"), "root ::= call ");
}

TEST(WithoutProse, OnlyTheFirstIsTakenSinceTheNextMayFollowTheCalls) {
  EXPECT_EQ(without_prose("root ::= until-0 call until-1"), "root ::=  call until-1");
}

TEST(WithoutProse, ThoughtsInBracketsStay) {
  EXPECT_EQ(without_prose("root ::= (\"<t>\" until-0 \"</t>\")? until-1 call"),
            "root ::= (\"<t>\" until-0 \"</t>\")?  call");
  // A bracket, a quote or the word itself in a string is none.
  EXPECT_EQ(without_prose(R"(root ::= "(\"until-0" until-1 call)"),
            R"(root ::= "(\"until-0"  call)");
}

TEST(WithoutProse, OtherGrammarsStayAsTheyAre) {
  for (const char* grammar :
       {"", "call ::= until-0", "root ::= call\nnext ::= until-0", "xroot ::= until-0",
        "root ::= (until-0 call)", "root ::= \"until-0\" \"open"}) {
    EXPECT_EQ(without_prose(grammar), grammar);
  }
}

/// A reply without form: text alone.
ReplySyntax plain_syntax(const common_chat_params& params = {}) {
  return ReplySyntax(make_syntax(params, {"f"}));
}

TEST(ReplySyntax, TextThatNestsTooDeepIsNotRead) {
  const ReplySyntax syntax = plain_syntax();
  const auto parse = [&](const std::string& text) {
    return syntax.parse(text, ReplySyntax::Extent::kPart);
  };
  EXPECT_EQ(parse("Words."), ParsedReply{.text = "Words."});
  EXPECT_TRUE(parse(std::string(200, '[')));
  EXPECT_FALSE(parse(std::string(201, '[')));
  EXPECT_FALSE(parse(std::string(150, '{') + std::string(51, '[')));
  std::string flat;
  for (int i = 0; i < 1000; ++i) {
    flat += "[{}]";
  }
  EXPECT_TRUE(parse(flat));
}

TEST(ReplySyntax, WordsThatTriggerTheGrammarArePatternsAndStartsOfCalls) {
  common_chat_params params;
  params.grammar = "root ::= \"x\"";
  params.grammar_lazy = true;
  params.grammar_triggers = {{COMMON_GRAMMAR_TRIGGER_TYPE_WORD, "[CALL](1)"},
                             {COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN, "a+"},
                             {COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN_FULL, "b|c"},
                             {COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN_FULL, "^d$"},
                             {COMMON_GRAMMAR_TRIGGER_TYPE_TOKEN, "<call>"}};
  params.additional_stops = {"", "<end>"};
  params.thinking_end_tags = {"", "</t>"};
  const ReplySyntax syntax = plain_syntax(params);
  EXPECT_EQ(syntax.grammar().text, "root ::= \"x\"");
  EXPECT_TRUE(syntax.grammar().is_lazy);
  EXPECT_EQ(syntax.grammar().triggers,
            (std::vector<std::string>{R"(\[CALL\]\(1\))", "a+", "^b|c$", "^d$"}));
  EXPECT_EQ(syntax.grammar().trigger_markers, std::vector<std::string>{"<call>"});
  EXPECT_EQ(syntax.call_starts(), std::vector<std::string>{"[CALL](1)"});
  EXPECT_EQ(syntax.stops(), std::vector<std::string>{"<end>"});
  EXPECT_EQ(syntax.thinking_ends(), std::vector<std::string>{"</t>"});
  EXPECT_EQ(syntax.tool_names(), std::vector<std::string>{"f"});
}

}  // namespace
}  // namespace ingle
