#include "cli/report/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text/terminal_text.h"

namespace ingle::cli {
namespace {

std::string_view colour(NoteKind kind) {
  switch (kind) {
    case NoteKind::kActivity:
      return "\x1b[2m";
    case NoteKind::kWarning:
      return "\x1b[33m";
    case NoteKind::kError:
      return "\x1b[31m";
  }
  return "";
}

}  // namespace

void Notes::write(NoteKind kind, std::string_view text) {
  end_progress();
  const std::string line = one_line(text);
  if (is_lively_) {
    err_ << colour(kind) << line << "\x1b[0m\n";
  } else {
    err_ << line << '\n';
  }
  err_.flush();
}

void Notes::error(const Error& error) {
  this->error(std::string_view(error.message));
  if (!is_verbose_) {
    return;
  }
  for (const Error* one = &error; one != nullptr; one = one->cause.get()) {
    if (one != &error) {
      write(NoteKind::kActivity, "  because: " + one->message);
    }
    write(NoteKind::kActivity, fmt::format("    code {}, reason {}", to_string(one->code),
                                           one->reason.empty() ? "none" : one->reason));
    if (!one->details.is_null()) {
      write(NoteKind::kActivity, "    details " + one->details.dump());
    }
  }
}

void Notes::progress(std::string_view what, float fraction) {
  if (!is_lively_) {
    return;
  }
  const int percent = static_cast<int>(std::clamp(fraction, 0.0F, 1.0F) * 100.0F);
  if (percent == shown_percent_) {
    return;
  }
  shown_percent_ = percent;
  err_ << fmt::format("\r{} {} %", one_line(what), percent);
  err_.flush();
  if (percent == 100) {
    end_progress();
  }
}

void Notes::end_progress() {
  if (shown_percent_ >= 0) {
    err_ << "\r\x1b[K";
    shown_percent_ = -1;
  }
}

Notes make_notes(const Streams& streams, const Environment& environment) {
  return {streams.err, is_lively(streams, environment), streams.is_verbose};
}

bool is_lively(const Streams& streams, const Environment& environment) {
  return streams.err_is_terminal && !environment.variable("NO_COLOR");
}

}  // namespace ingle::cli
