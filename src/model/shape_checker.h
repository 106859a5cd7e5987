/// Which shapes can decoding hold?
#pragma once

#include <string>
#include <vector>

#include "ingle/model/generation.h"
#include "ingle/schema/constraint.h"

namespace ingle {

/// Compiles schemas over a vocabulary of single bytes, to know beforehand what an engine would
/// refuse. Immutable, thread-safe.
class ShapeChecker {
 public:
  ShapeChecker();

  /// `tool` itself if its parameters can be compiled to a constraint; else `tool` with any object
  /// for parameters, and a warning that says what is left to validation.
  [[nodiscard]] ToolSpec expressible_form(const ToolSpec& tool,
                                          std::vector<std::string>& warnings) const;

 private:
  TokenTable bytes_;
};

}  // namespace ingle
