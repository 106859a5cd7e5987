/// What every `LanguageModel` does. A model's test instantiates the suite for itself:
///
///   INSTANTIATE_TEST_SUITE_P(Mine, LanguageModelConformance, ::testing::Values(make_model));
///
/// where `make_model` gives a model (new or shared) that answers each prompt below with text,
/// without calling tools, in at least two pieces.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "ingle/model/language_model.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/max_test_wait.h"
#include "ingle/testing/recording_sink.h"

namespace ingle::conformance {

using MakeModel = std::function<std::shared_ptr<LanguageModel>()>;

class LanguageModelConformance : public ::testing::TestWithParam<MakeModel> {
 protected:
  static Prompt prompt() {
    Prompt prompt;
    prompt.messages = {Message::system("You are a helpful assistant."),
                       Message::user("Explain in a few sentences what the sea is.")};
    return prompt;
  }
  static GenerationOptions short_reply() { return {.max_tokens = 24}; }

  Result<Completion> generate(const Call& call = {},
                              const GenerationOptions& options = short_reply()) {
    return model_->generate(call, prompt(), options, sink_);
  }
  void expect_works() { EXPECT_THAT(generate(), ingle::testing::IsOk()); }

  std::shared_ptr<LanguageModel> model_ = GetParam()();
  ingle::testing::RecordingSink sink_;
};

TEST_P(LanguageModelConformance, InfoNamesModelAndEngine) {
  const ModelInfo info = model_->info();
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.engine.empty());
  EXPECT_GE(info.context_window, 0);
  EXPECT_GE(info.parameters, 0);
}

TEST_P(LanguageModelConformance, StreamedPiecesAreTheReply) {
  const auto reply = generate();
  ASSERT_THAT(reply, ingle::testing::IsOk());
  EXPECT_EQ(reply->message.role, Role::kAssistant);
  EXPECT_FALSE(reply->message.text().empty());
  EXPECT_EQ(sink_.text(), reply->message.text());
  for (const Delta& delta : sink_.deltas()) {
    if (const auto* text = std::get_if<TextDelta>(&delta)) {
      EXPECT_FALSE(text->text.empty());
    }
  }
}

TEST_P(LanguageModelConformance, UsageIsCounted) {
  const auto reply = generate();
  ASSERT_THAT(reply, ingle::testing::IsOk());
  EXPECT_GT(reply->usage.prompt_tokens, 0);
  EXPECT_GE(reply->usage.cached_tokens, 0);
  EXPECT_LE(reply->usage.cached_tokens, reply->usage.prompt_tokens);
  EXPECT_GT(reply->usage.completion_tokens, 0);
  EXPECT_LE(reply->usage.completion_tokens, 24);
}

TEST_P(LanguageModelConformance, CountedTokensAreThoseOfTheReply) {
  const auto count = model_->count_tokens(prompt());
  if (!count.ok()) {
    EXPECT_THAT(count, ingle::testing::HasReason("count_unsupported"));
    return;
  }
  const auto reply = generate();
  ASSERT_THAT(reply, ingle::testing::IsOk());
  EXPECT_EQ(reply->usage.prompt_tokens, *count);
}

TEST_P(LanguageModelConformance, MaxTokensEndsTheReply) {
  const auto reply = generate({}, {.max_tokens = 1});
  ASSERT_THAT(reply, ingle::testing::IsOk());
  EXPECT_EQ(reply->finish_reason, FinishReason::kLength);
  EXPECT_EQ(reply->usage.completion_tokens, 1);
}

TEST_P(LanguageModelConformance, OptionsOutOfRangeAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<GenerationOptions> bad = {
      {.temperature = -1.0}, {.temperature = nan}, {.top_k = 0},        {.top_p = 0.0},
      {.min_p = 2.0},        {.max_tokens = 0},    {.stop = {"x", ""}},
  };
  for (const GenerationOptions& options : bad) {
    const auto reply = generate({}, options);
    EXPECT_THAT(reply, ingle::testing::HasErrorCode(ErrorCode::kInvalidArgument));
    EXPECT_THAT(reply, ingle::testing::HasReason("option_out_of_range"));
  }
  EXPECT_TRUE(sink_.deltas().empty());
  expect_works();
}

TEST_P(LanguageModelConformance, OptionsThatAreNotListedComeBackAsWarnings) {
  GenerationOptions options = short_reply();
  options.temperature = 0.5;
  options.top_k = 40;
  options.seed = 7;
  options.presence_penalty = 0.1;
  options.stop = {"never written by anyone"};
  options.thinking = Thinking::kOff;
  const std::vector<std::string> ignored = ignored_option_warnings(options, model_->info().options);
  const auto reply = generate({}, options);
  ASSERT_THAT(reply, ingle::testing::IsOk());
  for (const std::string& warning : ignored) {
    EXPECT_THAT(reply->warnings, ::testing::Contains(warning));
  }
  const auto plain = generate();
  ASSERT_THAT(plain, ingle::testing::IsOk());
  EXPECT_THAT(plain->warnings, ::testing::IsEmpty());
}

