// Native tool formats from prompt to message, with real decoding: the default model under chat
// templates of others. It does not know their formats; what is well formed is so because of the
// grammar.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine_llama/model_fixture.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/recording_sink.h"

namespace ingle {
namespace {

#ifdef INGLE_TEMPLATES

std::shared_ptr<LanguageModel> model_with(const std::string& name) {
  std::ifstream in(std::string(INGLE_TEMPLATES) + "/" + name + ".jinja", std::ios::binary);
  std::ostringstream source;
  source << in.rdbuf();
  LlamaModelOptions options = testing::test_model_options();
  options.context_window = 2048;
  options.chat_template = source.str();
  return testing::load_test_model(options);
}

ToolSpec tool(std::string name, json properties, json required) {
  return {.name = std::move(name),
          .description = "A tool.",
          .parameters = json{{"type", "object"},
                             {"properties", std::move(properties)},
                             {"required", std::move(required)},
                             {"additionalProperties", false}}};
}

Prompt question() {
  return {
      .messages = {Message::user("What is the weather in Rome?")},
      .tools = {tool("weather",
                     {{"city", {{"type", "string"}, {"enum", {"Rome", "Oslo"}}}},
                      {"days", {{"type", "integer"}, {"minimum", 1}, {"maximum", 5}}}},
                     {"city", "days"}),
                tool("search", {{"query", {{"type", "string"}, {"maxLength", 12}}}}, {"query"})}};
}

constexpr const char* kTemplates[] = {"Qwen-Qwen2.5-7B-Instruct",
                                      "Qwen3-Coder",
                                      "GLM-4.6",
                                      "mistralai-Mistral-Nemo-Instruct-2407",
                                      "meta-llama-Llama-3.1-8B-Instruct",
                                      "MiniMax-M2"};

TEST(LlamaNative, ForcedAndNamedCallsAreWellFormedWhateverTheTemplate) {
  for (const char* name : kTemplates) {
    const auto model = model_with(name);
    ASSERT_EQ(model->info().tool_protocol, ToolProtocol::kNative) << name;
    for (const ToolChoice& choice :
         {ToolChoice{.kind = ToolChoice::Kind::kRequired},
          ToolChoice{.kind = ToolChoice::Kind::kNamed, .name = "search"}}) {
      testing::RecordingSink sink;
      const auto reply = model->generate({}, question(),
                                         {.max_tokens = 200,
                                          .tool_choice = choice,
                                          .parallel_tool_calls = false,
                                          .thinking = Thinking::kOff,
                                          .reasoning_budget = 8},
                                         sink);
      ASSERT_THAT(reply, testing::IsOk()) << name;
      ASSERT_EQ(reply->message.tool_calls.size(), 1U)
          << name << ": " << reply->message.text() << " / " << reply->message.reasoning();
      const ToolCall& call = reply->message.tool_calls.front();
      if (choice.kind == ToolChoice::Kind::kNamed) {
        EXPECT_EQ(call.name, "search") << name;
      }
      // A format of tags lets a string go on until the tokens are used up.
      if (reply->finish_reason != FinishReason::kLength) {
        EXPECT_FALSE(call.is_malformed()) << name << ": " << call.raw_arguments;
        EXPECT_TRUE(call.arguments->is_object()) << name;
      }
    }
  }
}

TEST(LlamaNative, WithoutACallTheReplyIsText) {
  const auto model = model_with("Qwen-Qwen2.5-7B-Instruct");
  testing::RecordingSink sink;
  const auto reply = model->generate(
      {}, question(), {.max_tokens = 12, .tool_choice = {.kind = ToolChoice::Kind::kNone}}, sink);
  ASSERT_THAT(reply, testing::IsOk());
  EXPECT_TRUE(reply->message.tool_calls.empty());
  EXPECT_EQ(sink.text(), reply->message.text());
}

TEST(LlamaNative, SchemaTooLargeForAGrammarIsLoosenedWithAWarning) {
  const auto model = model_with("Qwen-Qwen2.5-7B-Instruct");
  Prompt prompt = question();
  prompt.tools = {tool("note",
                       {{"lines",
                         {{"type", "array"},
                          {"maxItems", 1},
                          {"items",
                           {{"type", "object"},
                            {"properties",
                             {{"text", {{"type", "string"}, {"maxLength", 65536}}},
                              {"more", {{"type", "string"}, {"minLength", 3000}}}}}}}}}},
                       {"lines"})};
  NullDeltaSink sink;
  const auto reply = model->generate(
      {}, prompt, {.max_tokens = 40, .tool_choice = {.kind = ToolChoice::Kind::kRequired}}, sink);
  ASSERT_THAT(reply, testing::IsOk());
  EXPECT_THAT(reply->warnings, ::testing::Contains(::testing::HasSubstr("too large")));
  ASSERT_FALSE(reply->message.tool_calls.empty());
  EXPECT_EQ(reply->message.tool_calls.front().name, "note");
}

TEST(LlamaNative, ChoiceThatCannotBeIsRefused) {
  const auto model = model_with("Qwen-Qwen2.5-7B-Instruct");
  NullDeltaSink sink;
  EXPECT_THAT(
      model->generate({}, question(),
                      {.tool_choice = {.kind = ToolChoice::Kind::kNamed, .name = "absent"}}, sink),
      testing::HasReason("prompt_invalid"));
  Prompt without = question();
  without.tools.clear();
  EXPECT_THAT(
      model->generate({}, without, {.tool_choice = {.kind = ToolChoice::Kind::kRequired}}, sink),
      testing::HasReason("prompt_invalid"));
  EXPECT_THAT(model->generate({}, question(),
                              {.constraint = ConstraintSpec{ConstraintKind::kRegex, "a"}}, sink),
              testing::HasReason("constraint_unsupported"));
}

TEST(LlamaNative, ThoughtsAreToldApartAndEndWithTheirBudget) {
  const auto model = model_with("ByteDance-Seed-OSS");
  ASSERT_THAT(model->info().options, ::testing::Contains(GenerationOption::kReasoningBudget));
  testing::RecordingSink sink;
  const Prompt prompt{.messages = {Message::user("Think about tea.")}, .tools = {}};
  const auto budgeted = model->generate(
      {}, prompt, {.max_tokens = 60, .thinking = Thinking::kOn, .reasoning_budget = 8}, sink);
  ASSERT_THAT(budgeted, testing::IsOk());
  const auto none = model->generate(
      {}, prompt, {.max_tokens = 20, .thinking = Thinking::kOn, .reasoning_budget = 0}, sink);
  ASSERT_THAT(none, testing::IsOk());
  EXPECT_LT(none->message.reasoning().size(), 10U);
}

TEST(LlamaNative, TurnsWithCallsAndResultsGoOnFromTheCache) {
  const auto model = model_with("Qwen-Qwen2.5-7B-Instruct");
  NullDeltaSink sink;
  Prompt prompt = question();
  const auto first = model->generate(
      {}, prompt, {.max_tokens = 100, .tool_choice = {.kind = ToolChoice::Kind::kRequired}}, sink);
  ASSERT_THAT(first, testing::IsOk());
  ASSERT_FALSE(first->message.tool_calls.empty());
  Message reply = first->message;
  reply.tool_calls.resize(1);
  reply.tool_calls.front().id = CallId("call_1_1");
  prompt.messages.push_back(reply);
  prompt.messages.push_back(Message::tool_result(reply.tool_calls.front(), "Sunny."));
  const auto second = model->generate({}, prompt, {.max_tokens = 8}, sink);
  ASSERT_THAT(second, testing::IsOk());
  EXPECT_GE(second->usage.cached_tokens, first->usage.prompt_tokens - 1);
}

#endif

}  // namespace
}  // namespace ingle
