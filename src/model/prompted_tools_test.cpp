#include "ingle/model/prompted_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <nlohmann/json.hpp>

#include "ingle/testing/matchers.h"
#include "ingle/testing/recording_sink.h"
#include "model/envelope.h"

namespace ingle {
namespace {

using testing::HasReason;
using ::testing::HasSubstr;
using ::testing::Not;

/// A model without tools: gives texts in order, and a likelihood by what the prompt contains.
class RawModel final : public LanguageModel {
 public:
  [[nodiscard]] ModelInfo info() const override {
    return {.name = "raw", .engine = "fake", .parameters = parameters, .can_score = true};
  }
  Result<Completion> generate(const Call& call, const Prompt& prompt, const GenerationOptions& with,
                              DeltaSink& sink) override {
    prompts.push_back(prompt);
    options.push_back(with);
    INGLE_CHECK(!texts.empty(), "the test gives enough texts");
    const std::string text = std::exchange(texts.front(), {});
    texts.pop_front();
    sink.on_delta(TextDelta{text});
    return Completion{
        .message = Message::assistant(text),
        .finish_reason = call.should_stop() ? FinishReason::kCancelled : FinishReason::kStop,
        .usage = {.prompt_tokens = 10, .cached_tokens = 0, .completion_tokens = 2},
        .warnings = {}};
  }
  Result<TokenCount> count_tokens(const Prompt& prompt) override {
    return static_cast<TokenCount>(prompt.messages.size());
  }
  Result<Scores> score(const Call& call, const Prompt& prompt,
                       std::span<const std::string> continuations) override {
    INGLE_RETURN_IF_ERROR(call.check());
    EXPECT_EQ(prompt.next, Role::kUser);
    scored.emplace_back(continuations.front());
    double likelihood = -100;
    for (const auto& [word, value] : likelihoods) {
      if (prompt.messages.front().text().find(word) != std::string::npos) {
        likelihood = value;
      }
    }
    return Scores{.log_likelihoods = {likelihood}, .usage = {.prompt_tokens = 5}};
  }

  std::int64_t parameters = 135'000'000;
  std::deque<std::string> texts;
  std::map<std::string, double> likelihoods;
  std::vector<Prompt> prompts;
  std::vector<GenerationOptions> options;
  std::vector<std::string> scored;
};

ToolSpec tool(std::string name, std::string_view schema) {
  return {.name = std::move(name),
          .description = "Does a thing.",
          .parameters = parse_json(schema).value()};
}

const std::string_view kPath =
    R"({"type":"object","properties":{"path":{"type":"string"},"lines":{"type":"integer"}},"required":["path"],"additionalProperties":false})";

struct Asked {
  std::shared_ptr<RawModel> raw = std::make_shared<RawModel>();
  testing::RecordingSink sink;
  Prompt prompt{.messages = {Message::system("Be kind."), Message::user("What is in a.txt?")},
                .tools = {tool("read_file", kPath), tool("list_files", R"({"type":"object"})")}};
  GenerationOptions options;

  Result<Completion> generate(ToolSelection selection, const Call& call = {}) {
    return with_prompted_tools(raw, {.selection = selection})
        ->generate(call, prompt, options, sink);
  }

