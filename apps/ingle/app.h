/// The whole program as a function, so that a test program can be the same with more tools.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ingle/tool/tool.h"

namespace ingle::app {

/// Runs the command line `args` (the program's name first) on the standard streams, with the
/// built-in tools and `more_tools`. Returns the exit code. Call it once, from `main`, before any
/// other thread runs.
int run_app(std::vector<std::string> args, std::vector<std::shared_ptr<Tool>> more_tools);

}  // namespace ingle::app
