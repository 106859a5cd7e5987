#include "model/envelope.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ingle/model/schema_text.h"

namespace ingle {
namespace {

std::string lark_string(const std::string& text) { return Json(json(text)).dump(); }

/// The schema for `%json`, which otherwise writes no spaces; models are used to them.
std::string with_spaces(const Json& schema) {
  json spaced = *schema;
  if (spaced.is_object()) {
    spaced["x-guidance"] = {
        {"whitespace_flexible", false}, {"item_separator", ", "}, {"key_separator", ": "}};
  }
  return schema_text(spaced);
}

}  // namespace

std::string envelope(const ToolCall& call) {
  const std::string text = call.arguments_text();
  const std::string arguments = text.empty() ? "{}" : text;
  return std::string(kCallOpen) + R"({"name": )" + Json(json(call.name)).dump() +
         R"(, "arguments": )" + arguments + "}" + std::string(kCallClose);
}

ConstraintSpec reply_grammar(const std::vector<ToolSpec>& tools, Prose prose) {
  std::string grammar = prose == Prose::kAllowed ? "start: TEXT | calls\n" : "start: calls\n";
  std::string one_call;
  std::string arguments;
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const std::string rule = "arguments_" + std::to_string(i);
    const std::string begin = std::string(kCallOpen) + R"({"name": )" +
                              Json(json(tools[i].name)).dump() + R"(, "arguments": )";
    one_call += (i == 0 ? "" : " | ") + lark_string(begin) + " " + rule + " " +
                lark_string("}" + std::string(kCallClose));
    arguments += rule + ": %json " + with_spaces(tools[i].parameters) + "\n";
  }
  grammar += "calls: call (\"\\n\" call)*\ncall: " + one_call + "\n" + arguments;
  if (prose == Prose::kAllowed) {
    grammar += "TEXT: /[^<\\s](.|\\n)*/\n";
  }
  return {.kind = ConstraintKind::kLark, .text = std::move(grammar)};
}

Json required_only(const Json& schema) {
  const json& object = *schema;
  if (!object.is_object() || !object.contains("properties") || !object["properties"].is_object()) {
    return schema;
  }
  const json required = object.value("required", json::array());
  json properties = json::object();
  for (const json& name : required) {
    if (!name.is_string() || !object["properties"].contains(name.get<std::string>())) {
      return schema;
    }
    properties[name.get<std::string>()] = object["properties"][name.get<std::string>()];
  }
  json narrowed = object;
  narrowed["properties"] = std::move(properties);
  narrowed["additionalProperties"] = false;
  return Json(std::move(narrowed));
}

bool takes_nothing(const Json& schema) {
  return schema->is_object() && schema->value("properties", json()) == json::object() &&
         schema->value("additionalProperties", json()) == json(false);
}

}  // namespace ingle