  /// What a step leaves behind when `call` was made and answered.
  void answered(const ToolCall& call, std::string result, bool is_error = false) {
    Message message = Message::assistant("");
    message.tool_calls.push_back(call);
    prompt.messages.push_back(message);
    prompt.messages.push_back(Message::tool_result(call, std::move(result), is_error));
  }
};

ToolCall read_call(std::string_view arguments) {
  return {.id = CallId("c1"),
          .name = "read_file",
          .arguments = parse_json(arguments).value(),
          .raw_arguments = {}};
}

TEST(PromptedTools, RequestWithoutToolsPassesThrough) {
  Asked asked;
  asked.prompt.tools.clear();
  asked.raw->texts = {"Hello."};
  const auto completion = asked.generate(ToolSelection::kAutomatic);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.text(), "Hello.");
  EXPECT_EQ(asked.raw->prompts.at(0).messages, asked.prompt.messages);
}

TEST(PromptedTools, ChoiceOfNoneShowsTheModelNoTools) {
  for (const ToolSelection selection : {ToolSelection::kModel, ToolSelection::kChannel}) {
    Asked asked;
    asked.options.tool_choice = {.kind = ToolChoice::Kind::kNone, .name = {}};
    asked.raw->texts = {"Hello."};
    const auto completion = asked.generate(selection);
    ASSERT_TRUE(completion.ok());
    EXPECT_EQ(completion->message.text(), "Hello.");
    EXPECT_EQ(asked.raw->prompts.at(0).messages, asked.prompt.messages);
    EXPECT_TRUE(asked.raw->prompts.at(0).tools.empty());
    EXPECT_FALSE(asked.raw->options.at(0).constraint.has_value());
    EXPECT_TRUE(asked.raw->scored.empty());
  }
}

TEST(PromptedTools, ConstraintTogetherWithToolsIsRefused) {
  for (const ToolSelection selection : {ToolSelection::kModel, ToolSelection::kChannel}) {
    Asked asked;
    asked.options.constraint = ConstraintSpec{.kind = ConstraintKind::kRegex, .text = "[0-9]+"};
    EXPECT_THAT(asked.generate(selection), HasReason("constraint_unsupported"));
    EXPECT_TRUE(asked.raw->prompts.empty());
    EXPECT_TRUE(asked.raw->scored.empty());

    // Without tools to choose from it holds.
    asked.options.tool_choice = {.kind = ToolChoice::Kind::kNone, .name = {}};
    asked.raw->texts = {"42"};
    ASSERT_TRUE(asked.generate(selection).ok());
    EXPECT_EQ(asked.raw->options.at(0).constraint, asked.options.constraint);
  }
}

TEST(PromptedTools, SaysThatItIsPrompted) {
  EXPECT_EQ(with_prompted_tools(std::make_shared<RawModel>())->info().tool_protocol,
            ToolProtocol::kPrompted);
}

TEST(PromptedToolsByChannel, LikeliestToolIsCalledWithArgumentsForItAlone) {
  Asked asked;
  asked.raw->likelihoods = {{"read_file", -10}, {"list_files", -20}, {"helpful", -30}};
  asked.raw->texts = {R"({"path": "a.txt"})"};
  const auto completion = asked.generate(ToolSelection::kAutomatic);
  ASSERT_TRUE(completion.ok());
  ASSERT_EQ(completion->message.tool_calls.size(), 1U);
  EXPECT_EQ(completion->message.tool_calls[0].name, "read_file");
  EXPECT_EQ(completion->message.tool_calls[0].arguments.dump(), R"({"path":"a.txt"})");
  EXPECT_EQ(completion->finish_reason, FinishReason::kToolCalls);
  EXPECT_THAT(asked.raw->prompts.at(0).messages.front().text(), Not(HasSubstr("list_files")));
  EXPECT_EQ(asked.raw->scored.at(0), "What is in a.txt?");
  // One score for each tool and one for none, and the call.
  EXPECT_EQ(completion->usage.prompt_tokens, 3 * 5 + 10);
}

TEST(PromptedToolsByChannel, OptionalParametersAreLeftOut) {
  Asked asked;
  asked.raw->likelihoods = {{"read_file", -10}};
  asked.raw->texts = {R"({"path": "a.txt"})"};
  ASSERT_TRUE(asked.generate(ToolSelection::kChannel).ok());
  EXPECT_THAT(asked.raw->options.at(0).constraint->text, Not(HasSubstr("lines")));
}

TEST(PromptedToolsByChannel, PlainAnswerStaysPossible) {
  Asked asked;
  asked.raw->likelihoods = {{"read_file", -20}, {"list_files", -20}, {"helpful", -10}};
  asked.raw->texts = {"Hello."};
  const auto completion = asked.generate(ToolSelection::kChannel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.text(), "Hello.");
  EXPECT_TRUE(completion->message.tool_calls.empty());
  EXPECT_FALSE(asked.raw->options.at(0).constraint.has_value());
}

TEST(PromptedToolsByChannel, ToolThatHasDoneItsWorkIsNotCalledAgain) {
  Asked asked;
  asked.raw->likelihoods = {{"read_file", -10}};
  asked.answered(read_call(R"({"path":"a.txt"})"), "apples");
  asked.raw->texts = {"Apples."};
  const auto completion = asked.generate(ToolSelection::kChannel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.text(), "Apples.");
  EXPECT_THAT(asked.raw->prompts.at(0).messages.back().text(), HasSubstr("apples"));
}

TEST(PromptedToolsByChannel, FailedCallIsWrittenAnewAndTheErrorIsShown) {
  Asked asked;
  asked.raw->likelihoods = {{"read_file", -10}};
  asked.answered(read_call(R"({"path":"b.txt"})"), "no such file; there is a.txt", true);
  asked.raw->texts = {R"({"path": "a.txt"})"};
  const auto completion = asked.generate(ToolSelection::kChannel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.tool_calls.at(0).arguments.dump(), R"({"path":"a.txt"})");
  EXPECT_THAT(asked.raw->prompts.at(0).messages.back().text(), HasSubstr("there is a.txt"));
}

TEST(PromptedToolsByChannel, RepeatedCallIsNotMadeButAnswered) {
  Asked asked;
  asked.raw->likelihoods = {{"read_file", -10}};
  asked.answered(read_call(R"({"path":"b.txt"})"), "no such file", true);
  asked.raw->texts = {R"({"path": "b.txt"})", "There is no such file."};
  const auto completion = asked.generate(ToolSelection::kChannel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.text(), "There is no such file.");
  EXPECT_TRUE(completion->message.tool_calls.empty());
}

TEST(PromptedToolsByChannel, RequiredChoosesAToolHoweverLikelyNoneIs) {
  Asked asked;
  asked.raw->likelihoods = {{"read_file", -50}, {"list_files", -40}, {"helpful", -1}};
  asked.options.tool_choice = {.kind = ToolChoice::Kind::kRequired, .name = {}};
  asked.raw->texts = {"{}"};
  const auto completion = asked.generate(ToolSelection::kChannel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.tool_calls.at(0).name, "list_files");
}

TEST(PromptedToolsByChannel, StopStringsDoNotReachTheArguments) {
  Asked asked;
  asked.raw->likelihoods = {{"read_file", -10}};
  asked.options.stop = {"a"};
  asked.raw->texts = {R"({"path": "a.txt"})"};
  ASSERT_TRUE(asked.generate(ToolSelection::kChannel).ok());
  EXPECT_TRUE(asked.raw->options.at(0).stop.empty());
}

TEST(PromptedToolsByChannel, OfManyToolsAFewAreScored) {
  Asked asked;
  for (int i = 0; i < 20; ++i) {
    asked.prompt.tools.push_back({.name = "other_" + std::to_string(i),
                                  .description = "Something else.",
                                  .parameters = asked.prompt.tools.front().parameters});
  }
  asked.raw->likelihoods = {{"read_file", -10}, {"helpful", -30}};
  asked.raw->texts = {R"({"path": "a.txt"})"};
  const auto completion = asked.generate(ToolSelection::kChannel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.tool_calls.at(0).name, "read_file");
  EXPECT_EQ(asked.raw->scored.size(), 7U);  // Six tools, and none.
}

TEST(PromptedToolsByChannel, NamedToolIsCalledWithoutAsking) {
  Asked asked;
  asked.options.tool_choice = {.kind = ToolChoice::Kind::kNamed, .name = "list_files"};
  asked.raw->texts = {"{}"};
  const auto completion = asked.generate(ToolSelection::kChannel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.tool_calls.at(0).name, "list_files");
  EXPECT_TRUE(asked.raw->scored.empty());
}

TEST(PromptedToolsByChannel, ArgumentsThatWereCutAreMalformed) {
  Asked asked;
  asked.raw->likelihoods = {{"read_file", -10}};
  asked.raw->texts = {R"({"path": "aaaaaa)"};
  const auto completion = asked.generate(ToolSelection::kChannel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.tool_calls.at(0).raw_arguments, R"({"path": "aaaaaa)");
}

TEST(PromptedToolsByChannel, CancelledChoiceIsACancelledReply) {
  Asked asked;
  std::stop_source stop;
  stop.request_stop();
  const auto completion = asked.generate(ToolSelection::kChannel, {.stop = stop.get_token()});
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->finish_reason, FinishReason::kCancelled);
}

