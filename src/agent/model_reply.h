/// A model's reply, brought into a form that the log can take.
#pragma once

#include <cstddef>

#include "ingle/core/call.h"
#include "ingle/core/json.h"
#include "ingle/model/language_model.h"

namespace ingle {

/// Nesting that the arguments of a call may have: the same whether a model gives them as text,
/// which is parsed, or as a value.
inline constexpr std::size_t kMaxArgumentsDepth = JsonLimits{}.max_depth;

/// Asks the model. What it throws becomes internal "model_failed". In the reply, arguments that are
/// nested too deep are text only (the tool set refuses them, and tells the model why), ids of calls
/// are valid UTF-8, and no number of tokens is negative.
Result<Completion> ask_model(LanguageModel& model, const Call& call, const Prompt& prompt,
                             const GenerationOptions& options, DeltaSink& sink);

}  // namespace ingle
