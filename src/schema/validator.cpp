#include "ingle/schema/validator.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "schema/native_call.h"

namespace ingle {

struct Validator::Impl {
  schema::NativeHandle<ingle_schema> handle;
};

Validator::Validator(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Result<Validator> Validator::compile(const Json& schema) {
  // The depth first: writing the text recurses.
  INGLE_RETURN_IF_ERROR(schema::check_schema_depth(json_depth(schema)));
  const std::string text = schema.dump();
  INGLE_RETURN_IF_ERROR(schema::check_schema_size(text.size()));
  ingle_schema* handle = nullptr;
  schema::NativeText error;
  const std::int32_t status = ingle_schema_compile(text.data(), text.size(), &handle, error.out());
  INGLE_RETURN_IF_ERROR(schema::check_native(status, error));
  return Validator(std::make_shared<const Impl>(Impl{schema::NativeHandle<ingle_schema>(handle)}));
}

Result<std::vector<SchemaFault>> Validator::validate(const Json& value,
                                                     std::size_t max_faults) const {
  const std::size_t max_depth = JsonLimits{}.max_depth;
  if (const std::size_t depth = json_depth(value); depth > max_depth) {
    return Error{
        ErrorCode::kInvalidArgument, "json_too_deep",
        fmt::format("the value is nested {} levels deep; the limit is {}", depth, max_depth),
        json{{"depth", depth}, {"max_depth", max_depth}}};
  }
  const std::string text = value.dump();
  schema::NativeText faults;
  schema::NativeText error;
  const std::int32_t status = ingle_schema_validate(impl_->handle.get(), text.data(), text.size(),
                                                    max_faults, faults.out(), error.out());
  INGLE_RETURN_IF_ERROR(schema::check_native(status, error));

  std::vector<SchemaFault> result;
  for (const json& fault : json::parse(faults.view(), nullptr, /*allow_exceptions=*/false)) {
    result.push_back({.instance_path = fault.value("instance_path", std::string()),
                      .schema_path = fault.value("schema_path", std::string()),
                      .keyword = fault.value("keyword", std::string()),
                      .message = fault.value("message", std::string())});
  }
  return result;
}

std::string describe(const std::vector<SchemaFault>& faults) {
  std::string text;
  for (const SchemaFault& fault : faults) {
    const std::string_view place =
        fault.instance_path.empty() ? std::string_view("the top level") : fault.instance_path;
    fmt::format_to(std::back_inserter(text), "{}at {}: {}", text.empty() ? "" : "\n", place,
                   fault.message);
  }
  return text;
}

}  // namespace ingle