TEST(PromptedToolsByChannel, SchemaThatCannotBeHeldIsWarnedOf) {
  Asked asked;
  asked.prompt.tools = {tool("pick", R"({"type":"object","not":{"required":["x"]}})")};
  asked.options.tool_choice = {.kind = ToolChoice::Kind::kRequired, .name = {}};
  asked.raw->texts = {"{}"};
  const auto completion = asked.generate(ToolSelection::kChannel);
  ASSERT_TRUE(completion.ok());
  EXPECT_THAT(completion->warnings, ::testing::ElementsAre(HasSubstr("pick")));
  EXPECT_THAT(asked.raw->options.at(0).constraint->text, Not(HasSubstr("\"not\"")));
}

TEST(PromptedToolsByModel, ProseIsStreamedAsItComes) {
  Asked asked;
  asked.raw->texts = {"Hello."};
  const auto completion = asked.generate(ToolSelection::kModel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.text(), "Hello.");
  EXPECT_EQ(completion->finish_reason, FinishReason::kStop);
  EXPECT_TRUE(asked.raw->scored.empty());
}

TEST(PromptedToolsByModel, LargeModelIsAskedItself) {
  Asked asked;
  asked.raw->parameters = 8'000'000'000;
  asked.raw->texts = {"Hello."};
  ASSERT_TRUE(asked.generate(ToolSelection::kAutomatic).ok());
  EXPECT_TRUE(asked.raw->scored.empty());
}

