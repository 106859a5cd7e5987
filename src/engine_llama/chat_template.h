/// Renders a prompt as the text that a model was trained on.
#pragma once

#include <memory>
#include <string>

#include "ingle/core/result.h"
#include "ingle/model/generation.h"

namespace ingle {

struct ChatTemplateOptions {
  std::string source = {};          ///< The model's Jinja template; empty: plain text.
  std::string bos = {};             ///< Text of the token that begins a sequence, or empty.
  std::string eos = {};             ///< Text of the token that ends one, or empty.
  bool tokenizer_adds_bos = false;  ///< Then the template's own is left out, so that there is one.
};

/// Thread-safe.
///
/// A model without a template gets plain text: each message as "role: text" on a line of its own,
/// then the role that speaks next and a colon.
class ChatTemplate {
 public:
  /// Errors: invalid_argument "chat_template_invalid" (with the template engine's words).
  static Result<ChatTemplate> create(const ChatTemplateOptions& options);

  ~ChatTemplate();
  ChatTemplate(ChatTemplate&&) noexcept;
  ChatTemplate& operator=(ChatTemplate&&) noexcept;

  /// The prompt's text up to where the role `prompt.next` (kAssistant or kUser) starts to speak.
  /// Texts are sanitised to UTF-8; reasoning is left out.
  ///
  /// Errors: invalid_argument "prompt_invalid" (no message, another next role, the template refuses
  /// it); unsupported "tools_unsupported" (tools, tool calls or tool results).
  [[nodiscard]] Result<std::string> render(const Prompt& prompt) const;

 private:
  struct Impl;
  explicit ChatTemplate(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ingle
