#include "ingle/schema/constraint.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "ingle/core/utf8.h"
#include "schema/native_call.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxGrammarBytes = std::size_t{64} << 10U;

Error invalid_constraint(std::string message) {
  return {ErrorCode::kInvalidArgument, "constraint_invalid", std::move(message), {}};
}

/// The recursion of the core is bounded by what is checked here.
Result<void> check_text(const ConstraintSpec& spec) {
  if (spec.kind == ConstraintKind::kJsonSchema) {
    INGLE_RETURN_IF_ERROR(schema::check_schema_size(spec.text.size()));
    const Result<Json> value = parse_json(
        spec.text, {.max_bytes = schema::kMaxSchemaBytes, .max_depth = schema::kMaxSchemaDepth});
    if (value) {
      return {};
    }
    if (value.error().reason == "json_too_deep") {
      return schema::check_schema_depth(schema::kMaxSchemaDepth + 1);
    }
    return invalid_constraint(value.error().message).because(value.error());
  }
  if (spec.text.size() > kMaxGrammarBytes) {
    return Error{ErrorCode::kInvalidArgument, "schema_too_large",
                 fmt::format("the {} has {} bytes; the limit is {}", to_string(spec.kind),
                             spec.text.size(), kMaxGrammarBytes),
                 json{{"bytes", spec.text.size()}, {"max_bytes", kMaxGrammarBytes}}};
  }
  if (!is_valid_utf8(spec.text)) {
    return invalid_constraint(fmt::format("the {} is not UTF-8", to_string(spec.kind)));
  }
  return {};
}

std::int32_t native_kind(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::kJsonSchema:
      return INGLE_CONSTRAINT_JSON_SCHEMA;
    case ConstraintKind::kRegex:
      return INGLE_CONSTRAINT_REGEX;
    case ConstraintKind::kLark:
      return INGLE_CONSTRAINT_LARK;
  }
  return -1;
}

}  // namespace

std::string_view to_string(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::kJsonSchema:
      return "json_schema";
    case ConstraintKind::kRegex:
      return "regex";
    case ConstraintKind::kLark:
      return "lark";
  }
  return "unknown";
}

ConstraintSpec ConstraintSpec::json_schema(const Json& schema) {
  return {.kind = ConstraintKind::kJsonSchema, .text = schema.dump()};
}

struct TokenTable::Impl {
  schema::NativeHandle<ingle_tokens> handle;
  std::size_t size = 0;
};

TokenTable::TokenTable(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

std::size_t TokenTable::size() const { return impl_->size; }

Result<TokenTable> TokenTable::create(std::span<const std::string> bytes,
                                      std::span<const Token> end_of_generation) {
  std::string all;
  std::vector<std::size_t> offsets{0};
  offsets.reserve(bytes.size() + 1);
  for (const std::string& token : bytes) {
    all += token;
    offsets.push_back(all.size());
  }
  // A negative index becomes one that is too large.
  const std::vector<std::uint32_t> ends(end_of_generation.begin(), end_of_generation.end());
  ingle_tokens* handle = nullptr;
  schema::NativeText error;
  const std::int32_t status = ingle_tokens_create(all.data(), offsets.data(), bytes.size(),
                                                  ends.data(), ends.size(), &handle, error.out());
  INGLE_RETURN_IF_ERROR(schema::check_native(status, error));
  return TokenTable(
      std::make_shared<const Impl>(Impl{schema::NativeHandle<ingle_tokens>(handle), bytes.size()}));
}

struct Constraint::Impl {
  schema::NativeHandle<ingle_constraint> handle;
  std::size_t vocabulary = 0;
};

Constraint::Constraint(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Result<Constraint> Constraint::compile(const TokenTable& tokens, const ConstraintSpec& spec) {
  INGLE_RETURN_IF_ERROR(check_text(spec));
  ingle_constraint* handle = nullptr;
  schema::NativeText error;
  const std::int32_t status =
      ingle_constraint_compile(tokens.impl_->handle.get(), native_kind(spec.kind), spec.text.data(),
                               spec.text.size(), &handle, error.out());
  INGLE_RETURN_IF_ERROR(schema::check_native(status, error));
  return Constraint(std::make_shared<const Impl>(
      Impl{schema::NativeHandle<ingle_constraint>(handle), tokens.size()}));
}

struct ConstraintMatcher::Impl {
  schema::NativeHandle<ingle_matcher> handle;  ///< Empty when it could not be made.
  std::size_t vocabulary = 0;
  Result<void> start;  ///< Why.
};

ConstraintMatcher::ConstraintMatcher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ConstraintMatcher::ConstraintMatcher(ConstraintMatcher&&) noexcept = default;
ConstraintMatcher& ConstraintMatcher::operator=(ConstraintMatcher&&) noexcept = default;
ConstraintMatcher::~ConstraintMatcher() = default;

ConstraintMatcher Constraint::start() const {
  ingle_matcher* handle = nullptr;
  schema::NativeText error;
  const std::int32_t status = ingle_constraint_start(impl_->handle.get(), &handle, error.out());
  auto impl = std::make_unique<ConstraintMatcher::Impl>();
  impl->handle.reset(handle);
  impl->vocabulary = impl_->vocabulary;
  impl->start = schema::check_native(status, error);
  return ConstraintMatcher(std::move(impl));
}

Result<void> ConstraintMatcher::compute_mask(std::vector<std::uint32_t>& mask) {
  INGLE_RETURN_IF_ERROR(impl_->start);
  mask.resize((impl_->vocabulary + 31) / 32);
  schema::NativeText error;
  const std::int32_t status =
      ingle_matcher_mask(impl_->handle.get(), mask.data(), mask.size(), error.out());
  return schema::check_native(status, error);
}

Result<void> ConstraintMatcher::accept(Token token) {
  INGLE_RETURN_IF_ERROR(impl_->start);
  schema::NativeText error;
  const std::int32_t status =
      ingle_matcher_accept(impl_->handle.get(), static_cast<std::uint32_t>(token), error.out());
  return schema::check_native(status, error);
}

bool ConstraintMatcher::is_accepting() {
  bool is_accepting = false;
  bool is_finished = false;
  schema::NativeText error;
  return impl_->start.ok() &&
         ingle_matcher_state(impl_->handle.get(), &is_accepting, &is_finished, error.out()) ==
             INGLE_SCHEMA_OK &&
         is_accepting;
}

bool ConstraintMatcher::is_finished() {
  bool is_accepting = false;
  bool is_finished = false;
  schema::NativeText error;
  return impl_->start.ok() &&
         ingle_matcher_state(impl_->handle.get(), &is_accepting, &is_finished, error.out()) ==
             INGLE_SCHEMA_OK &&
         is_finished;
}

}  // namespace ingle
