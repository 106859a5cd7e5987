/// The one interface to a language model, in this process or elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/call.h"
#include "ingle/core/result.h"
#include "ingle/model/generation.h"

namespace ingle {

/// How the model is told of tools, and how its calls come back.
enum class ToolProtocol : std::uint8_t {
  kNone,      ///< Not at all: a prompt with tools is refused ("tools_unsupported").
  kPrompted,  ///< In the prompt, by our own protocol (model/prompted_tools.h).
  kNative,    ///< By the model's own template or the server's API.
};

[[nodiscard]] std::string_view to_string(ToolProtocol protocol);

/// What a model is and can do.
struct ModelInfo {
  std::string name = {};          ///< For people and logs.
  std::string engine = {};        ///< "llama", "scripted", ...
  std::string fingerprint = {};   ///< Identity of the weights ("sha256:..."), or empty.
  TokenCount context_window = 0;  ///< Tokens; 0 when unknown.
  std::int64_t parameters = 0;    ///< Number of weights; 0 when unknown.
  ToolProtocol tool_protocol = ToolProtocol::kNone;
  std::vector<ConstraintKind> constraints =
      {};                  ///< Kinds that `GenerationOptions::constraint` may have.
  bool can_score = false;  ///< `score` works.
  std::vector<GenerationOption> options = {};  ///< Honoured; others come back as a warning.

  [[nodiscard]] bool supports(ConstraintKind kind) const;
};

/// Log-likelihoods (natural logarithm, summed over a text's tokens) and what they cost.
struct Scores {
  std::vector<double> log_likelihoods = {};  ///< [continuations], in their order.
  Usage usage = {};
};

/// Thread-safe: calls from several threads are served one after another or together, as the engine
/// can. All blocking calls obey `Call`: they return within one micro-batch of a stop request.
class LanguageModel {
 public:
  virtual ~LanguageModel() = default;

  [[nodiscard]] virtual ModelInfo info() const = 0;

  /// One reply. Blocks. Deltas go to `sink` on an unspecified thread, never after the return.
  /// Cancelled before anything was produced or later: a Completion with kCancelled and the partial
  /// text.
  ///
  /// Errors (the model is usable afterwards): invalid_argument "option_out_of_range",
  /// "prompt_invalid", "constraint_invalid"; unsupported "tools_unsupported",
  /// "constraint_unsupported"; resource_exhausted "context_length_exceeded" (details:
  /// prompt_tokens, context_window); unavailable, internal: the engine's.
  virtual Result<Completion> generate(const Call& call, const Prompt& prompt,
                                      const GenerationOptions& options, DeltaSink& sink) = 0;

  /// Exact size of the rendered prompt, template and tools included.
  /// Errors: as `generate`; unsupported "count_unsupported".
  virtual Result<TokenCount> count_tokens(const Prompt& prompt) = 0;

  /// How likely each text is as what comes next in `prompt` (as the role `prompt.next`).
  /// Errors: as `generate`; unsupported "score_unsupported"; cancelled, deadline_exceeded.
  virtual Result<Scores> score(const Call& call, const Prompt& prompt,
                               std::span<const std::string> continuations) = 0;

  /// How likely `text` is as what comes next in each of `prompts`: [prompts], in their order.
  /// Unless an engine can do better, `score` for one prompt after the other. Errors: as `score`.
  virtual Result<Scores> score_behind_each(const Call& call, std::span<const Prompt> prompts,
                                           const std::string& text);
};

}  // namespace ingle
