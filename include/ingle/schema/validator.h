/// JSON Schema validation, complete: drafts 2020-12, 2019-09, 7, 6 and 4 by `$schema`.
///
/// Start with `Validator::compile`. The work is done by the `jsonschema` crate behind
/// src/schema/native; nothing is ever fetched: a remote reference is an error.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "ingle/core/json.h"
#include "ingle/core/result.h"

namespace ingle {

/// One way in which a value breaks its schema.
struct SchemaFault {
  std::string instance_path = {};  ///< JSON pointer into the value; "" is the whole.
  std::string schema_path = {};    ///< JSON pointer into the schema.
  std::string keyword = {};        ///< The last keyword of `schema_path`: "required", "type", ...
  std::string message = {};        ///< A sentence that a model can act on.

  bool operator==(const SchemaFault&) const = default;
};

/// A compiled schema. Immutable; `validate` may be called from many threads. Cheap to copy
/// (shared).
class Validator {
 public:
  /// Compiles a schema. "format" does not assert, it only annotates: models are asked for what the
  /// grammar and the keywords say.
  ///
  /// Errors: invalid_argument "schema_invalid" (details: "path", a JSON pointer into the schema,
  /// where known), "schema_too_large" (over 1 MiB of text), "schema_too_deep" (nesting over 128);
  /// unsupported "schema_unsupported" (a reference that leads outside, an unknown draft);
  /// resource_exhausted "schema_too_complex"; internal "schema_core_failed".
  static Result<Validator> compile(const Json& schema);

  /// Every fault of `value`, at most `max_faults`, in a stable order (by instance path, then schema
  /// path); empty when the value is valid. Errors: invalid_argument "json_too_deep" (nesting over
  /// 128); resource_exhausted "schema_too_complex" (thousands of references in the schema, and a
  /// deep value); internal "schema_core_failed".
  Result<std::vector<SchemaFault>> validate(const Json& value, std::size_t max_faults = 16) const;

 private:
  struct Impl;
  explicit Validator(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

/// All faults as one text for a model, a line each: "at /path: message".
[[nodiscard]] std::string describe(const std::vector<SchemaFault>& faults);

}  // namespace ingle
