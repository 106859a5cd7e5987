// The engine on the real default model. Sameness is promised for cold runs with one number of
// threads and one batch size only (docs/architecture.md), so nothing here compares texts across
// those.
#include "ingle/engine_llama/llama_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <latch>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine_llama/model_fixture.h"
#include "ingle/core/hash.h"
#include "ingle/core/utf8.h"
#include "ingle/schema/validator.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/max_test_wait.h"
#include "ingle/testing/recording_sink.h"

namespace ingle {
namespace {

using testing::HasErrorCode;
using testing::HasReason;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::kMaxTestWait;
using testing::load_test_model;
using testing::RecordingSink;
using testing::test_backend;
using testing::test_model;
using testing::test_model_options;

Prompt ask(std::string question) {
  Prompt prompt;
  prompt.messages = {Message::user(std::move(question))};
  return prompt;
}

Prompt long_prompt(int words) {
  std::string text = "Summarise:";
  for (int i = 0; i < words; ++i) {
    text += " word";
  }
  return ask(text);
}

Completion reply_to(LanguageModel& model, const Prompt& prompt, const GenerationOptions& options) {
  NullDeltaSink sink;
  auto reply = model.generate({}, prompt, options, sink);
  EXPECT_THAT(reply, IsOk());
  return reply.ok() ? std::move(reply).value() : Completion{};
}

const char* const kCat = "Explain what a cat is in one sentence.";

TEST(LlamaModel, InfoDescribesIt) {
  const ModelInfo info = test_model()->info();
  EXPECT_EQ(info.name, "SmolLM2-135M-Instruct-Q4_1");
  EXPECT_EQ(info.engine, "llama");
  EXPECT_EQ(info.fingerprint, "");
  EXPECT_EQ(info.context_window, 2048);
  EXPECT_EQ(info.parameters, 134515008);
  EXPECT_EQ(info.tool_protocol, ToolProtocol::kNone);
  EXPECT_TRUE(info.supports(ConstraintKind::kJsonSchema));
  EXPECT_TRUE(info.supports(ConstraintKind::kRegex));
  EXPECT_TRUE(info.supports(ConstraintKind::kLark));
  EXPECT_TRUE(info.can_score);
}

TEST(LlamaModel, GreedyReplyIsTheSameInTwoColdRuns) {
  LlamaModelOptions options = testing::test_model_options();
  options.context_window = 512;
  const auto one = testing::load_test_model(options);
  const auto two = testing::load_test_model(options);
  const Completion first = reply_to(*one, ask(kCat), {.max_tokens = 40});
  const Completion second = reply_to(*two, ask(kCat), {.temperature = 0.0, .max_tokens = 40});
  const Completion other = reply_to(*one, ask("Say hello."), {.max_tokens = 5});
  EXPECT_EQ(first.message, second.message);
  EXPECT_EQ(first.usage, second.usage);
  EXPECT_EQ(first.finish_reason, FinishReason::kStop);
  EXPECT_THAT(first.message.text(), HasSubstr("cat"));
  EXPECT_NE(first.message, other.message);
}

TEST(LlamaModel, ReplyWithoutLimitEndsByItself) {
  const Completion reply = reply_to(*test_model(), ask(kCat), {});
  EXPECT_EQ(reply.finish_reason, FinishReason::kStop);
}

TEST(LlamaModel, MaxTokensIsExact) {
  const Completion reply = reply_to(*test_model(), ask(kCat), {.max_tokens = 7});
  EXPECT_EQ(reply.finish_reason, FinishReason::kLength);
  EXPECT_EQ(reply.usage.completion_tokens, 7);
}

TEST(LlamaModel, StopStringEndsTheReplyBeforeIt) {
  const std::string whole = reply_to(*test_model(), ask(kCat), {.max_tokens = 40}).message.text();
  ASSERT_GT(whole.size(), 20U);
  const std::string stop = whole.substr(10, 5);  // likely not at a token's border
  RecordingSink sink;
  const auto reply =
      test_model()->generate({}, ask(kCat), {.max_tokens = 40, .stop = {"\x01", stop}}, sink);
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->message.text(), whole.substr(0, whole.find(stop)));
  EXPECT_EQ(sink.text(), reply->message.text());
  EXPECT_EQ(reply->finish_reason, FinishReason::kStop);
}

TEST(LlamaModel, SeedMakesAWarmReplyRepeatable) {
  const auto text = [](std::uint32_t seed) {
    return reply_to(*test_model(), ask("Tell me a story."),
                    {.temperature = 1.2, .top_p = 0.95, .seed = seed, .max_tokens = 24})
        .message.text();
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

TEST(LlamaModel, StrangeTextIsStreamedAsWholeCharacters) {
  RecordingSink sink;
  const auto reply =
      test_model()->generate({}, ask("\xE2\x82\xAC \xF0\x9F\x98\x80 \xFF\xC0 emoji"),
                             {.temperature = 2.0, .seed = 3, .max_tokens = 60}, sink);
  ASSERT_THAT(reply, IsOk());
  for (const Delta& delta : sink.deltas()) {
    EXPECT_TRUE(is_valid_utf8(std::get<TextDelta>(delta).text));
  }
  EXPECT_EQ(sink.text(), reply->message.text());
}

TEST(LlamaModelConstraint, JsonSchemaGivesAValidValue) {
  const Json schema = *parse_json(R"({"type": "object", "additionalProperties": false,
      "properties": {"name": {"type": "string", "maxLength": 20},
                     "age": {"type": "integer", "minimum": 0, "maximum": 120}},
      "required": ["name", "age"]})");
  const Completion reply =
      reply_to(*test_model(), ask("Invent a person."),
               {.max_tokens = 80, .constraint = ConstraintSpec::json_schema(schema)});
  EXPECT_EQ(reply.finish_reason, FinishReason::kStop);
  const auto value = parse_json(reply.message.text());
  ASSERT_THAT(value, IsOk()) << reply.message.text();
  const auto validator = Validator::compile(schema);
  ASSERT_THAT(validator, IsOk());
  EXPECT_THAT(*validator->validate(*value), ::testing::IsEmpty()) << reply.message.text();
}

TEST(LlamaModelConstraint, RegexIsMatched) {
  const Completion reply =
      reply_to(*test_model(), ask("Is water wet?"),
               {.constraint = ConstraintSpec{ConstraintKind::kRegex, "(yes|no), [0-9]{3}"}});
  EXPECT_THAT(reply.message.text(), ::testing::MatchesRegex("(yes|no), [0-9][0-9][0-9]"));
  EXPECT_EQ(reply.finish_reason, FinishReason::kStop);
}

TEST(LlamaModelConstraint, GrammarIsFollowedAndEndsTheReply) {
  const Completion reply =
      reply_to(*test_model(), ask("Hi"),
               {.temperature = 1.5,
                .seed = 5,
                .constraint = ConstraintSpec{ConstraintKind::kLark, "start: \"a fixed text\""}});
  EXPECT_EQ(reply.message.text(), "a fixed text");
  EXPECT_EQ(reply.finish_reason, FinishReason::kStop);
}

TEST(LlamaModelConstraint, WhatCannotBeCompiledIsAnError) {
  NullDeltaSink sink;
  const auto generate = [&sink](ConstraintSpec spec) {
    return test_model()->generate({}, ask("Hi"), {.constraint = std::move(spec)}, sink);
  };
  EXPECT_THAT(generate({ConstraintKind::kRegex, "(("}), HasReason("constraint_invalid"));
  EXPECT_THAT(generate({ConstraintKind::kLark, "no start"}), HasReason("constraint_invalid"));
  EXPECT_THAT(generate({ConstraintKind::kJsonSchema, R"({"not": {"type": "string"}})"}),
              HasReason("constraint_unsupported"));
}

TEST(LlamaModelPrompt, TooLongForTheWindowTellsBothCounts) {
  LlamaModelOptions options = test_model_options();
  options.context_window = 256;
  const auto model = load_test_model(options);
  const Prompt prompt = long_prompt(300);
  NullDeltaSink sink;
  const auto reply = model->generate({}, prompt, {}, sink);
  EXPECT_THAT(reply, HasErrorCode(ErrorCode::kResourceExhausted));
  ASSERT_THAT(reply, HasReason("context_length_exceeded"));
  EXPECT_EQ(reply.error().details->at("context_window"), 256);
  EXPECT_EQ(reply.error().details->at("prompt_tokens"), *model->count_tokens(prompt));
  EXPECT_THAT(model->score({}, prompt, std::vector<std::string>{"x"}),
              HasReason("context_length_exceeded"));

  // Just small enough: the reply ends where the window is full.
  const Prompt fitting = long_prompt(200);
  const Completion last = reply_to(*model, fitting, {.temperature = 2.0, .seed = 2});
  EXPECT_LE(last.usage.total(), 256);
  if (last.finish_reason == FinishReason::kLength) {
    EXPECT_EQ(last.usage.total(), 256);
  }
}

TEST(LlamaModelPrompt, LongerThanABatchIsChunked) {
  LlamaModelOptions options = test_model_options();
  options.context_window = 512;
  options.batch_size = 16;
  const auto model = load_test_model(options);
  const Completion reply = reply_to(*model, ask(kCat), {.max_tokens = 30});
  EXPECT_EQ(reply.usage.prompt_tokens, *model->count_tokens(ask(kCat)));
  EXPECT_GT(reply.usage.prompt_tokens, 32);
  EXPECT_THAT(reply.message.text(), HasSubstr("cat"));
  const std::string text = "A cat is a small animal that lives with people and eats mice and fish.";
  const auto scores = model->score({}, ask(kCat), std::vector<std::string>{text});
  const auto other = test_model()->score({}, ask(kCat), std::vector<std::string>{text});
  ASSERT_THAT(scores, IsOk());
  // The shape of a batch changes the logits, a little.
  EXPECT_NEAR(scores->log_likelihoods[0], other->log_likelihoods[0], 2.0);
}

TEST(LlamaModelPrompt, EmptyOrWithToolsIsRefused) {
  NullDeltaSink sink;
  EXPECT_THAT(test_model()->generate({}, Prompt{}, {}, sink), HasReason("prompt_invalid"));
  EXPECT_THAT(test_model()->count_tokens(Prompt{}), HasReason("prompt_invalid"));
  EXPECT_THAT(
      test_model()->generate(
          {}, ask("Hi"), {.tool_choice = {.kind = ToolChoice::Kind::kRequired, .name = ""}}, sink),
      HasReason("tools_unsupported"));
}

TEST(LlamaModelPrompt, VeryLongWordsDoNotCrashTheTokenizer) {
  for (const char* unit : {"a", "1", " ", "\n", "\xE2\x82\xAC", "'s"}) {
    std::string text;
    while (text.size() < 200'000) {
      text += unit;
    }
    const auto count = test_model()->count_tokens(ask(text));
    EXPECT_THAT(count, IsOk()) << unit;
  }
}

TEST(LlamaModelCancel, DeadlineInAPrefillTakesEffectAndTheModelLivesOn) {
  const Prompt prompt = long_prompt(1700);
  NullDeltaSink sink;
  const auto start = std::chrono::steady_clock::now();
  const auto reply = test_model()->generate({{}, Deadline::after(std::chrono::milliseconds(300))},
                                            prompt, {.max_tokens = 4}, sink);
  EXPECT_LT(std::chrono::steady_clock::now() - start, kMaxTestWait);
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->finish_reason, FinishReason::kCancelled);
  EXPECT_EQ(reply->message.text(), "");
  EXPECT_LT(reply->usage.prompt_tokens, *test_model()->count_tokens(prompt));  // not all of it
  EXPECT_EQ(reply->usage.completion_tokens, 0);
  EXPECT_THAT(reply_to(*test_model(), ask(kCat), {.max_tokens = 30}).message.text(),
              HasSubstr("cat"));
}

TEST(LlamaModelCancel, WaitingRequestReturnsAndTheRunningOneStops) {
  std::stop_source stop;
  auto running = std::async(std::launch::async, [&stop] {
    NullDeltaSink sink;
    return test_model()->generate({stop.get_token(), {}}, long_prompt(1700), {}, sink);
  });
  // Behind the other one (or, if this thread is quick, before it): gives up either way.
  NullDeltaSink sink;
  const auto waiting = test_model()->generate({{}, Deadline::after(std::chrono::milliseconds(200))},
                                              long_prompt(1500), {}, sink);
  ASSERT_THAT(waiting, IsOk());
  EXPECT_EQ(waiting->finish_reason, FinishReason::kCancelled);

  stop.request_stop();
  ASSERT_EQ(running.wait_for(kMaxTestWait), std::future_status::ready);
  const auto stopped = running.get();
  ASSERT_THAT(stopped, IsOk());
  EXPECT_EQ(stopped->finish_reason, FinishReason::kCancelled);
}

TEST(LlamaModelCancel, ScoringStopsToo) {
  const std::vector<std::string> texts = {"one", "two"};
  EXPECT_THAT(test_model()->score({{}, Deadline::after(std::chrono::milliseconds(200))},
                                  long_prompt(1700), texts),
              HasErrorCode(ErrorCode::kDeadlineExceeded));
}

TEST(LlamaModelCancel, EndOfTheModelEndsItsRequests) {
  LlamaModelOptions options = test_model_options();
  options.context_window = 1024;
  auto model = load_test_model(options);
  std::latch has_begun(1);
  RecordingSink sink([&has_begun](const Delta&) {
    if (!has_begun.try_wait()) {
      has_begun.count_down();
    }
  });
  auto running = std::async(std::launch::async, [&sink, self = model.get()] {
    return self->generate({}, ask("Count from one to a thousand."),
                          {.temperature = 1.0,
                           .seed = 1,
                           .constraint = ConstraintSpec{ConstraintKind::kRegex, "[a-z ]{3000}"}},
                          sink);
  });
  has_begun.wait();
  model.reset();
  ASSERT_EQ(running.wait_for(kMaxTestWait), std::future_status::ready);
  const auto reply = running.get();
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->finish_reason, FinishReason::kCancelled);
  EXPECT_EQ(reply->message.text(), sink.text());
}

