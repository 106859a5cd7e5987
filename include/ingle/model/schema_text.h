/// A schema as text in the order that matters to a model.
#pragma once

#include <string>
#include <vector>

#include "ingle/core/json.h"
#include "ingle/model/generation.h"

namespace ingle {

/// `schema` as compact JSON whose "properties" - at every level - stand in the order of "required",
/// then the others by name. Constrained decoding writes keys in this order, and small models do
/// best when what is required comes first.
[[nodiscard]] std::string schema_text(const Json& schema);

/// Names of the top-level properties, in the same order.
[[nodiscard]] std::vector<std::string> parameter_names(const Json& schema);

/// {"name", "description", "parameters"} in this order: a tool as a prompt shows it.
[[nodiscard]] std::string tool_text(const ToolSpec& tool);

}  // namespace ingle
