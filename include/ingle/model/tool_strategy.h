/// How a model that is weak at tools is led: whether any tool fits, which, with what arguments.
#pragma once

#include <cstdint>

#include "ingle/model/generation.h"

namespace ingle {

/// Who decides which tool is called.
enum class ToolSelection : std::uint8_t {
  kAutomatic,  ///< kChannel for a model that can score and has under a billion weights; else
               ///< kModel.
  kModel,      ///< The model: it may answer in prose or write a call; one constraint covers both.
  kChannel,  ///< The harness, by what follows; then the arguments are written for that tool alone.
};

/// The decisions of kChannel, and their measured defaults (docs/prompted-tools.md, with what other
/// values would do). Weights are in nats, the unit of the log-likelihoods to which they are added.
struct ToolStrategy {
  ToolSelection selection = ToolSelection::kAutomatic;

  // Which tool? The one under which the question is most likely, with a little for shared words.
  double shared_words_weight = 4;    ///< Times the share of the question's words that the tool has.
  double missing_number_choice = 4;  ///< Off, for each number that the tool needs and nobody gave.

  /// Of more tools than this only those that know most of the question's words are scored, so that
  /// a choice among many costs little. 0: all of them.
  std::int32_t max_scored_tools = 6;

  // Does it fit? The evidence is how much likelier the question is under it than under no tool,
  // plus:
  double name_weight = 30;            ///< Times the share of the words of its name that were said.
  double description_weight = 20;     ///< Times the same for its description.
  double missing_number_weight = 16;  ///< Off, for each number that it needs and nobody gave.
  double threshold = 3;               ///< It is called when the evidence is greater.

  // With what arguments?
  /// Beside what is required, optional parameters that the question speaks of are written, and an
  /// enum is limited to those of its values that were said. Else only what is required is written.
  bool fills_said_parameters = true;
  /// Free text is limited to runs of the question's words at the first attempt; else written
  /// freely.
  bool copies_arguments = true;
  TokenCount max_argument_tokens = 256;  ///< Bound on the arguments of one call.
  std::int32_t max_attempts = 2;         ///< Failed calls of one tool in a turn; then it is left.

  bool operator==(const ToolStrategy&) const = default;
};

}  // namespace ingle
