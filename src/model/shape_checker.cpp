#include "model/shape_checker.h"

#include <array>
#include <nlohmann/json.hpp>

namespace ingle {
namespace {

constexpr std::size_t kBytes = 256;

TokenTable byte_table() {
  std::vector<std::string> bytes(kBytes + 1);
  for (std::size_t byte = 0; byte < kBytes; ++byte) {
    bytes[byte] = std::string(1, static_cast<char>(byte));
  }
  const std::array<Token, 1> end{static_cast<Token>(kBytes)};
  auto table = TokenTable::create(bytes, end);
  INGLE_CHECK(table.ok(), "the table of all bytes is valid");
  return std::move(table).value();
}

}  // namespace

ShapeChecker::ShapeChecker() : bytes_(byte_table()) {}

ToolSpec ShapeChecker::expressible_form(const ToolSpec& tool,
                                        std::vector<std::string>& warnings) const {
  const auto compiled = Constraint::compile(bytes_, ConstraintSpec::json_schema(tool.parameters));
  if (compiled) {
    return tool;
  }
  warnings.push_back("arguments of " + tool.name +
                     " are checked after decoding only: " + compiled.error().message);
  ToolSpec loose = tool;
  loose.parameters = json{{"type", "object"}};
  return loose;
}

}  // namespace ingle
