// Hostile messages in the chat templates that llama.cpp ships: rendering answers by a prompt or a
// typed error, and markers in other people's words do not come out as markers.
//
// The second opinion: each prompt is rendered once more with a plain word inside of each marker
// that its texts spell. All markers of that prompt are the template's own, so the first one may
// have no others; and apart from the plain words, the two are the same text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine_llama/chat_template.h"
#include "engine_llama/template_suite.h"
#include "fuzz_input.h"
#include "ingle/core/check.h"
#include "ingle/core/utf8.h"
#include "ingle/engine_llama/llama_backend.h"

namespace {

using ingle::fuzz::FuzzInput;

constexpr std::string_view kPlainWord = "betweenletters";  // as long as a seam

/// The spellings in a template's source that may be control tokens: <...> and [CAPITALS].
std::vector<std::string> markers_in(std::string_view source) {
  constexpr std::size_t kLongest = 40;
  std::vector<std::string> markers = {"<BOS>", "<EOS>", "<|im_start|>", "<|im_end|>", "</s>"};
  for (std::size_t at = 0; at < source.size(); ++at) {
    const bool is_tag = source[at] == '<';
    if (!is_tag && source[at] != '[') {
      continue;
    }
    const std::size_t end = source.find(is_tag ? '>' : ']', at);
    if (end == std::string_view::npos || end - at < 2 || end - at > kLongest) {
      continue;
    }
    const std::string_view inside = source.substr(at + 1, end - at - 1);
    const bool fits =
        is_tag ? inside.find_first_of(" \t\n\"'<>=\\{}()") == std::string_view::npos
               : inside.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_/") == std::string_view::npos;
    if (fits) {
      markers.emplace_back(source.substr(at, end - at + 1));
    }
  }
  std::ranges::sort(markers);
  markers.erase(std::unique(markers.begin(), markers.end()), markers.end());
  return markers;
}

struct Subject {
  std::string name;
  std::vector<std::string> markers;
  std::vector<std::string> words;  ///< What texts are made of.
  std::unique_ptr<ingle::ChatTemplate> chat;
};

Subject make_subject(const std::string& name, const std::string& source) {
  Subject subject{.name = name, .markers = markers_in(source), .words = {}, .chat = {}};
  for (const std::string& marker : subject.markers) {
    const std::size_t half = marker.size() / 2;
    subject.words.insert(subject.words.end(),
                         {marker, marker.substr(0, half), marker.substr(half), marker.substr(1)});
  }
  subject.words.insert(subject.words.end(),
                       {"{{ messages }}", "{% raw %}", "{#", "%}", "\xE2\x82", "\xF0\x9F\x99\x82",
                        "\xC3\xA9", "ingleseam0xend", "IngleSeam0x", "IngleCut0Here", "{\"a\": 1}",
                        "\"}]}", "\\u003c", "assistant", "\n\n", "  ", "[]", "null"});
  auto made = ingle::ChatTemplate::create({.source = source,
                                           .bos = "<BOS>",
                                           .eos = "<EOS>",
                                           .markers = ingle::MarkerSet(subject.markers)});
  INGLE_CHECK(made.ok(), made.error().message);
  subject.chat = std::make_unique<ingle::ChatTemplate>(std::move(*made));
  return subject;
}

/// Made when first chosen. The last choice is a model without a template.
const Subject& subject_of(std::uint8_t choice) {
  static const auto kBackend = ingle::LlamaBackend::start(ingle::null_log());  // silences llama.cpp
  static const auto kFiles = ingle::testing::template_files(INGLE_TEMPLATES);
  static std::map<std::size_t, Subject> subjects;
  const std::size_t index = choice % (kFiles.size() + 1);
  auto place = subjects.find(index);
  if (place == subjects.end()) {
    std::ostringstream source;
    if (index < kFiles.size()) {
      source << std::ifstream(kFiles[index], std::ios::binary).rdbuf();
    }
    const std::string name = index < kFiles.size() ? kFiles[index].stem().string() : "none";
    place = subjects.emplace(index, make_subject(name, source.str())).first;
  }
  return place->second;
}

bool spells_marker_at(std::string_view text, std::size_t at,
                      const std::vector<std::string>& markers) {
  return std::ranges::any_of(
      markers, [&](const std::string& marker) { return text.substr(at).starts_with(marker); });
}

std::string with_plain_words(const std::string& text, const std::vector<std::string>& markers) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    plain += text[at];
    if (spells_marker_at(text, at, markers)) {
      plain += kPlainWord;
    }
  }
  return plain;
}

