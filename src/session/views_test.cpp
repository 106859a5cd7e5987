#include "ingle/session/views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "session/sample_events.h"

namespace ingle {
namespace {

using session_samples::call;
using session_samples::reply;
using testing::ElementsAre;

constexpr const char* kNotRun = "This call was not run.";

SessionState with(std::vector<Message> transcript) {
  SessionState state;
  state.transcript = std::move(transcript);
  return state;
}

TEST(ContextView, AWholeTranscriptIsShownAsItIs) {
  const ToolCall one = call("c1");
  const SessionState state =
      with({Message::system("be brief"), Message::user("go"), reply("", {one}),
            Message::tool_result(one, "done"), Message::assistant("It is done.")});
  EXPECT_EQ(context_view(state), state.transcript);
}

TEST(ContextView, MissingResultsAreFilledIn) {
  const ToolCall one = call("c1");
  const ToolCall two = call("c2");
  const SessionState state = with({reply("", {one, two}), Message::tool_result(two, "done")});
  EXPECT_THAT(context_view(state),
              ElementsAre(state.transcript[0], Message::tool_result(one, kNotRun, true),
                          state.transcript[1]));
}

TEST(ContextView, ResultsAreMovedBehindTheirReply) {
  const ToolCall one = call("c1");
  const ToolCall two = call("c2");
  const Message user = Message::user("meanwhile");
  const SessionState state = with({reply("", {one, two}), user, Message::tool_result(two, "b"),
                                   Message::tool_result(one, "a")});
  EXPECT_THAT(context_view(state), ElementsAre(state.transcript[0], Message::tool_result(one, "a"),
                                               Message::tool_result(two, "b"), user));
}

TEST(ContextView, ResultsOfNoCallAreLeftOut) {
  const ToolCall one = call("c1");
  const SessionState state =
      with({Message::tool_result(one, "early"), reply("", {one}), Message::tool_result(one, "a"),
            Message::tool_result(one, "again"), Message::tool_result(call("c9"), "stray")});
  EXPECT_THAT(context_view(state), ElementsAre(state.transcript[1], state.transcript[2]));
}

TEST(ContextView, AResultBelongsToTheNewestReply) {
  const ToolCall one = call("c1");
  const SessionState state =
      with({reply("", {one}), reply("", {one}), Message::tool_result(one, "a")});
  EXPECT_THAT(context_view(state),
              ElementsAre(state.transcript[0], Message::tool_result(one, kNotRun, true),
                          state.transcript[1], state.transcript[2]));
}

TEST(PromptView, InstructionsComeFirst) {
  const SessionState state = with({Message::user("go")});
  const std::vector<ToolSpec> tools = {{"read_file", "Reads.", json{{"type", "object"}}}};
  const Prompt prompt = prompt_view(state, "Be brief.", tools);
  EXPECT_THAT(prompt.messages, ElementsAre(Message::system("Be brief."), state.transcript[0]));
  EXPECT_EQ(prompt.tools, tools);
  EXPECT_EQ(prompt.next, Role::kAssistant);
}

TEST(PromptView, EmptyInstructionsAreNoMessage) {
  const SessionState state = with({Message::user("go")});
  EXPECT_EQ(prompt_view(state, "", {}).messages, state.transcript);
}

}  // namespace
}  // namespace ingle
