// Scripts of ScriptedModel: JSON lines (include/ingle/testing/scripted_model.h).
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "ingle/testing/scripted_model.h"

namespace ingle::testing {
namespace {

constexpr std::int64_t kMaxDelayMs = 600'000;

Error invalid(std::string message) {
  return {ErrorCode::kInvalidArgument, "script_invalid", std::move(message), {}};
}

/// Refuses members that nobody would read: a typing error must not change what a test means.
Result<void> check_members(const json& object, std::string_view what,
                           std::initializer_list<std::string_view> known) {
  if (!object.is_object()) {
    return invalid(fmt::format("{} must be a JSON object", what));
  }
  for (const auto& item : object.items()) {
    if (std::ranges::find(known, std::string_view(item.key())) == known.end()) {
      return invalid(fmt::format("{} has the unknown member \"{}\"", what, item.key()));
    }
  }
  return {};
}

/// The string member `name`, or `fallback` when it is not there.
Result<std::string> string_or(const json& object, const char* name, std::string fallback) {
  const auto member = object.find(name);
  if (member == object.end()) {
    return fallback;
  }
  if (!member->is_string()) {
    return invalid(fmt::format("\"{}\" must be a string", name));
  }
  return member->get<std::string>();
}

Result<std::int64_t> count_or_zero(const json& object, const char* name, std::int64_t maximum) {
  const auto member = object.find(name);
  if (member == object.end()) {
    return std::int64_t{0};
  }
  if (!member->is_number_integer() || *member < 0 || *member > maximum) {
    return invalid(fmt::format("\"{}\" must be an integer from 0 to {}", name, maximum));
  }
  return member->get<std::int64_t>();
}

Result<std::vector<std::string>> parse_pieces(const json& object) {
  const auto text = object.find("text");
  const auto pieces = object.find("pieces");
  if (text != object.end() && pieces != object.end()) {
    return invalid("\"text\" and \"pieces\" exclude each other");
  }
  if (text != object.end()) {
    INGLE_TRY(std::string whole, string_or(object, "text", ""));
    return std::vector<std::string>{std::move(whole)};
  }
  std::vector<std::string> result;
  if (pieces != object.end()) {
    if (!pieces->is_array()) {
      return invalid("\"pieces\" must be an array of strings");
    }
    for (const json& piece : *pieces) {
      if (!piece.is_string()) {
        return invalid("\"pieces\" must be an array of strings");
      }
      result.push_back(piece.get<std::string>());
    }
  }
  return result;
}

Result<ToolCall> parse_call(const json& object) {
  INGLE_RETURN_IF_ERROR(check_members(object, "a tool call", {"name", "arguments", "id"}));
  if (!object.contains("name")) {
    return invalid("a tool call needs a \"name\"");
  }
  ToolCall call;
  INGLE_TRY(call.name, string_or(object, "name", ""));
  INGLE_TRY(std::string id, string_or(object, "id", ""));
  call.id = CallId(std::move(id));
  if (const auto arguments = object.find("arguments"); arguments != object.end()) {
    if (!arguments->is_string()) {
      call.arguments = *arguments;
    } else if (const auto& text = arguments->get_ref<const std::string&>(); !text.empty()) {
      // As a real model's output: text that is JSON is that JSON.
      call = ToolCall::of_text(call.id, call.name, text);
    }
  }
  return call;
}

Result<Usage> parse_usage(const json& object) {
  constexpr std::int64_t kMaxTokens = 1'000'000'000;
  INGLE_RETURN_IF_ERROR(
      check_members(object, "\"usage\"", {"prompt_tokens", "cached_tokens", "completion_tokens"}));
  Usage usage;
  INGLE_TRY(usage.prompt_tokens, count_or_zero(object, "prompt_tokens", kMaxTokens));
  INGLE_TRY(usage.cached_tokens, count_or_zero(object, "cached_tokens", kMaxTokens));
  INGLE_TRY(usage.completion_tokens, count_or_zero(object, "completion_tokens", kMaxTokens));
  return usage;
}

Result<ScriptedReply> parse_failure(const json& object) {
  INGLE_RETURN_IF_ERROR(check_members(object, "a reply with \"error\"", {"error", "delay_ms"}));
  const json& description = object["error"];
  INGLE_RETURN_IF_ERROR(check_members(description, "\"error\"", {"code", "reason", "message"}));
  INGLE_TRY(const std::string code, string_or(description, "code", ""));
  Error error;
  error.code = error_code_from(code);
  if (to_string(error.code) != code) {
    return invalid(fmt::format("\"{}\" is not the code of an error", code));
  }
  INGLE_TRY(error.reason, string_or(description, "reason", code));
  INGLE_TRY(error.message, string_or(description, "message", "the script says so"));
  ScriptedReply reply;
  INGLE_TRY(reply.delay_ms, count_or_zero(object, "delay_ms", kMaxDelayMs));
  reply.error = std::move(error);
  return reply;
}

Result<ScriptedReply> parse_reply(const json& object) {
  INGLE_RETURN_IF_ERROR(check_members(object, "a reply",
                                      {"text", "pieces", "reasoning", "tool_calls", "error",
                                       "finish_reason", "usage", "delay_ms"}));
  if (object.contains("error")) {
    return parse_failure(object);
  }
  if (!object.contains("text") && !object.contains("pieces") && !object.contains("tool_calls")) {
    return invalid("a reply needs \"text\", \"pieces\", \"tool_calls\" or \"error\"");
  }
  ScriptedReply reply;
  INGLE_TRY(reply.delay_ms, count_or_zero(object, "delay_ms", kMaxDelayMs));
  INGLE_TRY(reply.pieces, parse_pieces(object));
  INGLE_TRY(reply.reasoning, string_or(object, "reasoning", ""));
  if (const auto calls = object.find("tool_calls"); calls != object.end()) {
    if (!calls->is_array()) {
      return invalid("\"tool_calls\" must be an array");
    }
    for (const json& call : *calls) {
      INGLE_TRY(ToolCall parsed, parse_call(call));
      reply.tool_calls.push_back(std::move(parsed));
    }
  }
  if (object.contains("finish_reason")) {
    INGLE_TRY(const std::string name, string_or(object, "finish_reason", ""));
    reply.finish_reason = finish_reason_from(name);
    if (!reply.finish_reason) {
      return invalid(fmt::format("\"{}\" is not a finish reason", name));
    }
  }
  if (const auto usage = object.find("usage"); usage != object.end()) {
    INGLE_TRY(reply.usage, parse_usage(*usage));
  }
  return reply;
}

/// Blank lines and comments carry no reply.
bool is_skipped(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

}  // namespace

Result<std::vector<ScriptedReply>> parse_script(std::string_view text) {
  std::vector<ScriptedReply> replies;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (is_skipped(line)) {
      continue;
    }
    const auto refuse = [number](const Error& error) {
      Error refusal = invalid(fmt::format("line {} of the script: {}", number, error.message));
      refusal.details = json{{"line", number}};
      return refusal;
    };
    const auto object = parse_json(line);
    if (!object) {
      return refuse(object.error());
    }
    auto reply = parse_reply(**object);
    if (!reply) {
      return refuse(reply.error());
    }
    replies.push_back(*std::move(reply));
  }
  return replies;
}

}  // namespace ingle::testing
