#include "ingle/testing/scripted_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>

#include "ingle/testing/matchers.h"
#include "ingle/testing/max_test_wait.h"
#include "ingle/testing/recording_sink.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::testing {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t kForeverMs = 600'000;

ScriptedModel model_of(std::string_view script) {
  auto replies = parse_script(script);
  EXPECT_THAT(replies, IsOk());
  return ScriptedModel(*std::move(replies));
}

Prompt prompt_of(std::string text) {
  Prompt prompt;
  prompt.messages.push_back(Message::user(std::move(text)));
  return prompt;
}

Completion generated(ScriptedModel& model, const GenerationOptions& options = {},
                     const Call& call = {}) {
  RecordingSink sink;
  auto completion = model.generate(call, prompt_of("one two three"), options, sink);
  EXPECT_THAT(completion, IsOk());
  if (!completion) {
    return {};
  }
  EXPECT_EQ(sink.text(), completion->message.text()) << "the deltas are the reply";
  return *std::move(completion);
}

TEST(ScriptedModel, PlaysItsRepliesInOrder) {
  ScriptedModel model = model_of("{\"text\": \"a\"}\n{\"pieces\": [\"b\", \"c\"]}\n");
  EXPECT_EQ(generated(model).message, Message::assistant("a"));
  const Completion second = generated(model);
  EXPECT_EQ(second.message.text(), "bc");
  EXPECT_EQ(second.finish_reason, FinishReason::kStop);
  EXPECT_EQ(second.usage, (Usage{3, 0, 2}));
}

TEST(ScriptedModel, RunningOutOfRepliesIsAnError) {
  ScriptedModel model = model_of("{\"text\": \"a\"}");
  generated(model);
  NullDeltaSink sink;
  const auto completion = model.generate({}, prompt_of("x"), {}, sink);
  EXPECT_THAT(completion, HasReason("script_exhausted"));
  EXPECT_THAT(completion, HasErrorCode(ErrorCode::kFailedPrecondition));
  EXPECT_EQ(model.prompts().size(), 2U);
}

TEST(ScriptedModel, SkipsRepliesThatAnotherProcessHasTaken) {
  ScriptedModel model = model_of("{\"text\": \"a\"}\n{\"text\": \"b\"}");
  model.skip(1);
  EXPECT_EQ(generated(model).message.text(), "b");
  model.skip(100);
  NullDeltaSink sink;
  EXPECT_THAT(model.generate({}, {}, {}, sink), HasReason("script_exhausted"));
}

TEST(ScriptedModel, StreamsReasoningTextAndCalls) {
  ScriptedModel model = model_of(
      R"({"reasoning": "hm", "pieces": ["x", "y"], "tool_calls": [{"name": "t", "arguments": {"a": 1}}, )"
      R"({"name": "u", "arguments": "oops"}]})");
  RecordingSink sink;
  const auto completion = model.generate({}, prompt_of("q"), {}, sink);
  ASSERT_THAT(completion, IsOk());
  EXPECT_EQ(completion->finish_reason, FinishReason::kToolCalls);
  EXPECT_EQ(completion->message.role, Role::kAssistant);
  EXPECT_EQ(completion->message.reasoning(), "hm");
  EXPECT_EQ(completion->message.text(), "xy");
  EXPECT_EQ(completion->message.tool_calls.at(1).raw_arguments, "oops");
  EXPECT_EQ(completion->usage.completion_tokens, 4);
  EXPECT_THAT(
      sink.deltas(),
      ElementsAre(Delta(ReasoningDelta{"hm"}), Delta(TextDelta{"x"}), Delta(TextDelta{"y"}),
                  Delta(ToolCallDelta{0, {}, "t", ""}),
                  Delta(ToolCallDelta{0, {}, "", R"({"a":1})"}),
                  Delta(ToolCallDelta{1, {}, "u", ""}), Delta(ToolCallDelta{1, {}, "", "oops"})));
}

TEST(ScriptedModel, GivesFinishReasonAndUsageOfTheScript) {
  ScriptedModel model = model_of(
      R"({"text": "a", "finish_reason": "length", "usage": {"prompt_tokens": 9, "completion_tokens": 8}})");
  const Completion completion = generated(model);
  EXPECT_EQ(completion.finish_reason, FinishReason::kLength);
  EXPECT_EQ(completion.usage, (Usage{9, 0, 8}));
}

TEST(ScriptedModel, GivesTheErrorOfTheScriptAndGoesOn) {
  ScriptedModel model = model_of("{\"error\": {\"code\": \"unavailable\"}}\n{\"text\": \"a\"}");
  NullDeltaSink sink;
  EXPECT_THAT(model.generate({}, {}, {}, sink), HasErrorCode(ErrorCode::kUnavailable));
  EXPECT_EQ(generated(model).message.text(), "a");
}

TEST(ScriptedModel, MaxTokensCutsPiecesAndCalls) {
  ScriptedModel model =
      model_of(R"({"pieces": ["a", "b", "c"], "tool_calls": [{"name": "t"}]})"
               "\n"
               R"({"pieces": ["a"], "tool_calls": [{"name": "t"}, {"name": "u"}]})");
  const Completion first = generated(model, {.max_tokens = 2});
  EXPECT_EQ(first.message.text(), "ab");
  EXPECT_TRUE(first.message.tool_calls.empty());
  EXPECT_EQ(first.finish_reason, FinishReason::kLength);
  EXPECT_EQ(first.usage.completion_tokens, 2);
  const Completion second = generated(model, {.max_tokens = 2});
  EXPECT_EQ(second.message.tool_calls.size(), 1U);
  EXPECT_EQ(second.finish_reason, FinishReason::kLength);
}