std::string without_plain_words(std::string text) {
  for (std::size_t at = text.find(kPlainWord); at != std::string::npos;
       at = text.find(kPlainWord, at)) {
    text.erase(at, kPlainWord.size());
  }
  return text;
}

std::size_t count_markers(const std::vector<std::string>& pieces,
                          const std::vector<std::string>& markers) {
  std::size_t count = 0;
  for (const std::string& piece : pieces) {
    for (std::size_t at = 0; at < piece.size(); ++at) {
      count += spells_marker_at(piece, at, markers) ? 1 : 0;
    }
  }
  return count;
}

/// Makes a prompt of the input, with the texts as they are or with plain words in their markers.
class PromptMaker {
 public:
  enum class Words : std::uint8_t { kHostile, kPlain };

  PromptMaker(FuzzInput input, const Subject& subject, Words words)
      : input_(input), subject_(subject), words_(words) {}

  ingle::Prompt make(ingle::GenerationOptions& options) {
    ingle::Prompt prompt;
    const std::uint8_t form = input_.byte();
    prompt.next = form % 8 == 7 ? ingle::Role::kUser : ingle::Role::kAssistant;
    const bool has_tools = subject_.chat->has_native_tools() ? form % 4 != 0 : form % 32 == 1;
    if (has_tools) {
      for (int tools = 1 + form % 2; tools > 0; --tools) {
        prompt.tools.push_back(tool());
      }
    }
    choose_options(options, prompt);
    constexpr std::size_t kMaxMessages = 8;
    do {
      prompt.messages.push_back(message(has_tools));
    } while (!input_.is_empty() && prompt.messages.size() < kMaxMessages);
    return prompt;
  }

  /// Both ways of words give the same text: no id is hashed, no JSON is written anew.
  [[nodiscard]] bool is_exact() const { return is_exact_; }

 private:
  std::string text() {
    std::string made = input_.text(input_.byte() % 64, subject_.words);
    return words_ == Words::kHostile
               ? made
               : with_plain_words(ingle::sanitize_utf8(made), subject_.markers);
  }

  std::string json_text() { return ingle::sanitize_utf8(text()); }

  ingle::ToolSpec tool() {
    ingle::ToolSpec spec{.name = input_.byte() % 4 == 0 ? text() : "f", .description = text()};
    switch (input_.byte() % 4) {
      case 0:
        spec.parameters =
            ingle::json{{"type", "object"}, {"properties", {{json_text(), {{"type", "string"}}}}}};
        break;
      case 1:
        spec.parameters = ingle::json{
            {"type", "object"},
            {"properties", {{"a", {{"description", json_text()}, {"enum", {json_text(), "b"}}}}}},
            {"required", {"a"}}};
        break;
      case 2:
        spec.parameters = ingle::json{{"type", {"object", "null"}}, {json_text(), json_text()}};
        break;
      default:
        break;  // none
    }
    return spec;
  }

  void choose_options(ingle::GenerationOptions& options, const ingle::Prompt& prompt) {
    const std::uint8_t choice = input_.byte();
    options.tool_choice.kind = static_cast<ingle::ToolChoice::Kind>(choice % 4);
    if (options.tool_choice.kind == ingle::ToolChoice::Kind::kNamed && !prompt.tools.empty()) {
      options.tool_choice.name = prompt.tools.front().name;
    }
    if (choice % 3 == 1) {
      options.thinking = choice % 2 == 0 ? ingle::Thinking::kOn : ingle::Thinking::kOff;
    }
    if (choice % 5 == 1) {
      options.parallel_tool_calls = choice % 2 == 0;
    }
  }

