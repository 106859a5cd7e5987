/// Lines on standard error: what is being done, and what went wrong.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "ingle/cli/cli.h"
#include "ingle/core/error.h"

namespace ingle::cli {

enum class NoteKind : std::uint8_t { kActivity, kWarning, kError };

/// Every text becomes one line, safe on a terminal. Colour and progress only where `is_lively`.
class Notes {
 public:
  Notes(std::ostream& err, bool is_lively, bool is_verbose = false)
      : err_(err), is_lively_(is_lively), is_verbose_(is_verbose) {}

  void write(NoteKind kind, std::string_view text);

  /// "ingle: TEXT": why the command could not do what it was asked.
  void error(std::string_view text) { write(NoteKind::kError, "ingle: " + std::string(text)); }

  /// The same with an error's message. Where it is verbose, with all that is known of it, and of
  /// what caused it.
  void error(const Error& error);

  /// Overwrites one line until something else is written; nothing where it is not lively.
  void progress(std::string_view what, float fraction);

 private:
  void end_progress();

  std::ostream& err_;
  const bool is_lively_;
  const bool is_verbose_;
  int shown_percent_ = -1;  ///< Of the progress line on the screen; -1: there is none.
};

/// A terminal, and NO_COLOR is not set.
[[nodiscard]] bool is_lively(const Streams& streams, const Environment& environment);

[[nodiscard]] Notes make_notes(const Streams& streams, const Environment& environment);

}  // namespace ingle::cli
