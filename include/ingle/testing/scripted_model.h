/// A model that says what a script tells it: agents are tested without weights.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/result.h"
#include "ingle/core/sync.h"
#include "ingle/model/language_model.h"

namespace ingle::testing {

/// One reply. Exactly one of `error` and the rest is used.
struct ScriptedReply {
  std::vector<std::string> pieces = {};   ///< Streamed one by one; together they are the text.
  std::string reasoning = {};             ///< Streamed first, as one piece.
  std::vector<ToolCall> tool_calls = {};  ///< Streamed after the text.
  std::optional<FinishReason> finish_reason = {};  ///< Default: kToolCalls with calls, else kStop.
  /// Default: 1 token per piece and call; the words of the prompt.
  std::optional<Usage> usage = {};
  std::int64_t delay_ms = 0;  ///< Before each piece, call and error; a stop request ends it.
  std::optional<Error> error = {};
};

/// Parses a script: JSON lines, one reply each; blank lines and '#' lines are skipped.
///
///     {"text"} | {"pieces": [..]} | {"tool_calls": [{"name", "arguments", "id"?}]}
///     {"error": {"code", "reason"?, "message"?}}
///
/// All with optional "delay_ms"; replies also with "reasoning", "finish_reason" and "usage". Text
/// and calls may stand together; "arguments" may be text that is not JSON, to play a model that
/// writes nonsense.
/// Errors: invalid_argument "script_invalid" with the line number and what is wrong with it.
Result<std::vector<ScriptedReply>> parse_script(std::string_view text);

/// Plays replies in order; each `generate` takes one, cancelled ones included. `max_tokens` counts
/// pieces and calls; what is over it is cut. Thread-safe.
class ScriptedModel final : public LanguageModel {
 public:
  explicit ScriptedModel(std::vector<ScriptedReply> replies);

  /// Reads and parses a file. Errors: not_found "script_not_found", and `parse_script`'s.
  static Result<std::shared_ptr<ScriptedModel>> load(const std::filesystem::path& path);

  /// Skips the first `count` replies: to go on with a session that another process has begun.
  void skip(std::size_t count);

  /// Tools "native", no constraints, a context window of 8192.
  [[nodiscard]] ModelInfo info() const override;

  /// Errors: those of the script; failed_precondition "script_exhausted" when it has no more lines;
  /// invalid_argument "option_out_of_range" and unsupported "constraint_unsupported", which take no
  /// reply.
  Result<Completion> generate(const Call& call, const Prompt& prompt,
                              const GenerationOptions& options, DeltaSink& sink) override;
  /// Words of the prompt: a stand-in for tokens.
  Result<TokenCount> count_tokens(const Prompt& prompt) override;
  /// unsupported "score_unsupported".
  Result<Scores> score(const Call& call, const Prompt& prompt,
                       std::span<const std::string> continuations) override;

  /// Every prompt so far, in order.
  [[nodiscard]] std::vector<Prompt> prompts() const;

 private:
  const std::vector<ScriptedReply> replies_;
  mutable Mutex mutex_;
  std::size_t next_ INGLE_GUARDED_BY(mutex_) = 0;
  std::vector<Prompt> prompts_ INGLE_GUARDED_BY(mutex_);
};

}  // namespace ingle::testing
