/// Tools for models whose template knows none: our prompt, our call envelope, constrained decoding.
///
/// Start with `with_prompted_tools`. The protocol and the measurements behind it:
/// docs/prompted-tools.md.
#pragma once

#include <memory>

#include "ingle/model/language_model.h"
#include "ingle/model/model_inspector.h"
#include "ingle/model/tool_strategy.h"

namespace ingle {

/// A model that takes tools, made of one that takes constraints (kJsonSchema and kLark).
///
/// A call in a reply always names a tool of the prompt and has arguments of the shape that its
/// schema describes, as far as the schema can be compiled (else a warning says what is left to
/// validation). A call that repeats, word for word, one that was already answered in the same turn
/// is not made: the model is asked for its answer without tools instead. Requests without tools
/// pass through unchanged. A model with native tools is given back as it is, unless the strategy
/// says how to select. Thread-safe as the inner model is.
[[nodiscard]] std::shared_ptr<LanguageModel> with_prompted_tools(
    std::shared_ptr<LanguageModel> inner, const ToolStrategy& strategy = {});

/// The same for looking: shows what such a model is shown. With kAutomatic, as for a small model.
[[nodiscard]] std::unique_ptr<ModelInspector> with_prompted_tools(
    std::unique_ptr<ModelInspector> inner, const ToolStrategy& strategy = {});

}  // namespace ingle
