// Any output in the native format of any template that llama.cpp ships: what was streamed is the
// message, the message does not depend on the pieces that the output came in unless a warning says
// so, and neither is much longer than the output.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine_llama/native_reply_parser.h"
#include "engine_llama/template_suite.h"
#include "fuzz_input.h"
#include "ingle/core/check.h"
#include "ingle/core/utf8.h"
#include "ingle/engine_llama/llama_backend.h"

namespace {

using ingle::fuzz::FuzzInput;

/// A form of replies, and the words of which replies in it are made.
struct Subject {
  std::string name;
  std::shared_ptr<const ingle::ReplySyntax> syntax;  ///< Null: replies are text.
  std::vector<std::string> words;
};

ingle::Message calling(bool is_thinking) {
  ingle::Message message;
  message.role = ingle::Role::kAssistant;
  if (is_thinking) {
    message.content.emplace_back(ingle::ReasoningPart{"I look."});
  }
  message.tool_calls = {
      ingle::ToolCall::of_text(ingle::CallId("call00001"), "read_file",
                               R"({"path":"a \"b\".txt","lines":-3,"scale":-1.5})"),
      ingle::ToolCall::of_text(ingle::CallId("call00002"), "search", R"({"query":"red\ntea"})")};
  return message;
}

/// Whole replies as the template writes them, and what of their lines is markup.
void add_words_of_replies(const ingle::testing::TemplateUnderTest& chat,
                          const ingle::Prompt& prompt, const ingle::GenerationOptions& options,
                          std::vector<std::string>& words) {
  for (ingle::Message message : {calling(true), calling(false)}) {
    for (int calls = 2; calls > 0; --calls) {
      if (auto reply = chat.reply_text(prompt, options, message)) {
        for (std::size_t at = 0; at < reply->size();) {
          const std::size_t end = std::min(reply->find_first_of("\n>]{", at), reply->size() - 1);
          words.push_back(reply->substr(at, end + 1 - at));
          at = end + 1;
        }
        words.push_back(std::move(*reply));
      }
      message.tool_calls.pop_back();
    }
  }
}

Subject make_subject(const std::filesystem::path& file, std::uint8_t form) {
  const ingle::testing::TemplateUnderTest chat(file);
  INGLE_CHECK(chat.is_usable(), chat.error());
  ingle::Prompt prompt{.messages = {ingle::Message::user("What is in notes.txt?")}, .tools = {}};
  ingle::GenerationOptions options;
  if (chat.ours().has_native_tools() && form != 0) {
    prompt.tools = ingle::testing::sample_tools();
    options.parallel_tool_calls = form == 1;
    options.tool_choice.kind =
        form == 2 ? ingle::ToolChoice::Kind::kRequired : ingle::ToolChoice::Kind::kAuto;
  }
  const auto rendered = chat.ours().render(prompt, options);
  INGLE_CHECK(rendered.ok(), rendered.error().message);
  Subject subject{.name = file.stem().string(), .syntax = rendered->syntax, .words = {}};
  subject.words = {"read_file",
                   "search",
                   "path",
                   "query",
                   "\"name\"",
                   "\"arguments\"",
                   "{\"",
                   "\": \"",
                   "\"}",
                   "\", \"",
                   "\\u00e9",
                   "\\\"",
                   "{}",
                   "null",
                   "\\ud83d",
                   "\n",
                   "<tool_call>\n",
                   "</tool_call>",
                   "\xC3\xA9",
                   "\xF0\x9F\x99\x82",
                   "<|",
                   "|>",
                   "\\n",
                   " "};
  if (subject.syntax) {
    const ingle::ReplySyntax& syntax = *subject.syntax;
    subject.words.push_back(syntax.begun() + " ");
    subject.words.push_back(syntax.thinking_start() + " ");
    for (const auto* more : {&syntax.thinking_ends(), &syntax.call_starts(), &syntax.stops(),
                             &syntax.kept_markers()}) {
      subject.words.insert(subject.words.end(), more->begin(), more->end());
    }
    add_words_of_replies(chat, prompt, options, subject.words);
  }
  return subject;
}

/// Made when chosen; kept until there are many, since each has a few megabytes.
const Subject& subject_of(std::uint8_t choice, std::uint8_t form) {
  static const auto kBackend = ingle::LlamaBackend::start(ingle::null_log());  // silences llama.cpp
  static const auto kFiles = ingle::testing::template_files(INGLE_TEMPLATES);
  static std::map<std::pair<std::size_t, std::uint8_t>, Subject> subjects;
  constexpr std::size_t kMaxSubjects = 64;
  const std::pair key(choice % kFiles.size(), static_cast<std::uint8_t>(form % 3));
  auto place = subjects.find(key);
  if (place == subjects.end()) {
    if (subjects.size() == kMaxSubjects) {
      subjects.clear();
    }
    place = subjects.emplace(key, make_subject(kFiles[key.first], key.second)).first;
  }
  return place->second;
}

