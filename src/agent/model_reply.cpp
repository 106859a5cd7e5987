#include "agent/model_reply.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "ingle/core/utf8.h"

namespace ingle {
namespace {

Error model_failed(const std::string& what) {
  return {.code = ErrorCode::kInternal,
          .reason = "model_failed",
          .message = "the model threw" + what,
          .details = {}};
}

Result<Completion> generate(LanguageModel& model, const Call& call, const Prompt& prompt,
                            const GenerationOptions& options, DeltaSink& sink) {
  try {
    return model.generate(call, prompt, options, sink);
  } catch (const std::exception& exception) {
    return model_failed(std::string(": ") + exception.what());
  } catch (...) {
    return model_failed("");
  }
}

void make_storable(ToolCall& call) {
  // Before ids are made unique: two that differ in bytes that are not UTF-8 are one in the log.
  if (!is_valid_utf8(call.id.str())) {
    call.id = CallId(sanitize_utf8(call.id.str()));
  }
  if (json_depth(call.arguments) > kMaxArgumentsDepth) {
    if (call.raw_arguments.empty()) {
      call.raw_arguments = call.arguments.dump();
    }
    call.arguments = {};
  }
}

}  // namespace

Result<Completion> ask_model(LanguageModel& model, const Call& call, const Prompt& prompt,
                             const GenerationOptions& options, DeltaSink& sink) {
  Result<Completion> completion = generate(model, call, prompt, options, sink);
  if (!completion) {
    const Error& error = completion.error();
    if (json_depth(error.details) <= kMaxArgumentsDepth) {
      return completion;
    }
    return Error{
        .code = error.code, .reason = error.reason, .message = error.message, .details = {}};
  }
  std::ranges::for_each(completion->message.tool_calls, make_storable);
  Usage& usage = completion->usage;
  for (TokenCount* count : {&usage.prompt_tokens, &usage.cached_tokens, &usage.completion_tokens}) {
    *count = std::max<TokenCount>(*count, 0);
  }
  return completion;
}

}  // namespace ingle
