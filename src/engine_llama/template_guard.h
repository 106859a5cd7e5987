/// Bounds on a chat template from an untrusted file, checked before a parser that recurses sees it.
#pragma once

#include <string_view>

#include "ingle/core/result.h"

namespace ingle {

/// Refuses a Jinja template that is very long, nests deep, or has very long expressions (whose
/// syntax tree is deep). Errors: invalid_argument "chat_template_invalid".
Result<void> check_template_bounds(std::string_view source);

}  // namespace ingle
