/// Lines that a person edits at a terminal: libedit, which line_editor.cpp alone knows.
#pragma once

#include <memory>

#include "ingle/cli/line_reader.h"
#include "ingle/signals.h"

namespace ingle::app {

/// Keys are those of Emacs; arrows go through what was remembered, Ctrl-R searches it; Alt-Enter
/// makes a new line. A paste (bracketed) is inserted as it is, its line feeds too, and nothing in
/// it is a key; a long one is shown as "[paste 1: 80 lines]" and goes in when the line is entered.
/// The terminal is in its usual mode except during `read`. Returns null when standard input cannot
/// be edited.
[[nodiscard]] std::unique_ptr<cli::LineReader> make_line_editor(Signals& signals);

}  // namespace ingle::app