TEST(ScriptedModel, ReplyOfExactlyMaxTokensIsWhole) {
  ScriptedModel model = model_of(R"({"pieces": ["a", "b"]})");
  EXPECT_EQ(generated(model, {.max_tokens = 2}).finish_reason, FinishReason::kStop);
}

TEST(ScriptedModel, OptionsOutOfRangeTakeNoReply) {
  ScriptedModel model = model_of(R"({"text": "a"})");
  NullDeltaSink sink;
  EXPECT_THAT(model.generate({}, {}, {.temperature = -1.0}, sink),
              HasReason("option_out_of_range"));
  EXPECT_THAT(
      model.generate({}, {}, {.constraint = ConstraintSpec{ConstraintKind::kRegex, "a"}}, sink),
      HasReason("constraint_unsupported"));
  EXPECT_TRUE(model.prompts().empty());
  EXPECT_EQ(generated(model).message.text(), "a");
}

TEST(ScriptedModel, SaysThatStopStringsAreNotLookedFor) {
  ScriptedModel model = model_of(R"({"text": "a"})");
  EXPECT_EQ(generated(model, {.stop = {"x"}}).warnings.size(), 1U);
}

TEST(ScriptedModel, StopBeforeTheStartGivesAnEmptyCancelledReply) {
  ScriptedModel model = model_of(R"({"text": "a", "reasoning": "r"})");
  CancelSource cancel;
  cancel.cancel(CancelReason::kUser);
  const Completion completion = generated(model, {}, {cancel.token(), {}});
  EXPECT_EQ(completion.finish_reason, FinishReason::kCancelled);
  EXPECT_TRUE(completion.message.content.empty());
}

TEST(ScriptedModel, StopRequestEndsADelayAndKeepsThePartialText) {
  ScriptedReply reply;
  reply.pieces = {"a", "b"};
  reply.tool_calls.push_back({.id = {}, .name = "t", .arguments = {}, .raw_arguments = ""});
  ScriptedModel model({reply});
  CancelSource cancel;
  RecordingSink sink([&](const Delta&) { cancel.cancel(CancelReason::kUser); });
  const auto completion = model.generate({cancel.token(), {}}, {}, {}, sink);
  ASSERT_THAT(completion, IsOk());
  EXPECT_EQ(completion->finish_reason, FinishReason::kCancelled);
  EXPECT_EQ(completion->message.text(), "a");
  EXPECT_TRUE(completion->message.tool_calls.empty());
}

TEST(ScriptedModel, StopRequestFromAnotherThreadWakesTheDelay) {
  ScriptedReply reply;
  reply.pieces = {"a"};
  reply.delay_ms = kForeverMs;
  ScriptedReply failure;
  failure.error = Error{};
  failure.delay_ms = kForeverMs;
  ScriptedModel model({reply, failure});
  for (int i = 0; i < 2; ++i) {
    CancelSource cancel;
    const auto start = std::chrono::steady_clock::now();
    const std::jthread person([&] { cancel.cancel(CancelReason::kUser); });
    EXPECT_EQ(generated(model, {}, {cancel.token(), {}}).finish_reason, FinishReason::kCancelled);
    EXPECT_LT(std::chrono::steady_clock::now() - start, kMaxTestWait);
  }
}

TEST(ScriptedModel, DeadlineEndsADelay) {
  ScriptedReply reply;
  reply.pieces = {"a"};
  reply.delay_ms = kForeverMs;
  ScriptedModel model({reply});
  const Call call{{}, Deadline::after(std::chrono::milliseconds(5))};
  EXPECT_EQ(generated(model, {}, call).finish_reason, FinishReason::kCancelled);
}

TEST(ScriptedModel, DelayPassesByItself) {
  ScriptedModel model = model_of(R"({"pieces": ["a", "b"], "delay_ms": 1})");
  EXPECT_EQ(generated(model).message.text(), "ab");
}

TEST(ScriptedModel, CountsTheWordsOfThePrompt) {
  ScriptedModel model({});
  EXPECT_THAT(model.count_tokens(prompt_of(" one  two\nthree ")), IsOkAndHolds(3));
  Prompt prompt = prompt_of("one");
  prompt.tools.push_back({.name = "t", .description = "does it", .parameters = json::object()});
  EXPECT_THAT(model.count_tokens(prompt), IsOkAndHolds(5));
}

TEST(ScriptedModel, CannotScore) {
  ScriptedModel model({});
  const std::vector<std::string> texts{"a"};
  EXPECT_THAT(model.score({}, {}, texts), HasReason("score_unsupported"));
  EXPECT_FALSE(model.info().can_score);
}

TEST(ScriptedModelLoad, ReadsAFile) {
  const TempDir folder;
  const auto model = ScriptedModel::load(folder.write("script.jsonl", "{\"text\": \"a\"}\n"));
  ASSERT_THAT(model, IsOk());
  EXPECT_EQ(generated(**model).message.text(), "a");
}

TEST(ScriptedModelLoad, FilesThatCannotBeReadAreNotFound) {
  const TempDir folder;
  EXPECT_THAT(ScriptedModel::load(folder.path() / "missing"), HasReason("script_not_found"));
  EXPECT_THAT(ScriptedModel::load(folder.path()), HasReason("script_not_found"));
  EXPECT_THAT(ScriptedModel::load(folder.write("bad", "?")), HasReason("script_invalid"));
}

}  // namespace
}  // namespace ingle::testing