TEST(LlamaModelScore, SensibleTextIsLikelier) {
  const std::vector<std::string> texts = {"The capital city of France is Paris.",
                                          "The capital city of France is banana.", ""};
  const auto scores =
      test_model()->score({}, ask("What is the capital city of France? Answer in English."), texts);
  ASSERT_THAT(scores, IsOk());
  EXPECT_GT(scores->log_likelihoods[0], scores->log_likelihoods[1]);
  EXPECT_LT(scores->log_likelihoods[0], 0.0);
  EXPECT_GT(scores->usage.prompt_tokens, 0);
  EXPECT_EQ(scores->usage.completion_tokens, 0);

  // The order and the company of a text change nothing: the prompt is kept, the rest is not.
  const auto alone =
      test_model()->score({}, ask("What is the capital city of France? Answer in English."),
                          std::vector<std::string>{texts[1], texts[0]});
  ASSERT_THAT(alone, IsOk());
  EXPECT_NEAR(alone->log_likelihoods[0], scores->log_likelihoods[1], 1e-6);
  EXPECT_NEAR(alone->log_likelihoods[1], scores->log_likelihoods[0], 1e-6);
}

TEST(LlamaModelScore, GreedyReplyIsTheLikeliestOfItsKind) {
  const std::string reply = reply_to(*test_model(), ask(kCat), {.max_tokens = 40}).message.text();
  const auto scores = test_model()->score(
      {}, ask(kCat),
      std::vector<std::string>{reply, "A cat is a vegetable made of iron and sand."});
  ASSERT_THAT(scores, IsOk());
  EXPECT_GT(scores->log_likelihoods[0], scores->log_likelihoods[1]);
}

