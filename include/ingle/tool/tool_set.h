/// The tools of one agent, and the check that every call passes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/result.h"
#include "ingle/model/generation.h"
#include "ingle/schema/validator.h"
#include "ingle/tool/tool.h"

namespace ingle {

/// What the tool is given: the call's arguments, where none at all (null, nothing malformed) count
/// as {}.
[[nodiscard]] Json effective_arguments(const ToolCall& call);

/// A value, filled explicitly, immutable once made. Thread-safe; cheap to copy.
class ToolSet {
 public:
  ToolSet() = default;  ///< No tools.

  /// Errors: invalid_argument "tool_name_invalid", "tool_duplicate", "tool_schema_invalid" (names
  /// the tool and the fault; the schema must be an object's).
  static Result<ToolSet> create(std::vector<std::shared_ptr<Tool>> tools);

  /// The tool of this name, or null.
  [[nodiscard]] Tool* find(std::string_view name) const;

  /// In the order in which they were given.
  [[nodiscard]] const std::vector<ToolSpec>& specs() const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool empty() const;

  /// Tool name -> fingerprint.
  [[nodiscard]] std::map<std::string, std::string> fingerprints() const;

  /// May `call` run with its `effective_arguments`, as far as its form goes? If not, the error's
  /// message is a sentence for the model: not_found "unknown_tool" (lists the tools and the nearest
  /// name), invalid_argument "arguments_malformed" (not JSON), "arguments_too_deep" (nested deeper
  /// than `JsonLimits::max_depth`), "arguments_invalid" (each fault of the schema).
  Result<void> check(const ToolCall& call) const;

 private:
  struct Entry {
    std::shared_ptr<Tool> tool;
    Validator validator;
  };
  struct Data {
    std::vector<Entry> entries;
    std::vector<ToolSpec> specs;  ///< [entries], in their order.
  };

  [[nodiscard]] const Entry* find_entry(std::string_view name) const;

  std::shared_ptr<const Data> data_;  ///< Immutable, shared by copies; null: no tools.
};

}  // namespace ingle
