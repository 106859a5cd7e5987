/// What a chat asks a person, and how it takes the answer: by an explicit decision only.
#pragma once

#include <optional>
#include <string>

#include "cli/report/notes.h"
#include "ingle/agent/run.h"
#include "ingle/cli/line_reader.h"

namespace ingle::cli {

/// What came of a question.
struct Decision {
  std::optional<InterruptAnswer> answer = {};  ///< None: it is left open.
  LineEnd end = LineEnd::kLine;                ///< Why it was left, where nobody said so.
};

/// Asks until there is y (approve), n (reject, and why), r (respond) or l (leave); a shows all of
/// the arguments of `call`, which the question is about and whose card stands above it. An empty
/// line decides nothing; whatever ends the reading leaves the question open.
[[nodiscard]] Decision ask_person(LineReader& lines, Notes& notes, const InterruptRaised& question,
                                  const ToolCall& call);

/// Asks until there is y or n. Whatever ends the reading means no.
[[nodiscard]] bool ask_yes_or_no(LineReader& lines, Notes& notes, const std::string& question);

}  // namespace ingle::cli
