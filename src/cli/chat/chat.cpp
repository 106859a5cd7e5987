#include "cli/chat/chat.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "cli/chat/chat_settings.h"
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/places.h"
#include "cli/text/terminal_text.h"
#include "ingle/core/utf8.h"

namespace ingle::cli {

Chat::Chat(const ChatArguments& arguments, Streams& streams, Environment& environment)
    : arguments_(arguments),
      streams_(streams),
      environment_(environment),
      is_lively_(is_lively(streams, environment)),
      notes_(make_notes(streams, environment)),
      lines_(environment.open_lines()),
      view_(streams, *lines_, is_lively_, environment.clock()) {}

ExitCode Chat::run() {
  if (auto opened = open_session(); !opened) {
    notes_.error(opened.error());
    return exit_code(opened.error().code);
  }
  auto model = load_model(parts_.model);
  if (!model) {
    notes_.error(model.error());
    return model_exit_code(model.error().code);
  }
  model_ = *std::move(model);
  auto agent = make_agent(parts_, model_);
  if (!agent) {
    notes_.error(agent.error());
    return exit_code(agent.error().code);
  }
  agent_ = *std::move(agent);
  open_history();
  greet();
  begin_or_go_on();
  while (!code_) {
    read_once();
  }
  say_goodbye();
  return *code_;
}

Result<void> Chat::open_session() {
  INGLE_TRY(const Configuration configuration, read_configuration(environment_, arguments_.flags));
  Json logged;
  std::vector<Event> events;
  if (arguments_.session) {
    INGLE_TRY(session_, parse_session_id(*arguments_.session));
    is_told_ = true;
  } else {
    session_ = new_session_id();
  }
  INGLE_TRY(store_, open_sessions(environment_, configuration.values));
  if (arguments_.session) {
    auto found = read_session(*store_, session_);
    if (!found && found.error().code != ErrorCode::kNotFound) {
      return found.error();
    }
    is_stored_ = found.ok();
    if (found) {
      events = std::move(found->events);
      logged = found->state.run ? found->state.run->started.settings : Json();
    }
  }
  INGLE_TRY(Config config, session_config(logged, configuration, arguments_.flags));
  INGLE_TRY(parts_, prepare_agent(environment_, std::move(config)));
  if (logged.is_null() || logged->at("model") == *parts_.config.model) {
    played_at_load_ = replies_since_message(events) + replies_before_run(logged);
    parts_.model.skip_replies = played_at_load_;
  }
  return {};
}

Result<std::shared_ptr<LanguageModel>> Chat::load_model(const ModelRequest& request) {
  const CancelSource cancel = environment_.begin_turn();
  auto model = environment_.load_model(
      {.stop = cancel.token(), .deadline = {}}, request,
      [this](float loaded) { notes_.progress("loading the model", loaded); });
  environment_.end_turn();
  return model;
}

void Chat::open_history() {
  if (!lines_->is_interactive()) {
    return;
  }
  std::filesystem::path file = data_file(environment_, parts_.config);
  file += ".history";
  auto history = InputHistory::open(std::move(file));
  if (!history) {
    notes_.write(NoteKind::kWarning, "warning: " + history.error().message);
    return;
  }
  history_ = *std::move(history);
  for (const std::string& entry : history_->entries()) {
    lines_->remember(entry);
  }
}

void Chat::greet() {
  if (lines_->is_interactive()) {
    const auto tools = parts_.tools.names();
    note(fmt::format("{}; tools: {}; session {}", model_->info().name,
                     tools.empty() ? "none" : fmt::format("{}", fmt::join(tools, ", ")),
                     session_.str()));
    note("/help lists the commands; Ctrl-D leaves");
    is_told_ = true;
  } else if (!is_told_) {
    note("session: " + session_.str());
    is_told_ = true;
  }
}

void Chat::read_once() {
  if (environment_.pause_requested()) {
    leave(ExitCode::kOk);
    return;
  }
  const Line line = read_message(*lines_, "> ");
  switch (line.end) {
    case LineEnd::kLine:
      was_interrupted_ = false;
      take(line.text);
      break;
    case LineEnd::kInterrupt:
      on_interrupt(!line.text.empty());
      break;
    case LineEnd::kEnd:
      if (!line.text.empty()) {
        notes_.error("the input ended within a message (after a \\ or \"\"\"): it was not sent");
      }
      leave(ExitCode::kOk);
      break;
    case LineEnd::kTerminated:
      leave(ExitCode::kOk);
      break;
  }
}

void Chat::on_interrupt(bool has_text) {
  if (!lines_->is_interactive() || (was_interrupted_ && !has_text)) {
    leave(ExitCode::kCancelled);
    return;
  }
  was_interrupted_ = true;
  if (!has_text) {
    note("once more, or Ctrl-D, to leave");
  }
}

void Chat::take(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return;
  }
  if (!is_valid_utf8(text)) {
    notes_.error("this is not UTF-8 text: it was not sent");
    return;
  }
  if (history_) {
    const auto added = history_->add(text);
    if (!added) {
      notes_.write(NoteKind::kWarning, "warning: " + added.error().message);
      history_.reset();
    } else if (*added) {
      lines_->remember(text);
    }
  }
  const auto input = parse_chat_input(text);
  if (!input) {
    notes_.error(input.error());
  } else if (const auto* message = std::get_if<ChatMessage>(&*input)) {
    say(message->text);
  } else {
    execute(std::get<ChatCommand>(*input));
  }
}

void Chat::leave(ExitCode code) { code_ = code_.value_or(code); }

void Chat::say_goodbye() {
  if (is_stored_) {
    note("to go on: " + chat_command_line());
  }
}

std::string Chat::chat_command_line() const {
  const auto& data = arguments_.flags.values.data;
  return fmt::format("{} chat --session {}{}", shell_quoted(environment_.command_name()),
                     session_.str(), data ? " --data " + shell_quoted(*data) : "");
}

CardStyle Chat::card_style() const { return {.is_lively = is_lively_, .width = lines_->width()}; }

Result<StoredSession> Chat::stored() {
  return is_stored_ ? read_session(*store_, session_) : StoredSession{};
}

ExitCode chat(const ChatArguments& arguments, Streams& streams, Environment& environment) {
  return Chat(arguments, streams, environment).run();
}

}  // namespace ingle::cli
