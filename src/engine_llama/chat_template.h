/// Renders a prompt as the text that a model was trained on, with the form that its reply will
/// have.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine_llama/markup_guard.h"
#include "engine_llama/reply_syntax.h"
#include "ingle/core/result.h"
#include "ingle/model/generation.h"

namespace ingle {

struct ChatTemplateOptions {
  std::string source = {};          ///< The model's Jinja template; empty: plain text.
  std::string bos = {};             ///< Text of the token that begins a sequence, or empty.
  std::string eos = {};             ///< Text of the token that ends one, or empty.
  bool tokenizer_adds_bos = false;  ///< Then the template's own is left out, so that there is one.
  MarkerSet markers = {};           ///< What in the words of others is kept from being a marker.
};

/// A prompt, and how the reply to it is read.
struct RenderedChat {
  /// The prompt's text, cut where words of others would join to a marker (markup_guard.h).
  std::vector<std::string> pieces = {};
  std::shared_ptr<const ReplySyntax> syntax = {};  ///< Null when the reply is text and no more.
  std::vector<std::string> warnings = {};          ///< What the template made necessary.

  /// The pieces joined: what a person is shown.
  [[nodiscard]] std::string text() const;
};

/// How much of the tools' schemas goes into the grammar of calls. What a grammar leaves out is
/// found when the arguments are checked.
enum class SchemaDetail : std::uint8_t {
  kFull,
  kLoose,  ///< Names, types and choices; no bounds and patterns, whose grammars may be too large.
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

  /// The template shows tools to the model, and llama.cpp knows how the model writes calls.
  [[nodiscard]] bool has_native_tools() const;
  /// The model has thoughts that can be told from its answer.
  [[nodiscard]] bool can_think() const;

  /// The prompt up to where the role `prompt.next` (kAssistant or kUser) starts to speak. Texts are
  /// sanitised to UTF-8. Of `options`, tool_choice, parallel_tool_calls, thinking and constraint
  /// count.
  ///
  /// Where the template refuses the messages, it is tried with neighbouring messages of one role
  /// joined and with ids of calls that it likes; a warning says so.
  ///
  /// Errors: invalid_argument "prompt_invalid" (no message, another next role, the template refuses
  /// it, tool_choice names no tool of the prompt); unsupported "tools_unsupported" (tools, tool
  /// calls or tool results, and the template has no native tools).
  [[nodiscard]] Result<RenderedChat> render(const Prompt& prompt,
                                            const GenerationOptions& options = {},
                                            SchemaDetail detail = SchemaDetail::kFull) const;

 private:
  struct Impl;
  explicit ChatTemplate(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ingle
