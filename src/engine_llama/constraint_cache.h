/// Compiled constraints of one model, and its vocabulary as a constraint needs it.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "ingle/core/result.h"
#include "ingle/core/sync.h"
#include "ingle/schema/constraint.h"

namespace ingle {

/// Thread-safe; compiling blocks other users of the cache.
class ConstraintCache {
 public:
  /// `make_table` is called once, by the first `get`.
  explicit ConstraintCache(std::function<Result<TokenTable>()> make_table);

  /// Compiles, or finds what was compiled lately. Errors: as `Constraint::compile`; those of the
  /// table.
  Result<Constraint> get(const ConstraintSpec& spec);

 private:
  const std::function<Result<TokenTable>()> make_table_;
  Mutex mutex_;
  std::optional<TokenTable> table_ INGLE_GUARDED_BY(mutex_);
  /// Latest use in front.
  std::deque<std::pair<ConstraintSpec, Constraint>> compiled_ INGLE_GUARDED_BY(mutex_);
};

}  // namespace ingle