/// Puts the deltas together again.
class Stream final : public ingle::DeltaSink {
 public:
  void on_delta(const ingle::Delta& delta) override {
    if (const auto* text = std::get_if<ingle::TextDelta>(&delta)) {
      INGLE_CHECK(!text->text.empty(), "an empty delta");
      text_ += text->text;
    } else if (const auto* thought = std::get_if<ingle::ReasoningDelta>(&delta)) {
      INGLE_CHECK(!thought->text.empty(), "an empty delta");
      thoughts_ += thought->text;
    } else if (const auto* call = std::get_if<ingle::ToolCallDelta>(&delta)) {
      take(*call);
    }
  }

  void check_is(const ingle::Message& message) const {
    INGLE_CHECK(text_ == message.text(), "the stream is not the text: " + text_);
    INGLE_CHECK(thoughts_ == message.reasoning(), "the stream is not the thoughts: " + thoughts_);
    INGLE_CHECK(calls_.size() == message.tool_calls.size(), "calls were not streamed");
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const ingle::ToolCall& call = message.tool_calls[i];
      INGLE_CHECK(calls_[i].name == call.name, "another name was streamed: " + calls_[i].name);
      INGLE_CHECK(calls_[i].id == call.id, "another id was streamed");
      INGLE_CHECK(calls_[i].raw_arguments == call.arguments_text(),
                  "the stream is not the arguments: " + calls_[i].raw_arguments + " and " +
                      call.arguments_text());
    }
  }

  [[nodiscard]] std::size_t size() const {
    std::size_t size = text_.size() + thoughts_.size();
    for (const ingle::ToolCallDelta& call : calls_) {
      size += call.name.size() + call.raw_arguments.size() + call.id.str().size();
    }
    return size;
  }

 private:
  void take(const ingle::ToolCallDelta& delta) {
    const auto index = static_cast<std::size_t>(delta.index);
    INGLE_CHECK(index <= calls_.size(), "a call was left out");
    if (index == calls_.size()) {
      calls_.push_back(delta);
      return;
    }
    ingle::ToolCallDelta& call = calls_[index];
    INGLE_CHECK(delta.name.empty(), "a name in a later delta");
    INGLE_CHECK(delta.id.str().empty() || call.id.str().empty(), "a second id");
    call.id = delta.id.str().empty() ? call.id : delta.id;
    call.raw_arguments += delta.raw_arguments;
  }

  std::string text_;
  std::string thoughts_;
  std::vector<ingle::ToolCallDelta> calls_;
};

struct Reading {
  ingle::Message message;
  bool is_torn =
      false;  ///< The end changed how the beginning is to be read, and a warning says so.
};

/// Reads `reply` in pieces of about `piece` bytes, whole characters each.
Reading read(const Subject& subject, std::string_view reply, std::size_t piece,
             std::size_t max_calls) {
  ingle::NativeReplyParser parser(*subject.syntax, max_calls);
  Stream stream;
  for (std::string_view rest = reply; !rest.empty();) {
    std::size_t size = std::min(piece, rest.size());
    while (size < rest.size() && (static_cast<unsigned char>(rest[size]) & 0xC0U) == 0x80U) {
      ++size;
    }
    parser.push(rest.substr(0, size), stream);
    rest.remove_prefix(size);
  }
  std::vector<std::string> warnings;
  Reading reading{.message = parser.finish(stream, warnings)};
  stream.check_is(reading.message);
  constexpr std::size_t kLongestCharacter = 6;  // a control character as \u0000
  INGLE_CHECK(stream.size() <= kLongestCharacter * reply.size() + 256,
              "the message is much longer than the reply");
  for (const std::string& warning : warnings) {
    reading.is_torn = reading.is_torn || warning.starts_with("The end of the reply changed");
  }
  return reading;
}

std::string shown(const ingle::Message& message) { return ingle::to_json(message).dump(); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzInput input(data, size);
  const std::uint8_t choice = input.byte();
  const std::uint8_t form = input.byte();
  const Subject& subject = subject_of(choice, form);
  if (!subject.syntax) {
    return 0;
  }
  const std::size_t max_calls = form >= 0xC0 ? 1 : 100;
  const std::size_t piece = 1 + input.byte() % 16;
  constexpr std::size_t kLongestReply = 768;
  std::string reply = ingle::sanitize_utf8(input.rest(subject.words));
  reply.resize(ingle::truncate_utf8(reply, kLongestReply).size());

  const Reading whole = read(subject, reply, reply.size(), max_calls);
  const Reading cut = read(subject, reply, piece, max_calls);
  INGLE_CHECK(whole.is_torn || cut.is_torn || whole.message == cut.message,
              "the reply of " + subject.name + " depends on how it was cut:\n" + reply +
                  "\n---- whole\n" + shown(whole.message) + "\n---- cut\n" + shown(cut.message));
  return 0;
}
