// What begins with a '/' in a chat.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <utility>

#include "cli/chat/chat.h"
#include "cli/chat/chat_question.h"
#include "cli/chat/conversation_text.h"
#include "cli/places.h"
#include "cli/text/display_width.h"
#include "cli/text/terminal_text.h"

namespace ingle::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNone = "none";

/// Words between commas and spaces.
std::vector<std::string> words(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) {
    result.push_back(word);
  }
  return result;
}

/// No shell is there to do it.
fs::path expanded(const std::string& name, const Environment& environment) {
  const auto home = environment.variable("HOME");
  return home && name.starts_with("~/") ? fs::path(*home) / name.substr(2) : fs::path(name);
}

}  // namespace

void Chat::execute(const ChatCommand& command) {
  const std::string& argument = command.argument;
  switch (command.kind) {
    case ChatCommandKind::kHelp:
      streams_.err << chat_help();
      return;
    case ChatCommandKind::kModel:
      return argument.empty() ? list_models() : change_model(argument);
    case ChatCommandKind::kTools:
      return argument.empty() ? list_tools() : change_tools(argument);
    case ChatCommandKind::kSystem:
      return change_system(argument);
    case ChatCommandKind::kReset:
      return reset();
    case ChatCommandKind::kSave:
      return save(argument);
    case ChatCommandKind::kSession:
      return show_session();
    case ChatCommandKind::kContinue:
      return continue_turn();
    case ChatCommandKind::kQuit:
      return leave(ExitCode::kOk);
  }
}

bool Chat::change_agent(Config config, std::shared_ptr<LanguageModel> model) {
  auto parts = prepare_agent(environment_, std::move(config));
  if (!parts) {
    notes_.error(parts.error());
    return false;
  }
  auto agent = make_agent(*parts, model);
  if (!agent) {
    notes_.error(agent.error());
    return false;
  }
  parts_ = *std::move(parts);
  model_ = std::move(model);
  agent_ = *std::move(agent);
  return true;
}

void Chat::change_model(const std::string& name) {
  Config config = parts_.config;
  config.model = absolute_model(name, environment_.current_folder());
  auto parts = prepare_agent(environment_, config);
  if (!parts) {
    notes_.error(parts.error());
    return;
  }
  auto model = load_model(parts->model);
  if (!model) {
    notes_.error(model.error());
    note("the model is still " + model_->info().name);
    return;
  }
  if (change_agent(std::move(config), *std::move(model))) {
    // A script begins at its first line.
    played_at_load_ = 0;
    calls_at_load_ = view_.model_calls();
    note("the model is " + model_->info().name);
  }
}

void Chat::list_models() {
  const fs::path folder = models_folder(environment_, parts_.config);
  bool is_listed = false;
  for (const fs::path& file : model_files(folder)) {
    const bool is_now = file == parts_.model.path;
    is_listed = is_listed || is_now;
    streams_.err << (is_now ? "* " : "  ") << one_line(file.stem().string()) << '\n';
  }
  if (!is_listed) {
    streams_.err << "* " << one_line(*parts_.config.model) << '\n';
  }
  note("/model NAME loads one of " + folder.string() + "; a path or scripted:FILE does too");
}

void Chat::change_tools(const std::string& names) {
  Config config = parts_.config;
  config.tools = names == kNone ? std::vector<std::string>() : words(names);
  if (change_agent(std::move(config), model_)) {
    const auto chosen = parts_.tools.names();
    note("tools: " + (chosen.empty() ? kNone : fmt::format("{}", fmt::join(chosen, ", "))));
  }
}

void Chat::list_tools() {
  const auto all = environment_.tools(*parts_.config.root);
  if (!all) {
    notes_.error(all.error());
    return;
  }
  const auto chosen = parts_.tools.names();
  for (const auto& tool : *all) {
    const ToolSpec& spec = tool->spec();
    const bool is_chosen = std::ranges::find(chosen, spec.name) != chosen.end();
    const std::string line =
        fmt::format("{} {:<14} {}", is_chosen ? '*' : ' ', spec.name, one_line(spec.description));
    streams_.err << fit_to_width(line, lines_->width() - 1) << '\n';
  }
  note("/tools A,B lets the model call these, /tools none no tool");
}

void Chat::change_system(const std::string& text) {
  if (text.empty()) {
    const std::string now = parts_.config.system.value_or("");
    streams_.err << (now.empty() ? "(nothing)" : escape_controls(now)) << '\n';
    return;
  }
  Config config = parts_.config;
  config.system = text == kNone ? "" : text;
  if (change_agent(std::move(config), model_)) {
    note("from the next message on");
  }
}

void Chat::reset() {
  if (is_stored_) {
    note("the old one stays: " + chat_command_line());
  }
  session_ = new_session_id();
  is_stored_ = false;
  view_.forget_calls();
  note("session: " + session_.str());
}

void Chat::save(const std::string& name) {
  const auto now = stored();
  if (!now) {
    notes_.error(now.error());
    return;
  }
  if (now->state.transcript.empty()) {
    notes_.error("there is nothing to save yet: say something first");
    return;
  }
  const fs::path file = expanded(name, environment_);
  const Timestamp time = environment_.clock().now();
  const std::string text = file.extension() == ".json"
                               ? conversation_json(session_, now->state, time)
                               : conversation_markdown(session_, now->state, time);
  auto written = write_new_file(file, text);
  if (!written && written.error().code == ErrorCode::kAlreadyExists) {
    if (!ask_yes_or_no(*lines_, notes_, file.string() + " is there already; overwrite it?")) {
      note("not saved");
      return;
    }
    written = replace_file(file, text);
  }
  if (!written) {
    notes_.error(written.error());
    return;
  }
  note(fmt::format("saved {} messages to {}", now->state.transcript.size(), file.string()));
}

void Chat::show_session() {
  const auto now = stored();
  if (!now) {
    notes_.error(now.error());
    return;
  }
  const auto tools = parts_.tools.names();
  const auto row = [this](std::string_view name, const std::string& value) {
    streams_.err << fmt::format("{:<10}{}\n", name, one_line(value));
  };
  row("session", session_.str());
  row("messages", std::to_string(now->state.transcript.size()));
  row("model", *parts_.config.model);
  row("tools", tools.empty() ? kNone : fmt::format("{}", fmt::join(tools, ", ")));
  row("folder", *parts_.config.root);
  row("kept in", data_file(environment_, parts_.config).string());
  row("go on", is_stored_ ? chat_command_line() : "(kept from the first message on)");
}

}  // namespace ingle::cli
