#include "ingle/core/error.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace ingle {
namespace {

constexpr std::array kAllCodes = {
    ErrorCode::kCancelled,          ErrorCode::kDeadlineExceeded, ErrorCode::kInvalidArgument,
    ErrorCode::kNotFound,           ErrorCode::kAlreadyExists,    ErrorCode::kPermissionDenied,
    ErrorCode::kFailedPrecondition, ErrorCode::kConflict,         ErrorCode::kResourceExhausted,
    ErrorCode::kUnavailable,        ErrorCode::kDataLoss,         ErrorCode::kUnsupported,
    ErrorCode::kInternal,
};

std::string string_member(const json& object, const char* name) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_string()) {
    return {};
  }
  return member->get_ref<const std::string&>();
}

}  // namespace

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kDeadlineExceeded:
      return "deadline_exceeded";
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kAlreadyExists:
      return "already_exists";
    case ErrorCode::kPermissionDenied:
      return "permission_denied";
    case ErrorCode::kFailedPrecondition:
      return "failed_precondition";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kResourceExhausted:
      return "resource_exhausted";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kDataLoss:
      return "data_loss";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

ErrorCode error_code_from(std::string_view name) {
  for (const ErrorCode code : kAllCodes) {
    if (to_string(code) == name) {
      return code;
    }
  }
  return ErrorCode::kInternal;
}

bool Error::operator==(const Error& other) const {
  const bool is_cause_equal =
      cause == other.cause || (cause && other.cause && *cause == *other.cause);
  return code == other.code && reason == other.reason && message == other.message &&
         details == other.details && is_cause_equal;
}

Error Error::because(Error error) const {
  Error caused = *this;
  caused.cause = std::make_shared<const Error>(std::move(error));
  return caused;
}

Error Error::context(std::string_view frame) const {
  Error framed = *this;
  framed.message = fmt::format("{}: {}", frame, message);
  return framed;
}

Json Error::to_json() const {
  json value = {{"code", to_string(code)}, {"reason", reason}, {"message", message}};
  if (!details.is_null()) {
    value["details"] = *details;
  }
  if (cause) {
    value["cause"] = *cause->to_json();
  }
  return value;
}

Error Error::from_json(const Json& value) {
  Error error;
  if (!value->is_object()) {
    return error;
  }
  error.code = error_code_from(string_member(*value, "code"));
  error.reason = string_member(*value, "reason");
  error.message = string_member(*value, "message");
  if (const auto details = value->find("details"); details != value->end()) {
    error.details = *details;
  }
  if (const auto cause = value->find("cause"); cause != value->end() && cause->is_object()) {
    error.cause = std::make_shared<const Error>(from_json(Json(*cause)));
  }
  return error;
}

}  // namespace ingle
