/// Looks into a model without running it: how it cuts text into tokens, and what it is shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/result.h"
#include "ingle/model/generation.h"
#include "ingle/model/language_model.h"

namespace ingle {

/// A token of a text.
struct TokenText {
  Token id = 0;
  std::string text = {};    ///< As it stands in a prompt; bytes, maybe a part of a character.
  bool is_control = false;  ///< A marker of the template, no words.
  bool operator==(const TokenText&) const = default;
};

/// One of the prompts that a request is made into.
struct ShownPrompt {
  std::string title = {};  ///< What it is for: "reply", "arguments of read_file", ...
  std::string text = {};   ///< UTF-8, markers of the template included.
  TokenCount tokens = 0;
};

/// Whose text it is.
enum class TextKind : std::uint8_t {
  kWords,   ///< Somebody's words: nothing in it is a marker, nothing is added.
  kPrompt,  ///< A rendered prompt: markers count as such, and what begins a sequence is added.
};

/// Thread-safe.
class ModelInspector {
 public:
  virtual ~ModelInspector() = default;

  /// `context_window` is the one that the model was made for.
  [[nodiscard]] virtual ModelInfo info() const = 0;

  /// Errors: invalid_argument "prompt_invalid".
  virtual Result<std::vector<TokenText>> tokenize(std::string_view text, TextKind kind) = 0;

  /// The prompts of `LanguageModel::generate`, in the order in which they are used: one, or with
  /// prompted tools several. What depends on earlier replies is left out.
  /// Errors: as `LanguageModel::generate`.
  virtual Result<std::vector<ShownPrompt>> show(const Prompt& prompt,
                                                const GenerationOptions& options) = 0;
};

}  // namespace ingle
