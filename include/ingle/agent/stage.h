/// Stages: the elements of the pipeline that makes a step, and how they say whether to go on.
#pragma once

#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "ingle/session/outcome.h"
#include "ingle/session/state.h"

namespace ingle {

class Kernel;

/// The step goes on.
struct Continue {};

/// The run ends here; nothing that follows may change it.
struct End {
  Outcome outcome = {};
};

using StageResult = std::variant<Continue, End>;

/// `End` with `Failed`.
[[nodiscard]] StageResult fail(Error error);

/// One element of a pipeline. Immutable: what it does depends on `state` alone and not on its
/// place, so that going on after an interrupt is simply running the pipeline again.
class Stage {
 public:
  virtual ~Stage() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// `state` is `kernel.state()`: it changes as the stage acts through `kernel`.
  virtual StageResult run(Kernel& kernel, const SessionState& state) const = 0;
};

using Pipeline = std::vector<std::shared_ptr<const Stage>>;

/// Runs stages in order; the first `End` is returned and later stages do not run.
StageResult run_pipeline(Kernel& kernel, const Pipeline& stages);

}  // namespace ingle
