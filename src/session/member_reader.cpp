#include "session/member_reader.h"

#include <limits>

#include "ingle/session/time_text.h"

namespace ingle::session_internal {
namespace {

std::optional<std::int64_t> to_integer(const json& value) {
  if (!value.is_number_integer()) {
    return std::nullopt;
  }
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMax) {
    return std::nullopt;
  }
  return value.get<std::int64_t>();
}

}  // namespace

Error invalid_event(std::string message) {
  return {ErrorCode::kDataLoss, "event_invalid", std::move(message), {}};
}

MemberReader::MemberReader(const json& object) : object_(object) {
  if (!object.is_object()) {
    error_ = invalid_event("not a JSON object");
  }
}

std::string MemberReader::string(const char* name) {
  const json* value = find(name);
  if (value == nullptr) {
    return {};
  }
  if (!value->is_string()) {
    fail(name, "must be a string");
    return {};
  }
  return value->get_ref<const std::string&>();
}

bool MemberReader::boolean(const char* name) {
  const json* value = find(name);
  if (value == nullptr) {
    return false;
  }
  if (!value->is_boolean()) {
    fail(name, "must be true or false");
    return false;
  }
  return value->get<bool>();
}

std::int64_t MemberReader::integer(const char* name) {
  const json* value = find(name);
  if (value == nullptr) {
    return 0;
  }
  const auto number = to_integer(*value);
  if (!number) {
    fail(name, "must be an integer");
  }
  return number.value_or(0);
}

Timestamp MemberReader::time(const char* name) {
  const std::string text = string(name);
  const auto time = parse_time(text);
  if (!time) {
    fail(name, "must be a time like 2026-11-30T18:56:42.123Z");
  }
  return time.value_or(Timestamp{});
}

std::vector<std::string> MemberReader::strings(const char* name) {
  std::vector<std::string> out;
  const json* value = find(name);
  if (value == nullptr) {
    return out;
  }
  if (!value->is_array()) {
    fail(name, "must be an array of strings");
    return out;
  }
  for (const json& item : *value) {
    if (!item.is_string()) {
      fail(name, "must be an array of strings");
      return {};
    }
    out.push_back(item.get_ref<const std::string&>());
  }
  return out;
}

std::map<std::string, std::string> MemberReader::string_map(const char* name) {
  std::map<std::string, std::string> out;
  const json* value = object(name);
  if (value == nullptr) {
    return out;
  }
  for (const auto& [key, item] : value->items()) {
    if (!item.is_string()) {
      fail(name, "must be an object of strings");
      return {};
    }
    out.emplace(key, item.get_ref<const std::string&>());
  }
  return out;
}

FinishReason MemberReader::finish_reason(const char* name) {
  const auto reason = finish_reason_from(string(name));
  if (!reason) {
    fail(name, "has an unknown value");
  }
  return reason.value_or(FinishReason::kStop);
}

Usage MemberReader::usage(const char* name) {
  const json* value = object(name);
  if (value == nullptr) {
    return {};
  }
  MemberReader in(*value);
  Usage usage;
  usage.prompt_tokens = in.integer("prompt_tokens");
  usage.cached_tokens = in.integer("cached_tokens");
  usage.completion_tokens = in.integer("completion_tokens");
  if (const auto result = in.check(); !result) {
    fail(name, "is invalid: " + result.error().message);
  }
  return usage;
}

const json* MemberReader::object(const char* name) {
  const json* value = find(name);
  if (value != nullptr && !value->is_object()) {
    fail(name, "must be an object");
    return nullptr;
  }
  return value;
}

Json MemberReader::any(const char* name) {
  if (error_) {
    return {};
  }
  const auto member = object_.find(name);
  return member == object_.end() ? Json() : Json(*member);
}

std::optional<std::int64_t> MemberReader::optional_count(const char* name) {
  if (error_) {
    return std::nullopt;
  }
  const auto member = object_.find(name);
  if (member == object_.end() || member->is_null()) {
    return std::nullopt;
  }
  const auto number = to_integer(*member);
  if (!number || *number < 0) {
    fail(name, "must be an integer that is not negative");
    return std::nullopt;
  }
  return number;
}

void MemberReader::fail(std::string_view name, std::string_view what) {
  if (!error_) {
    error_ = invalid_event("the member \"" + std::string(name) + "\" " + std::string(what));
  }
}

Result<void> MemberReader::check() const {
  if (error_) {
    return *error_;
  }
  return {};
}

const json* MemberReader::find(const char* name) {
  if (error_) {
    return nullptr;
  }
  const auto member = object_.find(name);
  if (member == object_.end()) {
    fail(name, "is missing");
    return nullptr;
  }
  return &*member;
}

}  // namespace ingle::session_internal
