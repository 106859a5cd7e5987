/// Bytes of standard input, and the signals that end the wait for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ingle/cli/line_reader.h"
#include "ingle/signals.h"

namespace ingle::app {

/// Used from one thread.
class LineInput final {
 public:
  explicit LineInput(Signals& signals) : signals_(signals) {}

  /// Waits for a byte. kLine: `byte` is there; else why there is none.
  cli::LineEnd read_byte(unsigned char& byte);

  /// Forgets what has been typed and not been read.
  void discard();

 private:
  bool fill();

  Signals& signals_;
  std::string buffer_;
  std::size_t next_ = 0;  ///< In `buffer_`.
};

/// Columns of the terminal at standard error or output; 80 when neither is one.
[[nodiscard]] std::size_t terminal_width();

/// Lines of standard input where that is no terminal, or one that cannot be drawn on.
class PipeLines final : public cli::LineReader {
 public:
  explicit PipeLines(Signals& signals) : input_(signals) {}

  cli::Line read(const cli::LineRequest& request) override;
  void remember(std::string_view /*text*/) override {}
  [[nodiscard]] bool is_interactive() const override { return false; }
  [[nodiscard]] std::size_t width() const override { return terminal_width(); }

 private:
  LineInput input_;
};

}  // namespace ingle::app
