/// The `ingle` command as a function: arguments in, streams out, an exit code back.
///
/// Start with `run_command`. What it needs from outside is an `Environment` (cli/environment.h);
/// what it takes and prints is described in docs/command.md.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "ingle/cli/environment.h"

namespace ingle::cli {

/// Where the command reads and writes: answers and JSON lines go to `out`, all else to `err`.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool in_is_terminal = false;   ///< Then no prompt is read from it.
  bool out_is_terminal = false;  ///< Then control characters of an answer are shown, not sent.
  bool err_is_terminal = false;  ///< Then there are colours and progress.
  bool is_verbose = false;       ///< Of errors all is told; set by `run_command` for --verbose.
};

/// Runs one command line, without the program's name. Blocks until it is done; never throws for
/// want of valid input. Returns an `ExitCode` (cli/exit_code.h) as a number.
int run_command(std::span<const std::string> args, Streams& streams, Environment& environment);

}  // namespace ingle::cli
