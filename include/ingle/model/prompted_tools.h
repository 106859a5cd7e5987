/// Tools for models whose template knows none: our prompt, our call envelope, constrained decoding.
///
/// Start with `with_prompted_tools`. The protocol and the measurements behind it:
/// docs/prompted-tools.md.
#pragma once

#include <memory>

#include "ingle/model/language_model.h"
#include "ingle/model/model_inspector.h"

namespace ingle {

/// Who decides which tool is called.
enum class ToolSelection : std::uint8_t {
  kAutomatic,  ///< kChannel for a model that can score and has under a billion weights; else
               ///< kModel.
  kModel,      ///< The model: it may answer in prose or write a call; one constraint covers both.
  kChannel,    ///< The tool under which the question is most likely (noisy channel); then the
               ///< arguments are written for that tool alone.
};

struct PromptedToolsOptions {
  ToolSelection selection = ToolSelection::kAutomatic;
  TokenCount max_argument_tokens = 256;  ///< Bound on the arguments of one call.
};

/// A model that takes tools, made of one that takes constraints (kJsonSchema and kLark).
///
/// A call in a reply always names a tool of the prompt and has arguments of the shape that its
/// schema describes, as far as the schema can be compiled (else a warning says what is left to
/// validation). A call that repeats, word for word, one that was already answered in the same turn
/// is not made: the model is asked for its answer without tools instead. Requests without tools
/// pass through unchanged. Thread-safe as the inner model is.
[[nodiscard]] std::shared_ptr<LanguageModel> with_prompted_tools(
    std::shared_ptr<LanguageModel> inner, const PromptedToolsOptions& options = {});

/// The same for looking: shows what such a model is shown. With kAutomatic, as for a small model.
[[nodiscard]] std::unique_ptr<ModelInspector> with_prompted_tools(
    std::unique_ptr<ModelInspector> inner, const PromptedToolsOptions& options = {});

}  // namespace ingle
