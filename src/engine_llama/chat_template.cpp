#include "engine_llama/chat_template.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "engine_llama/chat_inputs.h"
#include "engine_llama/reply_syntax_impl.h"
#include "engine_llama/template_guard.h"
#include "ingle/core/sync.h"
#include "ingle/core/utf8.h"

namespace ingle {
namespace {

constexpr const char* kProbeTool = "ingle_probe_tool";

Error template_invalid(const std::string& why) {
  return {ErrorCode::kInvalidArgument,
          "chat_template_invalid",
          "the model's chat template cannot be used: " + why,
          {}};
}

Error prompt_invalid(const std::string& why) {
  return {ErrorCode::kInvalidArgument, "prompt_invalid", why, {}};
}

bool has_tools(const Prompt& prompt) {
  return !prompt.tools.empty() || std::ranges::any_of(prompt.messages, [](const Message& message) {
    return message.role == Role::kTool || !message.tool_calls.empty();
  });
}

Result<void> check_prompt(const Prompt& prompt, bool has_native_tools) {
  if (prompt.next != Role::kAssistant && prompt.next != Role::kUser) {
    return prompt_invalid("only the assistant or the user can speak next");
  }
  if (prompt.messages.empty() && prompt.next == Role::kAssistant) {
    return prompt_invalid("the prompt has no messages");
  }
  if (has_tools(prompt) && !has_native_tools) {
    return Error{ErrorCode::kUnsupported,
                 "tools_unsupported",
                 "this model cannot be told of tools directly; wrap it by with_prompted_tools",
                 {}};
  }
  return {};
}

std::string render_plain(const std::vector<common_chat_msg>& messages, Role next) {
  std::string text;
  for (const common_chat_msg& message : messages) {
    text += message.role + ": " + message.content + "\n";
  }
  return text + std::string(to_string(next)) + ":";
}

/// A word that no text has.
std::string unused_word(const std::vector<std::string_view>& texts) {
  for (unsigned number = 0;; ++number) {
    std::string word = "IngleCut" + std::to_string(number) + "Here";
    if (std::ranges::none_of(texts, [&word](std::string_view text) {
          return text.find(word) != std::string_view::npos;
        })) {
      return word;
    }
  }
}

/// Today, without the time of day: a prompt stays the same from turn to turn.
std::chrono::system_clock::time_point today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

bool is_forced(const GenerationOptions& options) {
  return options.tool_choice.kind == ToolChoice::Kind::kRequired ||
         options.tool_choice.kind == ToolChoice::Kind::kNamed;
}

common_chat_templates_inputs basic_inputs(const GenerationOptions& options) {
  common_chat_templates_inputs inputs;
  inputs.now = today();
  inputs.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
  // A constraint or a call that is asked for holds from the first token: no thoughts then, unless
  // somebody wants them.
  const Thinking usual = options.constraint || is_forced(options) ? Thinking::kOff : Thinking::kOn;
  inputs.enable_thinking = options.thinking.value_or(usual) == Thinking::kOn;
  return inputs;
}

}  // namespace

std::string RenderedChat::text() const {
  std::string text;
  for (const std::string& piece : pieces) {
    text += piece;
  }
  return text;
}

struct ChatTemplate::Impl {
  ChatTemplateOptions options;
  bool has_native_tools = false;
  bool can_think = false;
  bool has_parallel_calls = false;
  bool reads_plain_text = false;  ///< Without tools, a reply is its text and no more.
  Mutex mutex;                    ///< `common` does not promise that applying is thread-safe.
  common_chat_templates_ptr templates INGLE_GUARDED_BY(mutex);

  common_chat_params apply(const common_chat_templates_inputs& inputs) {
    const MutexLock lock(mutex);
    return common_chat_templates_apply(templates.get(), inputs);
  }

