/// Where the lines of a conversation come from: a person at a terminal, a pipe, a test.
///
/// The real ones are in apps/ingle; how lines become messages is cli/chat_input.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ingle::cli {

/// How a read ended.
enum class LineEnd : std::uint8_t {
  kLine,        ///< A line was entered.
  kEnd,         ///< There will be no more: Ctrl-D on an empty line, or the end of a pipe.
  kInterrupt,   ///< Ctrl-C.
  kTerminated,  ///< The process is to end (SIGTERM).
};

struct Line {
  LineEnd end = LineEnd::kLine;
  /// Without its line feed. It has line feeds inside where several lines were pasted or entered as
  /// one. kInterrupt: what was dropped.
  std::string text = {};
};

struct LineRequest {
  std::string prompt = {};  ///< One line of text; shown on a terminal alone.
  /// The answer decides something: what was typed before the question was there does not count.
  bool is_decision = false;
};

/// Used from one thread.
class LineReader {
 public:
  virtual ~LineReader() = default;

  /// Blocks until there is a line or another end.
  virtual Line read(const LineRequest& request) = 0;

  /// `text` can be brought back with the arrow keys from now on.
  virtual void remember(std::string_view text) = 0;

  /// A person edits lines: prompts are shown, and what they enter is worth remembering.
  [[nodiscard]] virtual bool is_interactive() const = 0;

  /// Columns of the terminal at present; 80 when there is none.
  [[nodiscard]] virtual std::size_t width() const = 0;
};

}  // namespace ingle::cli
