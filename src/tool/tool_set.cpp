#include "ingle/tool/tool_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "ingle/core/check.h"
#include "ingle/core/utf8.h"
#include "ingle/tool/nearest_name.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxNameBytes = 64;
constexpr std::size_t kMaxQuotedBytes = 200;

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

/// What a model wrote, for an error message: valid UTF-8 of bounded length in quotes.
std::string in_quotes(std::string_view text) {
  const std::string whole = sanitize_utf8(text);
  const std::string_view start = truncate_utf8(whole, kMaxQuotedBytes);
  return fmt::format("\"{}{}\"", start, start.size() < whole.size() ? "..." : "");
}

Error invalid_tool(std::string reason, std::string message, std::string_view tool) {
  return {ErrorCode::kInvalidArgument, std::move(reason), std::move(message),
          json{{"tool", sanitize_utf8(tool)}}};
}

Result<void> check_parameters(const ToolSpec& spec) {
  const json& parameters = *spec.parameters;
  if (parameters.is_object()) {
    const auto type = parameters.find("type");
    if (type != parameters.end() && *type == "object") {
      return {};
    }
  }
  return invalid_tool(
      "tool_schema_invalid",
      fmt::format("the parameters of the tool {} must be a JSON Schema of an object, "
                  R"(such as {{"type": "object", "properties": {{}}}})",
                  spec.name),
      spec.name);
}

/// "an object with path", or "an object": the members without which no call is complete.
std::string describe_arguments(const ToolSpec& spec) {
  std::vector<std::string> members;
  if (const auto required = spec.parameters->find("required");
      required != spec.parameters->end() && required->is_array()) {
    for (const json& member : *required) {
      if (member.is_string()) {
        members.push_back(fmt::format("\"{}\"", member.get_ref<const std::string&>()));
      }
    }
  }
  return members.empty() ? "one JSON object, for example {}"
                         : fmt::format("one JSON object with {}", fmt::join(members, ", "));
}

Error unknown_tool(const ToolCall& call, const std::vector<std::string>& names) {
  std::string message = fmt::format("There is no tool {}.", in_quotes(call.name));
  json details{{"tool", sanitize_utf8(call.name)}, {"tools", names}};
  if (names.empty()) {
    message += " There are no tools at all: answer without calling one.";
  } else {
    if (const std::optional<std::string> nearest = nearest_name(call.name, names)) {
      message += fmt::format(" Did you mean {}?", *nearest);
      details["nearest"] = *nearest;
    }
    message += fmt::format(" The tools are: {}.", fmt::join(names, ", "));
  }
  return {ErrorCode::kNotFound, "unknown_tool", std::move(message), std::move(details)};
}

Error deep_arguments(const ToolSpec& spec) {
  return invalid_tool(
      "arguments_too_deep",
      fmt::format(
          "The arguments of {} are nested deeper than {} levels, so it did not run. Call it "
          "again with less nesting.",
          spec.name, JsonLimits{}.max_depth),
      spec.name);
}

Error malformed_arguments(const ToolCall& call, const ToolSpec& spec) {
  // Text that is nested too deep is never parsed, and maybe the only fault.
  if (const auto parsed = parse_json(call.raw_arguments);
      !parsed && parsed.error().reason == "json_too_deep") {
    return deep_arguments(spec);
  }
  return invalid_tool(
      "arguments_malformed",
      fmt::format("The arguments of {} are not JSON. You wrote {}. Write {}.", spec.name,
                  in_quotes(call.raw_arguments), describe_arguments(spec)),
      spec.name);
}

Error invalid_arguments(const ToolSpec& spec, const std::vector<SchemaFault>& faults) {
  json list = json::array();
  for (const SchemaFault& fault : faults) {
    list.push_back(json{
        {"path", fault.instance_path}, {"keyword", fault.keyword}, {"message", fault.message}});
  }
  return {ErrorCode::kInvalidArgument, "arguments_invalid",
          fmt::format("The arguments of {} are wrong, so it did not run. Correct them and call it "
                      "again:\n{}",
                      spec.name, describe(faults)),
          json{{"tool", spec.name}, {"faults", std::move(list)}}};
}

}  // namespace

Json effective_arguments(const ToolCall& call) {
  if (call.arguments.is_null() && !call.is_malformed()) {
    return json::object();
  }
  return call.arguments;
}

Result<ToolSet> ToolSet::create(std::vector<std::shared_ptr<Tool>> tools) {
  auto data = std::make_shared<Data>();
  for (std::shared_ptr<Tool>& tool : tools) {
    INGLE_CHECK(tool != nullptr, "a tool of a tool set is null");
    const ToolSpec& spec = tool->spec();
    if (!is_tool_name(spec.name)) {
      return invalid_tool(
          "tool_name_invalid",
          fmt::format("{} cannot be a tool's name: it needs 1 to {} letters, digits, "
                      "'_' or '-'",
                      in_quotes(spec.name), kMaxNameBytes),
          spec.name);
    }
    if (std::ranges::find(data->specs, spec.name, &ToolSpec::name) != data->specs.end()) {
      return invalid_tool("tool_duplicate",
                          fmt::format("there are two tools of the name {}", spec.name), spec.name);
    }
    INGLE_RETURN_IF_ERROR(check_parameters(spec));
    auto validator = Validator::compile(spec.parameters);
    if (!validator) {
      return invalid_tool("tool_schema_invalid",
                          fmt::format("the parameters of the tool {}: {}", spec.name,
                                      validator.error().message),
                          spec.name)
          .because(validator.error());
    }
    data->specs.push_back(spec);
    data->entries.push_back({std::move(tool), *std::move(validator)});
  }
  ToolSet set;
  set.data_ = std::move(data);
  return set;
}

const ToolSet::Entry* ToolSet::find_entry(std::string_view name) const {
  if (!data_) {
    return nullptr;
  }
  for (std::size_t i = 0; i < data_->specs.size(); ++i) {
    if (data_->specs[i].name == name) {
      return &data_->entries[i];
    }
  }
  return nullptr;
}

Tool* ToolSet::find(std::string_view name) const {
  const Entry* entry = find_entry(name);
  return entry != nullptr ? entry->tool.get() : nullptr;
}

const std::vector<ToolSpec>& ToolSet::specs() const {
  static const std::vector<ToolSpec> kNone;
  return data_ ? data_->specs : kNone;
}

std::vector<std::string> ToolSet::names() const {
  std::vector<std::string> names;
  for (const ToolSpec& spec : specs()) {
    names.push_back(spec.name);
  }
  return names;
}

bool ToolSet::empty() const { return specs().empty(); }

std::map<std::string, std::string> ToolSet::fingerprints() const {
  std::map<std::string, std::string> result;
  if (data_) {
    for (const Entry& entry : data_->entries) {
      result.emplace(entry.tool->spec().name, fingerprint(*entry.tool));
    }
  }
  return result;
}

Result<void> ToolSet::check(const ToolCall& call) const {
  const Entry* entry = find_entry(call.name);
  if (entry == nullptr) {
    return unknown_tool(call, names());
  }
  const ToolSpec& spec = entry->tool->spec();
  if (call.is_malformed()) {
    return malformed_arguments(call, spec);
  }
  if (json_depth(call.arguments) > JsonLimits{}.max_depth) {
    return deep_arguments(spec);
  }
  const auto faults = entry->validator.validate(effective_arguments(call));
  if (!faults) {
    return faults.error().context(fmt::format("the arguments of {}", spec.name));
  }
  if (!faults->empty()) {
    return invalid_arguments(spec, *faults);
  }
  return {};
}

}  // namespace ingle
