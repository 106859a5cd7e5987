#include "ingle/model/reply_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ingle/testing/property_runs.h"
#include "ingle/testing/recording_sink.h"
#include "model/envelope.h"

namespace ingle {
namespace {

struct Parsed {
  Message message;
  std::string streamed;
  std::vector<ToolCallDelta> calls;

  /// Per call: its name, then its arguments as they were streamed.
  [[nodiscard]] std::vector<std::string> streamed_calls() const {
    std::vector<std::string> texts;
    for (const ToolCallDelta& delta : calls) {
      texts.resize(static_cast<std::size_t>(delta.index) + 1);
      texts.back() += delta.name + delta.raw_arguments;
    }
    return texts;
  }
};

Parsed parse(const std::vector<std::string>& pieces) {
  ReplyParser parser;
  testing::RecordingSink sink;
  for (const std::string& piece : pieces) {
    parser.push(piece, sink);
  }
  Parsed parsed;
  parsed.message = parser.finish(sink);
  for (const Delta& delta : sink.deltas()) {
    if (const auto* text = std::get_if<TextDelta>(&delta)) {
      parsed.streamed += text->text;
    } else if (const auto* call = std::get_if<ToolCallDelta>(&delta)) {
      parsed.calls.push_back(*call);
    }
  }
  return parsed;
}

const std::string kTwoCalls =
    "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}</tool_call>\n"
    "<tool_call>{\"name\": \"list_files\", \"arguments\": {\"n\": -1.5e-3, \"s\": "
    "\"\\u00e9 </tool\"}}</tool_call>";

TEST(ReplyParser, ProseIsText) {
  const Parsed parsed = parse({"Hello ", "there."});
  EXPECT_EQ(parsed.message.text(), "Hello there.");
  EXPECT_EQ(parsed.streamed, "Hello there.");
  EXPECT_TRUE(parsed.message.tool_calls.empty());
}

TEST(ReplyParser, CallsAreCallsAndNoMarkupIsStreamed) {
  const Parsed parsed = parse({kTwoCalls});
  ASSERT_EQ(parsed.message.tool_calls.size(), 2U);
  EXPECT_EQ(parsed.message.tool_calls[0].name, "read_file");
  EXPECT_EQ(parsed.message.tool_calls[0].arguments.dump(), R"({"path":"a.txt"})");
  EXPECT_EQ(parsed.message.tool_calls[1].name, "list_files");
  EXPECT_EQ(parsed.streamed, "");
  EXPECT_EQ(parsed.message.text(), "");
  EXPECT_THAT(parsed.streamed_calls(),
              ::testing::ElementsAre("read_file" + parsed.message.tool_calls[0].arguments_text(),
                                     "list_files" + parsed.message.tool_calls[1].arguments_text()));
}

TEST(ReplyParser, ArgumentsAreStreamedAsTheModelWroteThem) {
  ReplyParser parser;
  testing::RecordingSink sink;
  parser.push(R"(<tool_call>{"name": "write", "arguments": { "b" : "long )", sink);
  EXPECT_THAT(sink.deltas(),
              ::testing::ElementsAre(
                  Delta(ToolCallDelta{.index = 0, .name = "write"}),
                  Delta(ToolCallDelta{.index = 0, .raw_arguments = R"({ "b" : "long )"})));
  parser.push(R"(</tool_call>", "a": 1}}</tool_call>)", sink);
  const Message message = parser.finish(sink);
  ASSERT_EQ(message.tool_calls.size(), 1U);
  EXPECT_EQ(message.tool_calls[0].raw_arguments, R"({ "b" : "long </tool_call>", "a": 1})");
  EXPECT_EQ(message.tool_calls[0].arguments.dump(), R"({"a":1,"b":"long </tool_call>"})");
}

TEST(ReplyParser, LongArgumentIsStreamedFromItsBeginning) {
  const std::string arguments = "{\"text\": \"" + std::string(20'000, 'x') + "\"}";
  const std::string reply =
      R"(<tool_call>{"name": "write", "arguments": )" + arguments + "}</tool_call>";
  constexpr std::size_t kPiece = 4;
  ReplyParser parser;
  std::size_t pushed = 0;
  std::size_t first = 0;
  testing::RecordingSink sink([&](const Delta& delta) {
    const auto& call = std::get<ToolCallDelta>(delta);
    first = first == 0 && !call.raw_arguments.empty() ? pushed : first;
    // Nothing waits: of each piece, what belongs to the arguments is given on at once.
    EXPECT_LE(call.raw_arguments.size(), kPiece);
  });
  while (pushed < reply.size()) {
    const std::string piece = reply.substr(pushed, kPiece);
    pushed += piece.size();
    parser.push(piece, sink);
  }
  const Message message = parser.finish(sink);
  EXPECT_LT(first, 60U);
  EXPECT_LE(sink.deltas().size(), reply.size() / kPiece + 1);
  std::string streamed;
  for (const Delta& delta : sink.deltas()) {
    streamed += std::get<ToolCallDelta>(delta).raw_arguments;
  }
  EXPECT_EQ(streamed, arguments);
  ASSERT_EQ(message.tool_calls.size(), 1U);
  EXPECT_EQ(message.tool_calls[0].arguments_text(), arguments);
}

TEST(ReplyParser, CallInAnotherOrderIsTakenWhenItIsComplete) {
  const Parsed parsed =
      parse({R"(<tool_call>{"arguments": {"a": 1}, "na)", R"(me": "x"}</tool_call>)"});
  ASSERT_EQ(parsed.message.tool_calls.size(), 1U);
  EXPECT_EQ(parsed.message.tool_calls[0].name, "x");
  EXPECT_THAT(parsed.streamed_calls(), ::testing::ElementsAre(R"(x{"a":1})"));
}

TEST(ReplyParser, MarkupInsideProseStaysProse) {
  const std::string text = "Write <tool_call>{}</tool_call> to call a tool.";
  EXPECT_EQ(parse({text}).message.text(), text);
}

TEST(ReplyParser, WhatLooksLikeACallAtFirstIsReleased) {
  const Parsed parsed = parse({"<tool", "box>"});
  EXPECT_EQ(parsed.streamed, "<toolbox>");
  EXPECT_EQ(parse({"<too"}).streamed, "<too");
}

TEST(ReplyParser, CutCallIsMalformed) {
  const Parsed parsed = parse({"<tool_call>{\"name\": \"read_file\", \"argu"});
  ASSERT_EQ(parsed.message.tool_calls.size(), 1U);
  EXPECT_THAT(parsed.message.tool_calls[0].raw_arguments, ::testing::HasSubstr("argu"));
}

TEST(ReplyParser, EmptyReplyIsEmptyText) {
  const Parsed parsed = parse({});
  EXPECT_EQ(parsed.message.text(), "");
  EXPECT_TRUE(parsed.message.tool_calls.empty());
}

TEST(ReplyParser, AllSplitsGiveTheSame) {
  std::mt19937 random(7);
  for (const std::string& reply :
       {kTwoCalls, std::string("<tool is not a call"), std::string("  plain <tool_call>"),
        std::string("\n<tool_call>{\"name\": \"x\"}</tool_call> tail")}) {
    const Parsed whole = parse({reply});
    for (int round = 0; round < testing::property_runs(200); ++round) {
      std::vector<std::string> pieces;
      for (std::size_t at = 0; at < reply.size();) {
        const std::size_t length = 1 + random() % 7;
        pieces.push_back(reply.substr(at, length));
        at += length;
      }
      const Parsed split = parse(pieces);
      ASSERT_EQ(split.message, whole.message);
      ASSERT_EQ(split.streamed, whole.streamed);
      ASSERT_EQ(split.streamed_calls(), whole.streamed_calls());
    }
  }
}

TEST(ReplyParser, EnvelopeRoundTrips) {
  const ToolCall call{.id = {},
                      .name = "read_file",
                      .arguments = parse_json(R"({"path":"a \"b\" </x>"})").value(),
                      .raw_arguments = {}};
  EXPECT_EQ(parse({envelope(call)}).message.tool_calls.at(0), call);
}

}  // namespace
}  // namespace ingle
