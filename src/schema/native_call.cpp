#include "schema/native_call.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace ingle::schema {
namespace {

struct Kind {
  ErrorCode code;
  const char* reason;
};

Kind kind_of(std::int32_t status) {
  switch (status) {
    case INGLE_SCHEMA_SCHEMA_INVALID:
      return {ErrorCode::kInvalidArgument, "schema_invalid"};
    case INGLE_SCHEMA_SCHEMA_UNSUPPORTED:
      return {ErrorCode::kUnsupported, "schema_unsupported"};
    case INGLE_SCHEMA_CONSTRAINT_INVALID:
      return {ErrorCode::kInvalidArgument, "constraint_invalid"};
    case INGLE_SCHEMA_CONSTRAINT_UNSUPPORTED:
      return {ErrorCode::kUnsupported, "constraint_unsupported"};
    case INGLE_SCHEMA_CONSTRAINT_TOO_COMPLEX:
      return {ErrorCode::kResourceExhausted, "constraint_too_complex"};
    case INGLE_SCHEMA_SCHEMA_TOO_COMPLEX:
      return {ErrorCode::kResourceExhausted, "schema_too_complex"};
    case INGLE_SCHEMA_TOKEN_TABLE_INVALID:
      return {ErrorCode::kInvalidArgument, "token_table_invalid"};
    case INGLE_SCHEMA_TOKEN_NOT_ALLOWED:
      return {ErrorCode::kInvalidArgument, "token_not_allowed"};
    case INGLE_SCHEMA_DEAD_END:
      return {ErrorCode::kUnsupported, "constraint_dead_end"};
    default:
      return {ErrorCode::kInternal, "schema_core_failed"};
  }
}

}  // namespace

Result<void> check_native(std::int32_t status, const NativeText& error) {
  if (status == INGLE_SCHEMA_OK) {
    return {};
  }
  const Kind kind = kind_of(status);
  json value = json::parse(error.view(), nullptr, /*allow_exceptions=*/false);
  if (!value.is_object()) {
    return Error{kind.code, kind.reason, "the schema core gave no reason", {}};
  }
  std::string message = value.value("message", std::string());
  value.erase("message");
  const std::string path = value.value("path", std::string());
  if (!path.empty() && message.find(path) == std::string::npos) {
    message = fmt::format("at {}: {}", path, message);
  }
  return Error{kind.code, kind.reason, std::move(message),
               value.empty() ? Json() : Json(std::move(value))};
}

Result<void> check_schema_size(std::size_t bytes) {
  if (bytes > kMaxSchemaBytes) {
    return Error{
        ErrorCode::kInvalidArgument, "schema_too_large",
        fmt::format("the schema has {} bytes of text; the limit is {}", bytes, kMaxSchemaBytes),
        json{{"bytes", bytes}, {"max_bytes", kMaxSchemaBytes}}};
  }
  return {};
}

Result<void> check_schema_depth(std::size_t depth) {
  if (depth > kMaxSchemaDepth) {
    return Error{
        ErrorCode::kInvalidArgument, "schema_too_deep",
        fmt::format("the schema is nested {} levels deep; the limit is {}", depth, kMaxSchemaDepth),
        json{{"depth", depth}, {"max_depth", kMaxSchemaDepth}}};
  }
  return {};
}

}  // namespace ingle::schema
