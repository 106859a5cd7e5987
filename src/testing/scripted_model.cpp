#include "ingle/testing/scripted_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace ingle::testing {
namespace {

constexpr TokenCount kContextWindow = 8192;

/// Waits `delay_ms`, or until `call` says stop. False: it does.
bool wait(const Call& call, std::int64_t delay_ms) {
  if (delay_ms > 0) {
    const Deadline until =
        Deadline::after(std::chrono::milliseconds(delay_ms)).narrowed(call.deadline);
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    // Nothing but the stop request or the time ends it.
    stopped.wait_until(lock, call.stop, until.at(), [] { return false; });
  }
  return !call.should_stop();
}

TokenCount count_words(std::string_view text) {
  TokenCount words = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    words += !is_space && !in_word ? 1 : 0;
    in_word = !is_space;
  }
  return words;
}

TokenCount count_words(const Prompt& prompt) {
  TokenCount words = 0;
  for (const Message& message : prompt.messages) {
    words += count_words(message.text()) + count_words(message.reasoning());
    for (const ToolCall& call : message.tool_calls) {
      words += count_words(call.name) + count_words(call.arguments.dump());
    }
  }
  for (const ToolSpec& tool : prompt.tools) {
    words += count_words(tool.name) + count_words(tool.description) +
             count_words(tool.parameters.dump());
  }
  return words;
}

/// One reply on its way out.
class Playback {
 public:
  Playback(const Call& call, const GenerationOptions& options, DeltaSink& sink)
      : call_(call),
        max_tokens_(options.max_tokens.value_or(std::numeric_limits<TokenCount>::max())),
        sink_(sink) {
    completion_.message.role = Role::kAssistant;
  }

  Completion play(const ScriptedReply& reply) {
    completion_.finish_reason = play_parts(reply);
    return std::move(completion_);
  }

 private:
  FinishReason play_parts(const ScriptedReply& reply) {
    if (call_.should_stop()) {
      return FinishReason::kCancelled;
    }
    if (!reply.reasoning.empty()) {
      completion_.message.content.emplace_back(ReasoningPart{reply.reasoning});
      sink_.on_delta(ReasoningDelta{reply.reasoning});
    }
    std::string text;
    std::optional<FinishReason> end;
    for (std::size_t i = 0; i < reply.pieces.size() && !end; ++i) {
      if (end = before_token(reply.delay_ms); !end) {
        text += reply.pieces[i];
        sink_.on_delta(TextDelta{reply.pieces[i]});
      }
    }
    if (!text.empty()) {
      completion_.message.content.emplace_back(TextPart{std::move(text)});
    }
    for (std::size_t i = 0; i < reply.tool_calls.size() && !end; ++i) {
      if (end = before_token(reply.delay_ms); !end) {
        play_call(reply.tool_calls[i], static_cast<std::int32_t>(i));
      }
    }
    if (end) {
      return *end;
    }
    return reply.finish_reason.value_or(reply.tool_calls.empty() ? FinishReason::kStop
                                                                 : FinishReason::kToolCalls);
  }

  void play_call(const ToolCall& call, std::int32_t index) {
    sink_.on_delta(ToolCallDelta{index, call.id, call.name, ""});
    const std::string raw = call.arguments_text();
    if (!raw.empty()) {
      sink_.on_delta(ToolCallDelta{index, {}, "", raw});
    }
    completion_.message.tool_calls.push_back(call);
  }

  /// Takes one token out of the budget after the delay; a reason when the reply ends here.
  std::optional<FinishReason> before_token(std::int64_t delay_ms) {
    if (completion_.usage.completion_tokens >= max_tokens_) {
      return FinishReason::kLength;
    }
    if (!wait(call_, delay_ms)) {
      return FinishReason::kCancelled;
    }
    ++completion_.usage.completion_tokens;
    return std::nullopt;
  }

  const Call& call_;
  const TokenCount max_tokens_;
  DeltaSink& sink_;
  Completion completion_;
};

}  // namespace

ScriptedModel::ScriptedModel(std::vector<ScriptedReply> replies) : replies_(std::move(replies)) {}

Result<std::shared_ptr<ScriptedModel>> ScriptedModel::load(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> block{};
  // By read(), which reports a failure (a folder, say) in the state of the stream and never throws.
  while (file.read(block.data(), block.size()) || file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad()) {
    return Error{ErrorCode::kNotFound,
                 "script_not_found",
                 fmt::format("cannot read the script {}", path.string()),
                 {}};
  }
  INGLE_TRY(auto replies, parse_script(text));
  return std::make_shared<ScriptedModel>(std::move(replies));
}

void ScriptedModel::skip(std::size_t count) {
  const MutexLock lock(mutex_);
  next_ += std::min(count, replies_.size() - next_);
}

ModelInfo ScriptedModel::info() const {
  ModelInfo info;
  info.name = "scripted";
  info.engine = "scripted";
  info.context_window = kContextWindow;
  info.tool_protocol = ToolProtocol::kNative;
  return info;
}

Result<Completion> ScriptedModel::generate(const Call& call, const Prompt& prompt,
                                           const GenerationOptions& options, DeltaSink& sink) {
  INGLE_RETURN_IF_ERROR(check_options(options));
  if (options.constraint) {
    return Error{ErrorCode::kUnsupported,
                 "constraint_unsupported",
                 "a scripted model says what its script tells it, whatever the constraint",
                 {}};
  }
  const ScriptedReply* reply = nullptr;
  {
    const MutexLock lock(mutex_);
    prompts_.push_back(prompt);
    if (next_ == replies_.size()) {
      return Error{ErrorCode::kFailedPrecondition, "script_exhausted",
                   fmt::format("the script has no more than {} replies", replies_.size()),
                   json{{"replies", replies_.size()}}};
    }
    reply = &replies_[next_++];
  }
  if (reply->error && wait(call, reply->delay_ms)) {
    return *reply->error;
  }
  Completion completion = Playback(call, options, sink).play(*reply);
  completion.usage.prompt_tokens = count_words(prompt);
  completion.usage = reply->usage.value_or(completion.usage);
  completion.warnings = ignored_option_warnings(options, info().options);
  return completion;
}

Result<TokenCount> ScriptedModel::count_tokens(const Prompt& prompt) { return count_words(prompt); }

Result<Scores> ScriptedModel::score(const Call&, const Prompt&, std::span<const std::string>) {
  return Error{ErrorCode::kUnsupported, "score_unsupported", "a scripted model cannot score", {}};
}

std::vector<Prompt> ScriptedModel::prompts() const {
  const MutexLock lock(mutex_);
  return prompts_;
}

}  // namespace ingle::testing
