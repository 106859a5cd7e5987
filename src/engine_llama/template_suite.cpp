#include "engine_llama/template_suite.h"

#include <algorithm>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine_llama/chat_inputs.h"

namespace ingle::testing {
namespace {

constexpr const char* kBos = "<BOS>";
constexpr const char* kEos = "<EOS>";

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::vector<std::filesystem::path> template_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".jinja") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

TemplateUnderTest::TemplateUnderTest(const std::filesystem::path& file) {
  const std::string source = content_of(file);
  auto made = ChatTemplate::create({.source = source, .bos = kBos, .eos = kEos});
  if (!made) {
    error_ = made.error().message;
    return;
  }
  ours_ = std::move(*made);
  templates_ = common_chat_templates_init(nullptr, source, kBos, kEos);
}

std::optional<std::string> TemplateUnderTest::reply_text(const Prompt& prompt,
                                                         const GenerationOptions& options,
                                                         const Message& reply) const {
  const auto begun = ours_->render(prompt, options);
  if (!begun) {
    return std::nullopt;
  }
  const std::string start = begun->text();
  auto text = written(prompt, start, reply);
  if (!text) {
    return std::nullopt;
  }
  // What ends a turn is what follows plain words.
  const std::string words = "Words that end";
  const std::string plain = full_text(prompt, Message::assistant(words));
  if (const std::size_t at = plain.find(words); at != std::string::npos) {
    const std::string tail = plain.substr(at + words.size());
    if (!tail.empty() && text->ends_with(tail)) {
      text->resize(text->size() - tail.size());
    }
  }
  for (const char* mark :
       {kEos, "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<|call|>", "<|return|>"}) {
    if (const std::size_t at = text->rfind(mark);
        at != std::string::npos && at + 24 > text->size()) {
      text->resize(at);
    }
  }
  return text;
}

std::optional<std::string> TemplateUnderTest::written(const Prompt& prompt,
                                                      const std::string& begun,
                                                      const Message& reply) const {
  const std::string text = full_text(prompt, reply);
  return text.starts_with(begun) ? std::optional(text.substr(begun.size())) : std::nullopt;
}

std::string TemplateUnderTest::full_text(const Prompt& prompt, const Message& reply) const {
  Prompt with_reply = prompt;
  with_reply.messages.push_back(reply);
  const auto chat = to_chat_inputs(with_reply);
  if (!chat) {
    return {};
  }
  common_chat_templates_inputs inputs;
  inputs.messages = chat->messages;
  shorten_call_ids(inputs.messages);
  inputs.tools = chat->tools;
  inputs.tool_choice = COMMON_CHAT_TOOL_CHOICE_NONE;
  inputs.add_generation_prompt = false;
  try {
    return common_chat_templates_apply(templates_.get(), inputs).prompt;
  } catch (const std::exception&) {
    return {};  // The template does not write such a message.
  }
}

std::vector<ToolSpec> sample_tools() {
  const json read{{"type", "object"},
                  {"properties",
                   {{"path", {{"type", "string"}}},
                    {"lines", {{"type", "integer"}}},
                    {"scale", {{"type", "number"}}}}},
                  {"required", {"path"}}};
  const json search{{"type", "object"},
                    {"properties", {{"query", {{"type", "string"}}}}},
                    {"required", {"query"}}};
  return {{.name = "read_file", .description = "Reads a file.", .parameters = read},
          {.name = "search", .description = "Searches for words.", .parameters = search}};
}

}  // namespace ingle::testing
