#include "ingle/agent/mode.h"

#include "ingle/agent/stages.h"

namespace ingle {
namespace {

class React final : public Mode {
 public:
  [[nodiscard]] std::string_view name() const override { return "react"; }

  StageResult iterate(Kernel& kernel, const SessionState& state) const override {
    if (StageResult result = run_pipeline(kernel, pipeline_); std::holds_alternative<End>(result)) {
      return result;
    }
    return end_if_answered(state);
  }

 private:
  const Pipeline pipeline_ = default_pipeline();
};

}  // namespace

Result<void> Mode::init(Kernel& /*kernel*/, const SessionState& /*state*/) const { return {}; }

std::shared_ptr<const Mode> react_mode() { return std::make_shared<React>(); }

}  // namespace ingle
