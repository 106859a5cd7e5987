#include "ingle/tool/tool.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "ingle/core/check.h"
#include "ingle/core/hash.h"

namespace ingle {
namespace {

class FunctionTool final : public Tool {
 public:
  FunctionTool(ToolSpec spec, ToolTraits traits, ToolFunction function)
      : spec_(std::move(spec)), traits_(traits), function_(std::move(function)) {}

  [[nodiscard]] const ToolSpec& spec() const override { return spec_; }
  [[nodiscard]] ToolTraits traits() const override { return traits_; }
  ToolOutcome run(const Call& call, const ToolContext& context, const Json& arguments) override {
    return function_(call, context, arguments);
  }

 private:
  const ToolSpec spec_;
  const ToolTraits traits_;
  const ToolFunction function_;
};

}  // namespace

std::shared_ptr<Tool> make_tool(ToolSpec spec, ToolTraits traits, ToolFunction function) {
  INGLE_CHECK(function != nullptr, "a tool is made of a function");
  return std::make_shared<FunctionTool>(std::move(spec), traits, std::move(function));
}

std::string fingerprint(const Tool& tool) {
  const ToolSpec& spec = tool.spec();
  const ToolTraits traits = tool.traits();
  const Json identity = json::array(
      {spec.name, spec.description, *spec.parameters, traits.is_read_only, traits.is_idempotent});
  return sha256_hex(identity.dump());
}

}  // namespace ingle
