#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/commands.h"
#include "ingle/session/event.h"

namespace ingle::cli {

ExitCode print_version(const VersionArguments& arguments, Streams& streams,
                       Environment& environment) {
  // Without an engine there is still a version to tell.
  const auto engine = environment.engine();
  if (arguments.json) {
    const json versions{{"ingle", environment.version()},
                        {"engine", engine ? json(engine->name) : json()},
                        {"engine_version", engine ? json(engine->version) : json()},
                        {"event_format", kEventFormatVersion}};
    streams.out << Json(versions).dump() << '\n';
    return ExitCode::kOk;
  }
  streams.out << "ingle " << environment.version() << '\n';
  if (engine) {
    streams.out << engine->name << ' ' << engine->version << '\n';
  } else {
    streams.out << "no engine: " << engine.error().message << '\n';
  }
  return ExitCode::kOk;
}

}  // namespace ingle::cli
