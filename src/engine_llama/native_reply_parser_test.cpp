// What template_suite_test.cpp does not try on all templates: every way to cut a reply in two, long
// arguments, replies with more calls than wanted and without form.
#include "engine_llama/native_reply_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine_llama/model_fixture.h"
#include "engine_llama/template_suite.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/recording_sink.h"

namespace ingle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// JSON behind a tag, JSON in an array, JSON alone, JSON behind the name, tags, JSON in a tag of its
// name.
constexpr const char* kTemplates[] = {"Qwen-Qwen2.5-7B-Instruct",
                                      "mistralai-Mistral-Nemo-Instruct-2407",
                                      "meta-llama-Llama-3.1-8B-Instruct",
                                      "Kimi-K2-Instruct",
                                      "Qwen3-Coder",
                                      "meetkai-functionary-medium-v3.1"};

Prompt question() {
  return {.messages = {Message::user("What is in notes.txt?")}, .tools = testing::sample_tools()};
}

/// A template with the form of replies to `question`.
struct Format {
  explicit Format(const std::string& name)
      : chat(std::filesystem::path(INGLE_TEMPLATES) / (name + ".jinja")) {
    INGLE_CHECK(chat.is_usable(), chat.error());
    auto rendered = chat.ours().render(question(), options);
    INGLE_CHECK(rendered.ok(), rendered.error().message);
    syntax = rendered->syntax;
  }

  /// The calls as a model writes them.
  [[nodiscard]] std::string written(std::vector<ToolCall> calls) const {
    Message message = Message::assistant("");
    message.tool_calls = std::move(calls);
    return chat.reply_text(question(), options, message).value_or("");
  }

  GenerationOptions options{.parallel_tool_calls = true, .thinking = Thinking::kOff};
  testing::TemplateUnderTest chat;
  std::shared_ptr<const ReplySyntax> syntax;
};

Format format_of(const std::string& name) {
  testing::test_backend();  // it silences the log that `common` prints
  return Format(name);
}

ToolCall search(const std::string& query) {
  return ToolCall::of_text(CallId("call00001"), "search", Json(json{{"query", query}}).dump());
}

/// What a reader of the stream has of the calls.
struct Streamed {
  std::vector<std::string> names;
  std::vector<std::string> arguments;
  std::vector<std::string> ids;
};

Streamed streamed(const std::vector<Delta>& deltas) {
  Streamed calls;
  for (const Delta& delta : deltas) {
    if (const auto* call = std::get_if<ToolCallDelta>(&delta)) {
      const auto index = static_cast<std::size_t>(call->index);
      EXPECT_LE(index, calls.names.size()) << "calls come in order";
      calls.names.resize(std::max(calls.names.size(), index + 1));
      calls.arguments.resize(calls.names.size());
      calls.ids.resize(calls.names.size());
      calls.names[index] += call->name;
      calls.arguments[index] += call->raw_arguments;
      calls.ids[index] += call->id.str();
    }
  }
  return calls;
}

void expect_streamed(const std::vector<Delta>& deltas, const Message& message) {
  const Streamed calls = streamed(deltas);
  ASSERT_EQ(calls.names.size(), message.tool_calls.size());
  for (std::size_t i = 0; i < calls.names.size(); ++i) {
    EXPECT_EQ(calls.names[i], message.tool_calls[i].name);
    EXPECT_EQ(calls.arguments[i], message.tool_calls[i].arguments_text());
    EXPECT_EQ(calls.ids[i], message.tool_calls[i].id.str());
  }
}

TEST(NativeReplyParser, EveryWayToCutAReplyInTwoGivesTheSame) {
  for (const char* name : kTemplates) {
    const Format format = format_of(name);
    const std::string reply = format.written({search("red \"tea\"\n\\")});
    ASSERT_THAT(reply, HasSubstr("search")) << name;
    std::optional<Message> whole;
    for (std::size_t at = 0; at <= reply.size(); ++at) {
      NativeReplyParser parser(*format.syntax);
      testing::RecordingSink sink;
      std::vector<std::string> warnings;
      parser.push(std::string_view(reply).substr(0, at), sink);
      parser.push(std::string_view(reply).substr(at), sink);
      const Message message = parser.finish(sink, warnings);
      EXPECT_THAT(warnings, IsEmpty()) << name << " cut at " << at;
      ASSERT_EQ(message, whole.value_or(message)) << name << " cut at " << at << "\n" << reply;
      whole = message;
      expect_streamed(sink.deltas(), message);
    }
    ASSERT_EQ(whole->tool_calls.size(), 1U) << name << "\n" << reply;
    EXPECT_EQ(whole->tool_calls[0].arguments, search("red \"tea\"\n\\").arguments) << name;
  }
}

/// How a long reply was streamed.
struct Flow {
  std::size_t before_name = 0;       ///< Bytes of the reply until the call's name came.
  std::size_t before_arguments = 0;  ///< And the first of its arguments.
  std::size_t longest_wait = 0;      ///< Bytes between two deltas of arguments.
  std::size_t deltas = 0;
  Message message;
};

Flow flow_of(const ReplySyntax& syntax, const std::string& reply) {
  constexpr std::size_t kPiece = 4;
  Flow flow;
  std::size_t pushed = 0;
  std::size_t last = 0;
  testing::RecordingSink sink([&](const Delta& delta) {
    const auto& call = std::get<ToolCallDelta>(delta);
    if (!call.name.empty()) {
      flow.before_name = pushed;
    }
    if (!call.raw_arguments.empty()) {
      flow.before_arguments = last == 0 ? pushed : flow.before_arguments;
      flow.longest_wait = std::max(flow.longest_wait, last == 0 ? 0 : pushed - last);
      last = pushed;
    }
  });
  NativeReplyParser parser(syntax);
  while (pushed < reply.size()) {
    const std::string_view piece = std::string_view(reply).substr(pushed, kPiece);
    pushed += piece.size();
    parser.push(piece, sink);
  }
  std::vector<std::string> warnings;
  flow.message = parser.finish(sink, warnings);
  EXPECT_THAT(warnings, IsEmpty());
  expect_streamed(sink.deltas(), flow.message);
  flow.deltas = sink.deltas().size();
  return flow;
}