TEST_P(LanguageModelConformance, ConstraintsThatAreNotListedAreRefused) {
  const ModelInfo info = model_->info();
  for (const ConstraintKind kind :
       {ConstraintKind::kJsonSchema, ConstraintKind::kRegex, ConstraintKind::kLark}) {
    if (!info.supports(kind)) {
      EXPECT_THAT(generate({}, {.constraint = ConstraintSpec{kind, "a"}}),
                  ingle::testing::HasReason("constraint_unsupported"));
    }
  }
}

TEST_P(LanguageModelConformance, ToolsAreRefusedWithoutAProtocol) {
  if (model_->info().tool_protocol != ToolProtocol::kNone) {
    GTEST_SKIP() << "this model takes tools";
  }
  Prompt with_tools = prompt();
  with_tools.tools = {ToolSpec{"clock", "Tells the time.", {}}};
  const auto reply = model_->generate({}, with_tools, short_reply(), sink_);
  EXPECT_THAT(reply, ingle::testing::HasErrorCode(ErrorCode::kUnsupported));
  EXPECT_THAT(reply, ingle::testing::HasReason("tools_unsupported"));
}

TEST_P(LanguageModelConformance, CancelledBeforeTheStartIsAnEmptyReply) {
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = generate({stop.get_token(), {}});
  ASSERT_THAT(stopped, ingle::testing::IsOk());
  EXPECT_EQ(stopped->finish_reason, FinishReason::kCancelled);
  EXPECT_EQ(stopped->message.text(), "");

  const auto late = generate({{}, Deadline(Deadline::Clock::now())});
  ASSERT_THAT(late, ingle::testing::IsOk());
  EXPECT_EQ(late->finish_reason, FinishReason::kCancelled);
  EXPECT_TRUE(sink_.deltas().empty());
  expect_works();
}

TEST_P(LanguageModelConformance, CancelledInTheMiddleKeepsTheText) {
  std::stop_source stop;
  ingle::testing::RecordingSink sink([&stop](const Delta&) { stop.request_stop(); });
  const auto reply = model_->generate({stop.get_token(), {}}, prompt(), short_reply(), sink);
  ASSERT_THAT(reply, ingle::testing::IsOk());
  EXPECT_EQ(reply->finish_reason, FinishReason::kCancelled);
  EXPECT_FALSE(reply->message.text().empty());
  EXPECT_EQ(sink.text(), reply->message.text());
  expect_works();
}

TEST_P(LanguageModelConformance, CancelledAfterTheEndChangesNothing) {
  std::stop_source stop;
  const auto reply = generate({stop.get_token(), {}});
  stop.request_stop();
  ASSERT_THAT(reply, ingle::testing::IsOk());
  EXPECT_NE(reply->finish_reason, FinishReason::kCancelled);
  expect_works();
}

TEST_P(LanguageModelConformance, CallsOfSeveralThreadsAllEnd) {
  std::vector<std::future<Result<Completion>>> replies;
  for (int i = 0; i < 3; ++i) {
    replies.push_back(std::async(std::launch::async, [this] {
      ingle::testing::RecordingSink sink;
      auto reply = model_->generate({}, prompt(), {.max_tokens = 4}, sink);
      EXPECT_EQ(reply.ok() ? reply->message.text() : "", sink.text());
      return reply;
    }));
  }
  for (auto& reply : replies) {
    ASSERT_EQ(reply.wait_for(4 * ingle::testing::kMaxTestWait), std::future_status::ready);
    EXPECT_THAT(reply.get(), ingle::testing::IsOk());
  }
}

TEST_P(LanguageModelConformance, ScoresAreLogLikelihoods) {
  const std::vector<std::string> texts = {"The sea is water.", "", "xq zzv kk"};
  const auto scores = model_->score({}, prompt(), texts);
  if (!model_->info().can_score) {
    EXPECT_THAT(scores, ingle::testing::HasErrorCode(ErrorCode::kUnsupported));
    EXPECT_THAT(scores, ingle::testing::HasReason("score_unsupported"));
    return;
  }
  ASSERT_THAT(scores, ingle::testing::IsOk());
  ASSERT_EQ(scores->log_likelihoods.size(), texts.size());
  EXPECT_LT(scores->log_likelihoods[0], 0.0);
  EXPECT_EQ(scores->log_likelihoods[1], 0.0);  // nothing is certain to follow
  EXPECT_LT(scores->log_likelihoods[2], scores->log_likelihoods[0]);

  std::stop_source stop;
  stop.request_stop();
  EXPECT_THAT(model_->score({stop.get_token(), {}}, prompt(), texts),
              ingle::testing::HasErrorCode(ErrorCode::kCancelled));
  EXPECT_THAT(model_->score({{}, Deadline(Deadline::Clock::now())}, prompt(), texts),
              ingle::testing::HasErrorCode(ErrorCode::kDeadlineExceeded));
  expect_works();
}

}  // namespace ingle::conformance
