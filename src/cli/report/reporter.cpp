#include "cli/report/reporter.h"

#include "cli/report/json_reporter.h"
#include "cli/report/notes.h"
#include "cli/report/plain_reporter.h"

namespace ingle::cli {

std::unique_ptr<Reporter> make_reporter(const OutputFlags& flags, Streams& streams,
                                        const Environment& environment) {
  const Notes notes = make_notes(streams, environment);
  if (flags.json) {
    return std::make_unique<JsonReporter>(flags.quiet, streams, notes, environment.cancel_source());
  }
  return std::make_unique<PlainReporter>(flags.quiet, streams, notes, environment.cancel_source());
}

}  // namespace ingle::cli