TEST(LlamaModelScore, QuestionIsLikelierAfterWhatItIsAbout) {
  const auto likelihood = [](const std::string& system) {
    Prompt prompt;
    prompt.messages = {Message::system(system)};
    prompt.next = Role::kUser;
    return test_model()
        ->score({}, prompt, std::vector<std::string>{"What will the weather be in Oslo tomorrow?"})
        ->log_likelihoods[0];
  };
  EXPECT_GT(likelihood("You are an assistant with one tool:\nget_weather(city, day): The weather."),
            likelihood("You are an assistant with one tool:\nsend_mail(to, text): Sends a mail."));
}

TEST(LlamaModelScore, LongTextIsScoredInChunks) {
  std::string text = "The sea is";
  for (int i = 0; i < 100; ++i) {
    text += " very";
  }
  const auto scores = test_model()->score({}, ask(kCat), std::vector<std::string>{text, "The sea"});
  ASSERT_THAT(scores, IsOk());
  EXPECT_LT(scores->log_likelihoods[0], scores->log_likelihoods[1]);
  EXPECT_TRUE(std::isfinite(scores->log_likelihoods[0]));
}

TEST(LlamaModelLoad, ProbeDecidesAboutAnUnknownFile) {
  LlamaModelOptions options = test_model_options();
  options.context_window = 64;
  options.probe_command = {"/bin/false"};
  EXPECT_THAT(load_llama_model({}, test_backend(), options, null_log()),
              HasReason("model_probe_failed"));

  const std::string digest = *sha256_file({}, options.path);
  options.trusted_sha256 = {digest};
  const auto trusted = load_llama_model({}, test_backend(), options, null_log());
  ASSERT_THAT(trusted, IsOk());
  EXPECT_EQ((*trusted)->info().fingerprint, "sha256:" + digest);

  options.trusted_sha256.clear();
  options.probe_command = {"/bin/true"};
  EXPECT_THAT(load_llama_model({}, test_backend(), options, null_log()), IsOk());
}

TEST(LlamaModelLoad, StopsWhenAsked) {
  std::stop_source stop;
  LlamaModelOptions options = test_model_options();
  float last = -1.0F;
  options.on_progress = [&](float fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    stop.request_stop();
  };
  EXPECT_THAT(load_llama_model({stop.get_token(), {}}, test_backend(), options, null_log()),
              HasErrorCode(ErrorCode::kCancelled));
  EXPECT_GE(last, 0.0F);
}

TEST(LlamaModelLoad, WindowBeyondTheModelsOwnIsRefused) {
  LlamaModelOptions options = test_model_options();
  options.context_window = 8193;
  EXPECT_THAT(load_llama_model({}, test_backend(), options, null_log()),
              HasReason("option_out_of_range"));
}

}  // namespace
}  // namespace ingle
