#include "engine_llama/chat_template.h"

#include <chat.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "engine_llama/template_guard.h"
#include "ingle/core/sync.h"
#include "ingle/core/utf8.h"

namespace ingle {
namespace {

Error template_invalid(const std::string& why) {
  return {ErrorCode::kInvalidArgument,
          "chat_template_invalid",
          "the model's chat template cannot be used: " + why,
          {}};
}

Error prompt_invalid(const std::string& why) {
  return {ErrorCode::kInvalidArgument, "prompt_invalid", why, {}};
}

Result<void> check_prompt(const Prompt& prompt) {
  if (prompt.next != Role::kAssistant && prompt.next != Role::kUser) {
    return prompt_invalid("only the assistant or the user can speak next");
  }
  if (prompt.messages.empty() && prompt.next == Role::kAssistant) {
    return prompt_invalid("the prompt has no messages");
  }
  const bool has_tools =
      !prompt.tools.empty() ||
      std::any_of(prompt.messages.begin(), prompt.messages.end(), [](const Message& message) {
        return message.role == Role::kTool || !message.tool_calls.empty();
      });
  if (has_tools) {
    return Error{ErrorCode::kUnsupported,
                 "tools_unsupported",
                 "this model cannot be told of tools directly; wrap it by with_prompted_tools",
                 {}};
  }
  return {};
}

/// A word that no message holds.
std::string unused_word(const std::vector<common_chat_msg>& messages) {
  for (unsigned number = 0;; ++number) {
    std::string word = "IngleCut" + std::to_string(number) + "Here";
    if (std::none_of(messages.begin(), messages.end(), [&word](const common_chat_msg& message) {
          return message.content.find(word) != std::string::npos;
        })) {
      return word;
    }
  }
}

std::vector<common_chat_msg> to_common(const std::vector<Message>& messages) {
  std::vector<common_chat_msg> result;
  result.reserve(messages.size());
  for (const Message& message : messages) {
    common_chat_msg& out = result.emplace_back();
    out.role = to_string(message.role);
    out.content = sanitize_utf8(message.text());
  }
  return result;
}

std::string render_plain(const std::vector<common_chat_msg>& messages, Role next) {
  std::string text;
  for (const common_chat_msg& message : messages) {
    text += message.role + ": " + message.content + "\n";
  }
  return text + std::string(to_string(next)) + ":";
}

}  // namespace

struct ChatTemplate::Impl {
  ChatTemplateOptions options;
  Mutex mutex;  ///< `common` does not promise that applying is thread-safe.
  common_chat_templates_ptr templates INGLE_GUARDED_BY(mutex);

  std::string apply(const common_chat_templates_inputs& inputs) {
    MutexLock lock(mutex);
    return common_chat_templates_apply(templates.get(), inputs).prompt;
  }
};

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
  return ChatTemplate(std::move(impl));
}

Result<std::string> ChatTemplate::render(const Prompt& prompt) const {
  INGLE_RETURN_IF_ERROR(check_prompt(prompt));
  common_chat_templates_inputs inputs;
  inputs.messages = to_common(prompt.messages);
  if (impl_->options.source.empty()) {
    return render_plain(inputs.messages, prompt.next);
  }
  inputs.add_generation_prompt = prompt.next == Role::kAssistant;
  inputs.enable_thinking = false;    // thoughts are not told apart from the reply yet
  inputs.force_pure_content = true;  // the prompt only: no analysis of tool syntax
  std::string cut_word;
  if (prompt.next == Role::kUser) {
    cut_word = unused_word(inputs.messages);
    common_chat_msg& message = inputs.messages.emplace_back();
    message.role = to_string(Role::kUser);
    message.content = cut_word;
  }
  std::string text;
  try {
    text = impl_->apply(inputs);
  } catch (const std::exception& exception) {
    return prompt_invalid(std::string("the model's chat template refuses the prompt: ") +
                          exception.what());
  }
  if (!cut_word.empty()) {
    const std::size_t at = text.find(cut_word);
    if (at == std::string::npos || text.find(cut_word, at + 1) != std::string::npos) {
      return prompt_invalid("the model's chat template does not show the user's words as they are");
    }
    text.resize(at);
  }
  const std::string& bos = impl_->options.bos;
  if (impl_->options.tokenizer_adds_bos && !bos.empty() && text.starts_with(bos)) {
    text.erase(0, bos.size());
  }
  return text;
}

}  // namespace ingle
