/// Constrained decoding: which tokens may come next?
///
/// Start with `TokenTable` (the vocabulary of a model, made once) and `Constraint::compile`.
/// A `ConstraintMatcher` then follows one generation. The work is done by llguidance behind
/// src/schema/native.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/json.h"
#include "ingle/core/result.h"

namespace ingle {

enum class ConstraintKind : std::uint8_t {
  kJsonSchema,  ///< `text` is a JSON Schema, up to 1 MiB.
  kRegex,       ///< `text` is a regular expression in Rust's syntax, anchored, up to 64 KiB.
  kLark,        ///< `text` is a grammar in llguidance's Lark dialect, up to 64 KiB.
};

[[nodiscard]] std::string_view to_string(ConstraintKind kind);

/// What the output must look like, as text: a value that can be logged, hashed and sent.
///
/// JSON is written on one line with a single space after each colon and comma and no other:
/// `{"a": 1, "b": [true]}`. The members of an object come in the order of "properties" in `text`,
/// then others; required ones that are not listed there before those.
struct ConstraintSpec {
  ConstraintKind kind = ConstraintKind::kJsonSchema;
  std::string text = {};

  /// The members come in byte order, as `Json` keeps them; write `text` for another order.
  static ConstraintSpec json_schema(const Json& schema);

  bool operator==(const ConstraintSpec&) const = default;
};

using Token = std::int32_t;  ///< An index into a model's vocabulary.

/// The vocabulary of one model as bytes. Immutable, thread-safe, cheap to copy (shared).
class TokenTable {
 public:
  /// `bytes[t]` is what token t adds to the text; special tokens (control, unknown) are empty, and
  /// never allowed. `end_of_generation` lists every token that ends a reply; at least one.
  /// Several tokens may have the same bytes. Takes some 0.2 s for 50,000 tokens.
  ///
  /// Errors: invalid_argument "token_table_invalid" (no token, no end token, an index out of
  /// range).
  static Result<TokenTable> create(std::span<const std::string> bytes,
                                   std::span<const Token> end_of_generation);

  [[nodiscard]] std::size_t size() const;

 private:
  friend class Constraint;
  struct Impl;
  explicit TokenTable(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

/// Follows one output through a constraint. Not thread-safe; one per generation.
class ConstraintMatcher {
 public:
  ConstraintMatcher(ConstraintMatcher&&) noexcept;
  ConstraintMatcher& operator=(ConstraintMatcher&&) noexcept;
  ~ConstraintMatcher();

  /// Sets bit t of `mask` (little-endian 32-bit words, [(vocabulary + 31) / 32], resized here) for
  /// each token that may come next. End tokens are allowed exactly where the output may end.
  ///
  /// Errors: resource_exhausted "constraint_too_complex" (a bound on the matcher's work was
  /// reached); unsupported "constraint_dead_end" (no token of this vocabulary can continue the
  /// output); internal "schema_core_failed". After an error the matcher only fails.
  Result<void> compute_mask(std::vector<std::uint32_t>& mask);

  /// Takes one token, which must be allowed. Errors: invalid_argument "token_not_allowed" (the
  /// matcher is as it was), and as above.
  Result<void> accept(Token token);

  /// The output may end here. False after an error.
  [[nodiscard]] bool is_accepting();

  /// Nothing but the end may follow.
  [[nodiscard]] bool is_finished();

 private:
  friend class Constraint;
  struct Impl;
  explicit ConstraintMatcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A compiled constraint over one vocabulary. Immutable, thread-safe, cheap to copy (shared).
class Constraint {
 public:
  /// Compiles `spec` exactly: what it lets through satisfies it. A JSON Schema with a keyword that
  /// cannot be expressed is refused, not weakened: among them "not", "if", "uniqueItems",
  /// "contains", "propertyNames", overlapping "oneOf", an unknown "format". It may be narrower than
  /// the schema: a fixed order of members, 53 bits for the bounds of integers. JSON has no largest
  /// number, so a number may be too large for `Json`.
  ///
  /// Takes 1-10 ms for usual schemas; seconds for one with thousands of properties.
  ///
  /// Errors: invalid_argument "constraint_invalid" (not a schema, expression or grammar; no value
  /// can satisfy it), "schema_too_large", "schema_too_deep" (as `Validator::compile`); unsupported
  /// "constraint_unsupported" (valid, but not expressible; details: "keyword" and "path" where
  /// known); resource_exhausted "constraint_too_complex"; internal "schema_core_failed".
  static Result<Constraint> compile(const TokenTable& tokens, const ConstraintSpec& spec);

  [[nodiscard]] ConstraintMatcher start() const;

 private:
  struct Impl;
  explicit Constraint(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace ingle