  void probe();
  Result<RenderedChat> render_prompt(const ChatInputs& chat, MarkupGuard& guard,
                                     const Prompt& prompt, const GenerationOptions& request,
                                     SchemaDetail detail);
  Result<std::string> render_text(const ChatInputs& chat, const Prompt& prompt,
                                  const GenerationOptions& request);
  Result<std::shared_ptr<const ReplySyntax>> syntax_for(const ChatInputs& chat,
                                                        const GenerationOptions& request,
                                                        SchemaDetail detail);
};

/// Finds out what the template can do by using it. `common` leaves out tools in silence when a
/// template does not know them.
void ChatTemplate::Impl::probe() {
  common_chat_templates_inputs inputs = basic_inputs({});
  common_chat_msg message;
  message.role = "user";
  message.content = "Hello";
  inputs.messages = {message};
  try {
    const common_chat_params plain = apply(inputs);
    can_think = !plain.thinking_end_tags.empty() && !plain.thinking_start_tag.empty();
    const std::string words = "Words [and] {\"more\": 1}.";
    reads_plain_text =
        !can_think &&
        ReplySyntax(make_syntax(plain, {})).parse(words, ReplySyntax::Extent::kWhole) ==
            ParsedReply{.text = words};
  } catch (const std::exception&) {
    // Said when a prompt is rendered.
  }
  inputs.tools = {{.name = kProbeTool,
                   .description = "Does it.",
                   .parameters = R"({"type":"object","properties":{"a":{"type":"string"}}})"}};
  inputs.tool_choice = COMMON_CHAT_TOOL_CHOICE_REQUIRED;
  try {
    const common_chat_params with_tool = apply(inputs);
    has_native_tools =
        !with_tool.grammar.empty() && with_tool.prompt.find(kProbeTool) != std::string::npos;
    const MutexLock lock(mutex);
    has_parallel_calls =
        common_chat_templates_get_caps(templates.get())["supports_parallel_tool_calls"];
  } catch (const std::exception&) {
    has_native_tools = false;
  }
}

ChatTemplate::ChatTemplate(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChatTemplate::~ChatTemplate() = default;
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;

Result<ChatTemplate> ChatTemplate::create(const ChatTemplateOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  if (options.source.empty()) {
    return ChatTemplate(std::move(impl));
  }
  INGLE_RETURN_IF_ERROR(check_template_bounds(options.source));
  try {
    // common_chat_templates_init throws a sliced exception; this one says what is wrong.
    const common_chat_template check(options.source, options.bos, options.eos);
    const MutexLock lock(impl->mutex);
    impl->templates = common_chat_templates_init(nullptr, options.source, options.bos, options.eos);
  } catch (const std::exception& exception) {
    return template_invalid(exception.what());
  }
  impl->probe();
  return ChatTemplate(std::move(impl));
}

bool ChatTemplate::has_native_tools() const { return impl_->has_native_tools; }
bool ChatTemplate::can_think() const { return impl_->can_think; }

Result<RenderedChat> ChatTemplate::render(const Prompt& prompt, const GenerationOptions& options,
                                          SchemaDetail detail) const {
  INGLE_RETURN_IF_ERROR(check_prompt(prompt, impl_->has_native_tools));
  INGLE_TRY(ChatInputs chat, to_chat_inputs(prompt));
  const std::vector<std::string_view> texts = texts_of(chat);
  MarkupGuard guard(impl_->options.markers, texts);
  if (impl_->options.source.empty()) {
    guard_texts(chat, guard);
    RenderedChat rendered;
    INGLE_TRY(rendered.pieces, guard.cut(render_plain(chat.messages, prompt.next)));
    return rendered;
  }
  auto rendered = impl_->render_prompt(chat, guard, prompt, options, detail);
  if (rendered || rendered.error().reason != "prompt_invalid") {
    return rendered;
  }
  // As the template may want it: roles that take turns, short ids.
  ChatInputs repaired = chat;
  std::vector<std::string> warnings;
  if (shorten_call_ids(repaired.messages)) {
    if (auto again = impl_->render_prompt(repaired, guard, prompt, options, detail)) {
      return again;
    }
  }
  if (join_neighbours(repaired.messages)) {
    if (auto again = impl_->render_prompt(repaired, guard, prompt, options, detail)) {
      again->warnings.emplace_back(
          "The model's template wants roles to take turns: neighbouring messages of one role were "
          "joined.");
      return again;
    }
  }
  return rendered;
}

Result<RenderedChat> ChatTemplate::Impl::render_prompt(const ChatInputs& chat, MarkupGuard& guard,
                                                       const Prompt& prompt,
                                                       const GenerationOptions& request,
                                                       SchemaDetail detail) {
  ChatInputs guarded = chat;
  guard_texts(guarded, guard);
  INGLE_TRY(std::string text, render_text(guarded, prompt, request));
  if (options.tokenizer_adds_bos && !options.bos.empty() && text.starts_with(options.bos)) {
    text.erase(0, options.bos.size());
  }
  RenderedChat rendered;
  INGLE_TRY(rendered.pieces, guard.cut(text));
  const bool may_call =
      !prompt.tools.empty() && request.tool_choice.kind != ToolChoice::Kind::kNone;
  if (prompt.next == Role::kAssistant && (may_call || !reads_plain_text)) {
    INGLE_TRY(rendered.syntax, syntax_for(chat, request, detail));
  }
  return rendered;
}

Result<std::string> ChatTemplate::Impl::render_text(const ChatInputs& chat, const Prompt& prompt,
                                                    const GenerationOptions& request) {
  common_chat_templates_inputs inputs = basic_inputs(request);
  inputs.messages = chat.messages;
  inputs.tools = chat.tools;
  // No grammar: what the reply may be is another matter (`syntax_for`).
  inputs.tool_choice = COMMON_CHAT_TOOL_CHOICE_NONE;
  inputs.add_generation_prompt = prompt.next == Role::kAssistant;
  std::string cut_word;
  if (prompt.next == Role::kUser) {
    inputs.enable_thinking = false;
    cut_word = unused_word(texts_of(chat));
    common_chat_msg& message = inputs.messages.emplace_back();
    message.role = to_string(Role::kUser);
    message.content = cut_word;
  }
  std::string text;
  try {
    text = apply(inputs).prompt;
  } catch (const std::exception& exception) {
    return prompt_invalid(std::string("the model's chat template refuses the prompt: ") +
                          exception.what());
  }
  if (cut_word.empty()) {
    return text;
  }
  const std::size_t at = text.find(cut_word);
  if (at == std::string::npos || text.find(cut_word, at + 1) != std::string::npos) {
    return prompt_invalid("the model's chat template does not show the user's words as they are");
  }
  text.resize(at);
  return text;
}

/// The tools that may be called decide the form: all, the named one, or none.
Result<std::shared_ptr<const ReplySyntax>> ChatTemplate::Impl::syntax_for(
    const ChatInputs& chat, const GenerationOptions& request, SchemaDetail detail) {
  common_chat_templates_inputs inputs = basic_inputs(request);
  inputs.messages = chat.messages;
  inputs.tools = detail == SchemaDetail::kFull ? chat.tools : loosened(chat.tools);
  inputs.parallel_tool_calls = request.parallel_tool_calls.value_or(has_parallel_calls);
  switch (request.tool_choice.kind) {
    case ToolChoice::Kind::kAuto:
      inputs.tool_choice = COMMON_CHAT_TOOL_CHOICE_AUTO;
      break;
    case ToolChoice::Kind::kNone:
      inputs.tool_choice = COMMON_CHAT_TOOL_CHOICE_NONE;
      break;
    case ToolChoice::Kind::kNamed:
      std::erase_if(inputs.tools, [&](const common_chat_tool& tool) {
        return tool.name != request.tool_choice.name;
      });
      [[fallthrough]];
    case ToolChoice::Kind::kRequired:
      if (inputs.tools.empty()) {
        return prompt_invalid(request.tool_choice.name.empty()
                                  ? "tool_choice requires a call, and the prompt has no tools"
                                  : "tool_choice names " + request.tool_choice.name +
                                        ", which is no tool of the prompt");
      }
      inputs.tool_choice = COMMON_CHAT_TOOL_CHOICE_REQUIRED;
      break;
  }
  std::vector<std::string> names;
  for (const common_chat_tool& tool : inputs.tools) {
    names.push_back(tool.name);
  }
  try {
    auto syntax = make_syntax(apply(inputs), std::move(names));
    if (is_forced(request)) {
      syntax->grammar.text = without_prose(std::move(syntax->grammar.text));
    }
    return std::make_shared<const ReplySyntax>(std::move(syntax));
  } catch (const std::exception& exception) {
    if (detail == SchemaDetail::kFull && !inputs.tools.empty()) {
      return syntax_for(chat, request, SchemaDetail::kLoose);
    }
    return prompt_invalid(std::string("the form of the reply could not be made from the model's "
                                      "chat template and the tools' schemas: ") +
                          exception.what());
  }
}

}  // namespace ingle
