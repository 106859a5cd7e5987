#include "engine_llama/constraint_cache.h"

#include <algorithm>

namespace ingle {
namespace {

constexpr std::size_t kMaxCompiled = 16;

}  // namespace

ConstraintCache::ConstraintCache(std::function<Result<TokenTable>()> make_table)
    : make_table_(std::move(make_table)) {}

Result<Constraint> ConstraintCache::get(const ConstraintSpec& spec) {
  MutexLock lock(mutex_);
  const auto found = std::find_if(compiled_.begin(), compiled_.end(),
                                  [&spec](const auto& entry) { return entry.first == spec; });
  if (found != compiled_.end()) {
    std::rotate(compiled_.begin(), found, found + 1);
    return compiled_.front().second;
  }
  if (!table_) {
    INGLE_TRY(table_, make_table_());
  }
  INGLE_TRY(Constraint constraint, Constraint::compile(*table_, spec));
  compiled_.emplace_front(spec, constraint);
  if (compiled_.size() > kMaxCompiled) {
    compiled_.pop_back();
  }
  return constraint;
}

}  // namespace ingle
