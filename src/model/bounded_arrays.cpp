#include "model/bounded_arrays.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ingle {
namespace {

bool is_array_schema(const json& schema) {
  const auto type = schema.find("type");
  return type != schema.end() && *type == "array" && !schema.contains("maxItems") &&
         schema.value("minItems", json(0)) == json(0);
}

json bounded(const json& schema, std::size_t max_items) {
  if (schema.is_array()) {
    json parts = json::array();
    for (const json& part : schema) {
      parts.push_back(bounded(part, max_items));
    }
    return parts;
  }
  if (!schema.is_object()) {
    return schema;
  }
  json result = json::object();
  for (const auto& [keyword, part] : schema.items()) {
    const bool holds_values = keyword == "enum" || keyword == "const" || keyword == "default" ||
                              keyword == "examples" || keyword == "required";
    result[keyword] = holds_values ? part : bounded(part, max_items);
  }
  if (is_array_schema(schema)) {
    result["maxItems"] = max_items;
  }
  return result;
}

json unlooped(const json& value, std::size_t max_items) {
  if (value.is_object()) {
    json result = json::object();
    for (const auto& [key, part] : value.items()) {
      result[key] = unlooped(part, max_items);
    }
    return result;
  }
  if (!value.is_array()) {
    return value;
  }
  json result = json::array();
  for (const json& element : value) {
    const json part = unlooped(element, max_items);
    const bool is_new = std::ranges::find(result, part) == result.end();
    if (value.size() < max_items || is_new) {
      result.push_back(part);
    }
  }
  return result;
}

}  // namespace

Json with_bounded_arrays(const Json& schema, std::size_t max_items) {
  return bounded(*schema, max_items);
}

Json without_loops(const Json& value, std::size_t max_items) { return unlooped(*value, max_items); }

}  // namespace ingle
