/// Modes: the strategy that decides which stages an iteration runs.
///
/// A mode in thirty lines: examples/custom_mode.cpp.
#pragma once

#include <memory>
#include <string_view>

#include "ingle/agent/stage.h"
#include "ingle/core/result.h"

namespace ingle {

/// Immutable and thread-safe; what a mode must remember it keeps by `Kernel::set_mode_state`, so
/// that a run stopped in the middle goes on in another process.
class Mode {
 public:
  virtual ~Mode() = default;

  /// Logged with each run; a run is resumed only by a mode of the same name.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Once per run, before the first iteration; not again on resume. An error ends the run as
  /// failed.
  virtual Result<void> init(Kernel& kernel, const SessionState& state) const;

  /// One iteration. The kernel calls it until it returns an `End`, which reaches the caller
  /// unchanged.
  virtual StageResult iterate(Kernel& kernel, const SessionState& state) const = 0;
};

/// Call the model, run its tools, again until it answers. The default.
[[nodiscard]] std::shared_ptr<const Mode> react_mode();

}  // namespace ingle
