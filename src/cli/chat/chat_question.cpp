#include "cli/chat/chat_question.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "cli/chat/chat_input.h"

namespace ingle::cli {
namespace {

/// The word that was entered, without the spaces around it.
std::string_view word(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  return begin == std::string_view::npos
             ? ""
             : text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

bool means(std::string_view text, std::string_view key, std::string_view name) {
  return text == key || text == name;
}

std::string choices(InterruptKind kind) {
  const std::string run = kind == InterruptKind::kUnknownOutcome ? "y run it again" : "y run it";
  return run + ", n go on without it, r give its result, l leave it, a show all";
}

/// What a decision is about may be longer than the card that stands above.
void show_all(Notes& notes, const ToolCall& call) {
  std::istringstream lines(
      call.is_malformed() ? call.raw_arguments
                          : call.arguments->dump(2, ' ', false, json::error_handler_t::replace));
  notes.write(NoteKind::kActivity, call.name);
  for (std::string line; std::getline(lines, line);) {
    notes.write(NoteKind::kActivity, line);
  }
}

/// A text that belongs to a decision; none when the reading ended, which takes the decision back.
std::optional<std::string> read_text(LineReader& lines, const std::string& prompt, LineEnd& end) {
  Line line = read_message(lines, prompt);
  end = line.end;
  return line.end == LineEnd::kLine ? std::optional(std::move(line.text)) : std::nullopt;
}

}  // namespace

Decision ask_person(LineReader& lines, Notes& notes, const InterruptRaised& question,
                    const ToolCall& call) {
  // The card above says what it is about.
  const bool is_short = question.kind == InterruptKind::kApproval && !call.name.empty();
  notes.write(NoteKind::kWarning, is_short ? "May " + call.name + " run?" : question.text);
  notes.write(NoteKind::kWarning, choices(question.kind));
  Decision decision;
  InterruptAnswer answer{.id = question.id};
  while (true) {
    const Line line = lines.read({.prompt = "y/n/r/l/a? ", .is_decision = true});
    if (line.end != LineEnd::kLine) {
      decision.end = line.end;
      return decision;
    }
    const std::string_view key = word(line.text);
    if (means(key, "l", "leave")) {
      return decision;
    }
    if (means(key, "a", "all")) {
      show_all(notes, call);
      continue;
    }
    std::optional<std::string> text;
    if (means(key, "y", "yes")) {
      answer.decision = InterruptDecision::kApprove;
      text = "";
    } else if (means(key, "n", "no")) {
      answer.decision = InterruptDecision::kReject;
      text = read_text(lines, "why not (may be empty)? ", decision.end);
    } else if (means(key, "r", "respond")) {
      answer.decision = InterruptDecision::kRespond;
      text = read_text(lines, "its result: ", decision.end);
      if (text && text->empty()) {
        notes.write(NoteKind::kWarning, "an empty result is none: nothing is decided");
        continue;
      }
    } else {
      notes.write(NoteKind::kWarning, "nothing is decided: enter y, n, r, l or a");
      continue;
    }
    if (text) {
      answer.text = *std::move(text);
      decision.answer = std::move(answer);
    }
    return decision;
  }
}

bool ask_yes_or_no(LineReader& lines, Notes& notes, const std::string& question) {
  notes.write(NoteKind::kWarning, question);
  while (true) {
    const Line line = lines.read({.prompt = "y/n? ", .is_decision = true});
    const std::string_view key = word(line.text);
    if (line.end != LineEnd::kLine || means(key, "n", "no")) {
      return false;
    }
    if (means(key, "y", "yes")) {
      return true;
    }
    notes.write(NoteKind::kWarning, "nothing is decided: enter y or n");
  }
}

}  // namespace ingle::cli