TEST(PromptedToolsByModel, CallsAreTakenFromTheEnvelope) {
  Asked asked;
  asked.raw->texts = {envelope(read_call(R"({"path":"a.txt"})"))};
  const auto completion = asked.generate(ToolSelection::kModel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.tool_calls.at(0).name, "read_file");
  EXPECT_EQ(completion->finish_reason, FinishReason::kToolCalls);
}

TEST(PromptedToolsByModel, RepeatedCallIsNotMadeButAnswered) {
  Asked asked;
  const ToolCall call = read_call(R"({"path":"a.txt"})");
  asked.answered(call, "apples");
  asked.raw->texts = {envelope(call), "Apples."};
  const auto completion = asked.generate(ToolSelection::kModel);
  ASSERT_TRUE(completion.ok());
  EXPECT_EQ(completion->message.text(), "Apples.");
  EXPECT_EQ(completion->usage.completion_tokens, 4);
}

TEST(PromptedToolsByModel, HistoryIsShownWithoutToolRoles) {
  Asked asked;
  const ToolCall call = read_call(R"({"path":"a.txt"})");
  asked.answered(call, "apples");
  asked.answered(call, "no such file", true);
  asked.raw->texts = {"Apples."};
  ASSERT_TRUE(asked.generate(ToolSelection::kModel).ok());
  const std::vector<Message>& shown = asked.raw->prompts.at(0).messages;
  for (const Message& message : shown) {
    EXPECT_NE(message.role, Role::kTool);
    EXPECT_TRUE(message.tool_calls.empty());
  }
  ASSERT_EQ(shown.size(), 6U);
  EXPECT_EQ(shown[2], Message::assistant(envelope(call)));
  EXPECT_EQ(shown[3], Message::user("Result of read_file:\napples"));
  EXPECT_EQ(shown[5], Message::user("Error of read_file:\nno such file"));
}

