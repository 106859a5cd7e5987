// The commands that look without running anything: tools, tokenize, template.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "cli/agent_parts.h"
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/places.h"
#include "cli/prompt_text.h"
#include "cli/report/notes.h"
#include "cli/text/terminal_text.h"
#include "ingle/core/utf8.h"
#include "ingle/model/schema_text.h"

namespace ingle::cli {
namespace {

Result<std::unique_ptr<ModelInspector>> open_inspector(Environment& environment,
                                                       const Flags& flags) {
  INGLE_TRY(const Configuration configuration, read_configuration(environment, flags));
  INGLE_TRY(const ModelRequest request,
            resolve_model(environment, configuration.values, chosen_model(configuration.values)));
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
  const auto configuration = read_configuration(environment, arguments.flags);
  if (!configuration) {
    return fail(configuration.error(), streams, environment);
  }
  const auto tools =
      environment.tools(configuration->values.root.value_or(environment.current_folder().string()));
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
  const auto inspector = open_inspector(environment, arguments.flags);
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
  make_notes(streams, environment)
      .write(NoteKind::kActivity, fmt::format("{} tokens", tokens->size()));
  return ExitCode::kOk;
}

ExitCode show_template(const TemplateArguments& arguments, Streams& streams,
                       Environment& environment) {
  const auto question = read_prompt(arguments.prompt, streams);
  if (!question) {
    return fail(question.error(), streams, environment);
  }
  const auto configuration = read_configuration(environment, arguments.flags);
  if (!configuration) {
    return fail(configuration.error(), streams, environment);
  }
  const auto parts = prepare_agent(environment, configuration->values);
  if (!parts) {
    return fail(parts.error(), streams, environment);
  }
  const auto inspector = environment.inspect_model(Call{}, parts->model);
  if (!inspector) {
    return fail_model(inspector.error(), streams, environment);
  }
  Prompt prompt;
  if (const auto& system = parts->config.system; system && !system->empty()) {
    prompt.messages.push_back(Message::system(*system));
  }
  prompt.messages.push_back(Message::user(*question));
  prompt.tools = parts->tools.specs();
  const auto shown = (*inspector)->show(prompt, parts->generation);
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
  Notes notes = make_notes(streams, environment);
  for (const ShownPrompt& one : *shown) {
    notes.write(NoteKind::kActivity, fmt::format("-- {}: {} tokens", one.title, one.tokens));
    streams.out << (streams.out_is_terminal ? escape_controls(one.text) : one.text) << '\n'
                << std::flush;
  }
  return ExitCode::kOk;
}

}  // namespace ingle::cli