TEST(NativeReplyParser, LongArgumentIsStreamedFromItsBeginning) {
  const std::string query(20'000, 'x');
  for (const char* name : kTemplates) {
    const Format format = format_of(name);
    const std::string reply = format.written({search(query)});
    ASSERT_GT(reply.size(), query.size()) << name;
    const Flow flow = flow_of(*format.syntax, reply);
    ASSERT_EQ(flow.message.tool_calls.size(), 1U) << name;
    EXPECT_EQ(flow.message.tool_calls[0].arguments, search(query).arguments) << name;
    EXPECT_LT(flow.before_name, 200U) << name;
    EXPECT_LT(flow.before_arguments, 300U) << name;
    EXPECT_LT(flow.longest_wait, reply.size() / 16) << name;
    // Each reading of the reply gives something on, so there were no more readings: fewer than the
    // logarithm of its size needs, where a reading for each of the 5,000 pieces would be quadratic.
    EXPECT_GT(flow.deltas, 50U) << name;
    EXPECT_LT(flow.deltas, 400U) << name;
  }
}

TEST(NativeReplyParser, CallsBehindTheLastThatIsWantedAreLeftOut) {
  const Format format = format_of("Qwen-Qwen2.5-7B-Instruct");
  const std::string reply = format.written({search("a"), search("b")});
  NativeReplyParser parser(*format.syntax, 1);
  testing::RecordingSink sink;
  const std::size_t second = reply.rfind("<tool_call>");
  parser.push(std::string_view(reply).substr(0, second), sink);
  EXPECT_FALSE(parser.has_surplus());
  parser.push(std::string_view(reply).substr(second), sink);
  EXPECT_TRUE(parser.has_surplus());
  std::vector<std::string> warnings;
  const Message message = parser.finish(sink, warnings);
  ASSERT_EQ(message.tool_calls.size(), 1U);
  EXPECT_EQ(message.tool_calls[0].arguments, search("a").arguments);
  EXPECT_THAT(streamed(sink.deltas()).names, ElementsAre("search"));
}

TEST(NativeReplyParser, CallThatIsCutOffKeepsWhatWasStreamed) {
  for (const char* name : kTemplates) {
    const Format format = format_of(name);
    const std::string whole = format.written({search("red tea and more")});
    const std::string reply = whole.substr(0, whole.find("and more"));
    NativeReplyParser parser(*format.syntax);
    testing::RecordingSink sink;
    for (const char byte : reply) {
      parser.push(std::string(1, byte), sink);
    }
    std::vector<std::string> warnings;
    const Message message = parser.finish(sink, warnings);
    expect_streamed(sink.deltas(), message);
    ASSERT_EQ(message.tool_calls.size(), 1U) << name;
    EXPECT_EQ(message.tool_calls[0].name, "search") << name;
    EXPECT_THAT(message.tool_calls[0].arguments_text(), HasSubstr("red tea")) << name;
  }
}

TEST(NativeReplyParser, ReplyWithoutFormIsTextAsItIs) {
  const Format format = format_of("Qwen-Qwen2.5-7B-Instruct");
  for (const std::string& reply : {std::string("Plain [words] {and \"more\"."),
                                   std::string(300, '[') + " too deep to be read"}) {
    NativeReplyParser parser(*format.syntax);
    testing::RecordingSink sink;
    std::vector<std::string> warnings;
    parser.push(reply, sink);
    EXPECT_EQ(parser.finish(sink, warnings), Message::assistant(reply));
    EXPECT_EQ(sink.text(), reply);
  }
}

TEST(NativeReplyParser, NothingOfACallThatDoesNotFitItsToolIsLost) {
  const Format format = format_of("Qwen3-Coder");
  for (const std::string& before : {std::string(), std::string("Let me look.\n")}) {
    for (const std::string& inner :
         {std::string("<function=unknown>\n<parameter=query>\na\n</parameter>\n</function>"),
          std::string("<function=search>\n<parameter=nonsense>\na\n</parameter>\n</function>")}) {
      const std::string call = "<tool_call>\n" + inner + "\n</tool_call>";
      NativeReplyParser parser(*format.syntax);
      testing::RecordingSink sink;
      for (const char byte : before + call) {
        parser.push(std::string(1, byte), sink);
      }
      std::vector<std::string> warnings;
      const Message message = parser.finish(sink, warnings);
      expect_streamed(sink.deltas(), message);
      // Read as a call, perhaps in part, or kept as text with a warning.
      EXPECT_TRUE(!message.tool_calls.empty() ||
                  (message.text().find(inner) != std::string::npos && !warnings.empty()))
          << inner << "\n"
          << message.text();
    }
  }
}

TEST(NativeReplyParser, EmptyReplyIsAnEmptyMessage) {
  const Format format = format_of("Qwen-Qwen2.5-7B-Instruct");
  NativeReplyParser parser(*format.syntax);
  testing::RecordingSink sink;
  std::vector<std::string> warnings;
  const Message message = parser.finish(sink, warnings);
  EXPECT_TRUE(message.content.empty());
  EXPECT_TRUE(message.tool_calls.empty());
  EXPECT_THAT(sink.deltas(), IsEmpty());
}

}  // namespace
}  // namespace ingle
