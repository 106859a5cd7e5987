#include "ingle/app.h"

#include <unistd.h>

#include <iostream>
#include <span>
#include <utility>

#include "ingle/cli/cli.h"
#include "ingle/environment.h"

namespace ingle::app {

int run_app(std::vector<std::string> args, std::vector<std::shared_ptr<Tool>> more_tools) {
  std::ios::sync_with_stdio(false);
  cli::Streams streams{.in = std::cin,
                       .out = std::cout,
                       .err = std::cerr,
                       .in_is_terminal = isatty(STDIN_FILENO) == 1,
                       .out_is_terminal = isatty(STDOUT_FILENO) == 1,
                       .err_is_terminal = isatty(STDERR_FILENO) == 1};
  std::string command = args.empty() ? "ingle" : args.front();
  AppEnvironment environment(std::move(command), std::move(more_tools));
  const std::span<const std::string> all(args);
  return cli::run_command(all.subspan(all.empty() ? 0 : 1), streams, environment);
}

}  // namespace ingle::app
