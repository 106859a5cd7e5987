// The commands that look without running anything: tools, tokenize, template.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "cli/agent_parts.h"
#include "cli/commands.h"
#include "cli/notes.h"
#include "cli/places.h"
#include "cli/prompt_text.h"
#include "cli/terminal_text.h"
#include "ingle/core/utf8.h"
#include "ingle/model/schema_text.h"

namespace ingle::cli {
namespace {

ExitCode fail(const Error& error, Streams& streams, const Environment& environment) {
  Notes(streams.err, is_lively(streams, environment)).error(error.message);
  return exit_code(error.code);
}

ExitCode fail_model(const Error& error, Streams& streams, const Environment& environment) {
  Notes(streams.err, is_lively(streams, environment)).error(error.message);
  return model_exit_code(error.code);
}

Result<std::unique_ptr<ModelInspector>> open_inspector(Environment& environment,
                                                       const std::optional<std::string>& model) {
  INGLE_TRY(const ModelRequest request,
            resolve_model(environment, model.value_or(default_model(environment))));
  return environment.inspect_model(Call{}, request);
}

std::string traits_text(const ToolTraits& traits) {
  return traits.is_read_only    ? "reads"
         : traits.is_idempotent ? "writes, may be repeated"
                                : "writes";
}

json as_json(const Tool& tool) {
  const ToolSpec& spec = tool.spec();
  const ToolTraits traits = tool.traits();
  return {{"name", spec.name},
          {"description", spec.description},
          {"parameters", *spec.parameters},
          {"read_only", traits.is_read_only},
          {"idempotent", traits.is_idempotent}};
}

}  // namespace

ExitCode list_tools(const ToolsArguments& arguments, Streams& streams, Environment& environment) {
  const auto tools = environment.tools(arguments.root.value_or("."));
  if (!tools) {
    return fail(tools.error(), streams, environment);
  }
  if (arguments.json) {
    json list = json::array();
    for (const auto& tool : *tools) {
      list.push_back(as_json(*tool));
    }
    streams.out << Json(list).dump() << '\n';
    return ExitCode::kOk;
  }
  std::size_t width = 0;
  std::vector<std::string> calls;
  for (const auto& tool : *tools) {
    calls.push_back(fmt::format("{}({})", tool->spec().name,
                                fmt::join(parameter_names(tool->spec().parameters), ", ")));
    width = std::max(width, calls.back().size());
  }
  for (std::size_t i = 0; i < tools->size(); ++i) {
    const Tool& tool = *(*tools)[i];
    streams.out << fmt::format("{:<{}}  {:<7}  {}\n", calls[i], width, traits_text(tool.traits()),
                               one_line(tool.spec().description));
  }
  return ExitCode::kOk;
}

ExitCode tokenize(const TokenizeArguments& arguments, Streams& streams, Environment& environment) {
  const auto text = read_prompt(arguments.text, streams);
  if (!text) {
    return fail(text.error(), streams, environment);
  }
  const auto inspector = open_inspector(environment, arguments.model);
  if (!inspector) {
    return fail_model(inspector.error(), streams, environment);
  }
  const auto tokens =
      (*inspector)->tokenize(*text, arguments.is_prompt ? TextKind::kPrompt : TextKind::kWords);
  if (!tokens) {
    return fail(tokens.error(), streams, environment);
  }
  if (arguments.json) {
    json list = json::array();
    for (const TokenText& token : *tokens) {
      list.push_back(
          {{"id", token.id}, {"text", sanitize_utf8(token.text)}, {"control", token.is_control}});
    }
    streams.out << Json(list).dump() << '\n';
    return ExitCode::kOk;
  }
  for (const TokenText& token : *tokens) {
    streams.out << fmt::format("{:>7}  {}{}\n", token.id,
                               one_line(Json(json(sanitize_utf8(token.text))).dump()),
                               token.is_control ? "  control" : "");
  }
  Notes(streams.err, is_lively(streams, environment))
      .write(NoteKind::kActivity, fmt::format("{} tokens", tokens->size()));
  return ExitCode::kOk;
}

ExitCode show_template(const TemplateArguments& arguments, Streams& streams,
                       Environment& environment) {
  const auto question = read_prompt(arguments.prompt, streams);
  if (!question) {
    return fail(question.error(), streams, environment);
  }
  Settings settings = default_settings(environment);
  AgentFlags flags;
  flags.model = arguments.model;
  flags.tools = arguments.tools;
  flags.root = arguments.root;
  flags.system = arguments.system;
  apply_flags(settings, flags);
  const auto parts = prepare_agent(environment, settings);
  if (!parts) {
    return fail(parts.error(), streams, environment);
  }
  const auto inspector = environment.inspect_model(Call{}, parts->model);
  if (!inspector) {
    return fail_model(inspector.error(), streams, environment);
  }
  Prompt prompt;
  if (!settings.system.empty()) {
    prompt.messages.push_back(Message::system(settings.system));
  }
  prompt.messages.push_back(Message::user(*question));
  prompt.tools = parts->tools.specs();
  const auto shown = (*inspector)->show(prompt, {});
  if (!shown) {
    return fail(shown.error(), streams, environment);
  }
  if (arguments.json) {
    json list = json::array();
    for (const ShownPrompt& one : *shown) {
      list.push_back({{"title", one.title}, {"text", one.text}, {"tokens", one.tokens}});
    }
    streams.out << Json(list).dump() << '\n';
    return ExitCode::kOk;
  }
  Notes notes(streams.err, is_lively(streams, environment));
  for (const ShownPrompt& one : *shown) {
    notes.write(NoteKind::kActivity, fmt::format("-- {}: {} tokens", one.title, one.tokens));
    streams.out << (streams.out_is_terminal ? escape_controls(one.text) : one.text) << '\n'
                << std::flush;
  }
  return ExitCode::kOk;
}

}  // namespace ingle::cli
