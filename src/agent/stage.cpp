#include "ingle/agent/stage.h"

#include "ingle/agent/kernel.h"

namespace ingle {

StageResult fail(Error error) { return End{Failed{std::move(error)}}; }

StageResult run_pipeline(Kernel& kernel, const Pipeline& stages) {
  for (const auto& stage : stages) {
    if (StageResult result = stage->run(kernel, kernel.state());
        std::holds_alternative<End>(result)) {
      return result;
    }
  }
  return Continue{};
}

}  // namespace ingle