TEST(PromptedToolsByModel, ToolsStandInTheSystemMessageAndMakeOneIfThereIsNone) {
  Asked asked;
  asked.raw->texts = {"Hello.", "Hello."};
  ASSERT_TRUE(asked.generate(ToolSelection::kModel).ok());
  const Message with_own = asked.raw->prompts.at(0).messages.front();
  EXPECT_EQ(with_own.role, Role::kSystem);
  EXPECT_THAT(with_own.text(), ::testing::StartsWith("Be kind."));
  for (const char* shown : {"read_file", "list_files", "Does a thing.", "path", "integer"}) {
    EXPECT_THAT(with_own.text(), HasSubstr(shown));
  }

  asked.prompt.messages.erase(asked.prompt.messages.begin());
  ASSERT_TRUE(asked.generate(ToolSelection::kModel).ok());
  const std::vector<Message>& messages = asked.raw->prompts.at(1).messages;
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ("Be kind.\n\n" + messages[0].text(), with_own.text());
  EXPECT_EQ(messages[0].role, Role::kSystem);
}

TEST(PromptedToolsByModel, RequiredLeavesNoRoomForProseAndNamedForOtherTools) {
  Asked asked;
  const auto grammar = [&asked](ToolChoice choice) {
    asked.options.tool_choice = std::move(choice);
    asked.raw->texts = {envelope(read_call(R"({"path":"a.txt"})"))};
    EXPECT_TRUE(asked.generate(ToolSelection::kModel).ok());
    return asked.raw->options.back().constraint->text;
  };
  EXPECT_EQ(grammar({}), reply_grammar(asked.prompt.tools, Prose::kAllowed).text);
  EXPECT_EQ(grammar({.kind = ToolChoice::Kind::kRequired, .name = {}}),
            reply_grammar(asked.prompt.tools, Prose::kForbidden).text);
  EXPECT_EQ(grammar({.kind = ToolChoice::Kind::kNamed, .name = "read_file"}),
            reply_grammar({asked.prompt.tools.front()}, Prose::kForbidden).text);
}

TEST(PromptedTools, UnknownNamedToolIsRefused) {
  Asked asked;
  asked.options.tool_choice = {.kind = ToolChoice::Kind::kNamed, .name = "nothing"};
  EXPECT_THAT(asked.generate(ToolSelection::kChannel), HasReason("prompt_invalid"));
  EXPECT_THAT(asked.generate(ToolSelection::kModel), HasReason("prompt_invalid"));
}

/// A grammar over a vocabulary of single bytes and one end token.
Result<Constraint> compiled(const ConstraintSpec& spec) {
  std::vector<std::string> bytes(257);
  for (std::size_t byte = 0; byte < 256; ++byte) {
    bytes[byte] = std::string(1, static_cast<char>(byte));
  }
  const std::vector<Token> end{256};
  return Constraint::compile(TokenTable::create(bytes, end).value(), spec);
}

TEST(ReplyGrammar, OnlyCallsOfRealToolsWithArgumentsOfTheRightShapePass) {
  const auto constraint = compiled(reply_grammar(
      {tool("read_file", kPath), tool("list_files", R"({"type":"object"})")}, Prose::kForbidden));
  ASSERT_TRUE(constraint.ok()) << constraint.error().message;
  const std::vector<std::string> bad{
      "Hello.", "<tool_call>{\"name\": \"write_file\"",
      "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"lines\": \"x\"",
      "<tool_call>{\"name\": \"read_file\", \"arguments\": {}}"};
  const auto accepts = [&](const std::string& text) {
    ConstraintMatcher matcher = constraint->start();
    for (const char byte : text) {
      if (!matcher.accept(static_cast<unsigned char>(byte))) {
        return false;
      }
    }
    return true;
  };
  for (const std::string& text : bad) {
    EXPECT_FALSE(accepts(text)) << text;
  }
  EXPECT_TRUE(
      accepts("<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}"
              "</tool_call>"));
}

TEST(ReplyGrammar, ProseIsAllowedWhereItIsAllowed) {
  const auto constraint = compiled(reply_grammar({tool("read_file", kPath)}, Prose::kAllowed));
  ASSERT_TRUE(constraint.ok()) << constraint.error().message;
  ConstraintMatcher matcher = constraint->start();
  for (const char byte : std::string("The answer is < 4.\nReally.")) {
    ASSERT_TRUE(matcher.accept(static_cast<unsigned char>(byte)).ok()) << byte;
  }
  EXPECT_TRUE(matcher.is_accepting());
}

}  // namespace
}  // namespace ingle
