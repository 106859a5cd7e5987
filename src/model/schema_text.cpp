#include "ingle/model/schema_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ingle {
namespace {

using nlohmann::ordered_json;

std::vector<std::string> property_order(const json& object) {
  std::vector<std::string> names;
  const auto properties = object.find("properties");
  if (properties == object.end() || !properties->is_object()) {
    return names;
  }
  const auto add = [&](const std::string& name) {
    if (properties->contains(name) && std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  };
  if (const auto required = object.find("required");
      required != object.end() && required->is_array()) {
    for (const json& name : *required) {
      if (name.is_string()) {
        add(name.get<std::string>());
      }
    }
  }
  for (const auto& [name, schema] : properties->items()) {
    add(name);
  }
  return names;
}

// As deep as the schema, whose nesting was bounded when it was parsed.
ordered_json ordered(const json& value) {
  if (value.is_array()) {
    ordered_json array = ordered_json::array();
    for (const json& element : value) {
      array.push_back(ordered(element));
    }
    return array;
  }
  if (!value.is_object()) {
    return ordered_json(value);
  }
  ordered_json object = ordered_json::object();
  for (const auto& [key, member] : value.items()) {
    if (key != "properties" || !member.is_object()) {
      object[key] = ordered(member);
      continue;
    }
    ordered_json properties = ordered_json::object();
    for (const std::string& name : property_order(value)) {
      properties[name] = ordered(member[name]);
    }
    object[key] = std::move(properties);
  }
  return object;
}

std::string text_of(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::string schema_text(const Json& schema) { return text_of(ordered(*schema)); }

std::vector<std::string> parameter_names(const Json& schema) {
  return schema->is_object() ? property_order(*schema) : std::vector<std::string>{};
}

std::string tool_text(const ToolSpec& tool) {
  return text_of({{"name", tool.name},
                  {"description", tool.description},
                  {"parameters", ordered(*tool.parameters)}});
}

}  // namespace ingle