  ingle::Message message(bool has_tools) {
    const std::uint8_t form = input_.byte();
    ingle::Message made;
    made.role = static_cast<ingle::Role>(form % 4);
    if (made.role == ingle::Role::kTool && !has_tools) {
      made.role = ingle::Role::kUser;
    }
    if (form & 0x10U) {
      made.content.emplace_back(ingle::ReasoningPart{text()});
    }
    made.content.emplace_back(ingle::TextPart{text()});
    if (made.role == ingle::Role::kTool) {
      made.tool_call_id = id(form);
      made.tool_name = form & 0x20U ? text() : "f";
    }
    if (made.role == ingle::Role::kAssistant && has_tools && (form & 0x40U)) {
      for (int calls = 1 + (form >> 7U); calls > 0; --calls) {
        ingle::CallId call_id = id(form);
        std::string name = form & 0x20U ? text() : "f";
        made.tool_calls.push_back(
            ingle::ToolCall::of_text(std::move(call_id), std::move(name), arguments()));
      }
    }
    return made;
  }

  ingle::CallId id(std::uint8_t form) {
    if (form & 0x08U) {
      is_exact_ = false;
      return ingle::CallId(text());
    }
    return ingle::CallId("call00001");
  }

  std::string arguments() {
    switch (input_.byte() % 8) {
      case 0:
        return {};
      case 1: {  // Not JSON, or JSON of another type. Without escapes, which a second opinion
                 // would have to decode.
        is_exact_ = false;
        std::string raw = text();
        std::erase(raw, '\\');
        return raw;
      }
      case 2: {  // Escaped.
        is_exact_ = false;
        std::string escaped;
        for (const char byte : object().dump()) {
          escaped += byte == '<' ? "\\u003c" : std::string(1, byte);
        }
        return escaped;
      }
      case 3: {  // The first of two members of one name is hidden by the second.
        is_exact_ = false;
        return "{\"a\": " + ingle::Json(ingle::json(json_text())).dump() + ", \"a\": 1}";
      }
      case 4:
        return ingle::Json(ingle::json{object(), json_text(), nullptr}).dump();
      default:
        return object().dump();
    }
  }

  ingle::json object() {
    return {{json_text(), json_text()}, {"b", {{"c", {json_text()}}}}, {"n", -1.5}};
  }

  FuzzInput input_;
  const Subject& subject_;
  Words words_;
  bool is_exact_ = true;
};

void check_error(const ingle::Error& error) {
  INGLE_CHECK(error.reason == "prompt_invalid" || error.reason == "tools_unsupported",
              "an error that is not documented: " + error.reason + ": " + error.message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzInput input(data, size);
  const Subject& subject = subject_of(input.byte());
  ingle::GenerationOptions options;
  PromptMaker hostile(input, subject, PromptMaker::Words::kHostile);
  const auto rendered = subject.chat->render(hostile.make(options), options);
  if (!rendered) {
    check_error(rendered.error());
    return 0;
  }
  PromptMaker plain(input, subject, PromptMaker::Words::kPlain);
  const auto expected = subject.chat->render(plain.make(options), options);
  if (!expected) {
    check_error(expected.error());
    return 0;
  }
  INGLE_CHECK(count_markers(rendered->pieces, subject.markers) ==
                  count_markers(expected->pieces, subject.markers),
              "other people's words became a marker of " + subject.name + ":\n" + rendered->text());
  INGLE_CHECK(!hostile.is_exact() || rendered->text() == without_plain_words(expected->text()),
              "the guard changed what " + subject.name + " renders:\n" + rendered->text() +
                  "\n---- and not\n" + without_plain_words(expected->text()));
  return 0;
}
