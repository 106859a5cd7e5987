#include "ingle/model/generation.h"

#include <algorithm>
#include <utility>

#include "ingle/core/utf8.h"

namespace ingle {
namespace {

Error out_of_range(std::string_view option, std::string_view range) {
  return {ErrorCode::kInvalidArgument,
          "option_out_of_range",
          "the option " + std::string(option) + " must be " + std::string(range),
          {}};
}

}  // namespace

Result<void> check_options(const GenerationOptions& options) {
  // Written so that NaN, which compares false with everything, is refused.
  if (options.temperature && !(*options.temperature >= 0.0 && *options.temperature <= 2.0)) {
    return out_of_range("temperature", "from 0 to 2");
  }
  if (options.top_k && *options.top_k < 1) {
    return out_of_range("top_k", "at least 1");
  }
  if (options.top_p && !(*options.top_p > 0.0 && *options.top_p <= 1.0)) {
    return out_of_range("top_p", "greater than 0 and at most 1");
  }
  if (options.min_p && !(*options.min_p >= 0.0 && *options.min_p <= 1.0)) {
    return out_of_range("min_p", "from 0 to 1");
  }
  if (options.max_tokens && *options.max_tokens < 1) {
    return out_of_range("max_tokens", "at least 1");
  }
  if (std::any_of(options.stop.begin(), options.stop.end(),
                  [](const std::string& text) { return text.empty() || !is_valid_utf8(text); })) {
    return out_of_range("stop", "a list of UTF-8 strings, none of them empty");
  }
  if (options.tool_choice.kind == ToolChoice::Kind::kNamed && options.tool_choice.name.empty()) {
    return out_of_range("tool_choice", "given a tool's name when its kind is kNamed");
  }
  return {};
}

Usage& Usage::operator+=(const Usage& other) {
  prompt_tokens += other.prompt_tokens;
  cached_tokens += other.cached_tokens;
  completion_tokens += other.completion_tokens;
  return *this;
}

std::string_view to_string(FinishReason reason) {
  switch (reason) {
    case FinishReason::kStop:
      return "stop";
    case FinishReason::kToolCalls:
      return "tool_calls";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kCancelled:
      return "cancelled";
  }
  return "";
}

std::optional<FinishReason> finish_reason_from(std::string_view name) {
  for (const FinishReason reason : {FinishReason::kStop, FinishReason::kToolCalls,
                                    FinishReason::kLength, FinishReason::kCancelled}) {
    if (to_string(reason) == name) {
      return reason;
    }
  }
  return std::nullopt;
}

}  // namespace ingle
