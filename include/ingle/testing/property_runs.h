/// How many cases a property test tries.
#pragma once

#include <cstdlib>

namespace ingle::testing {

/// `otherwise`, or what the environment variable INGLE_PROPERTY_RUNS says (scripts/nightly:
/// 100,000).
inline int property_runs(int otherwise) {
  // Tests are single-threaded where they begin; nothing sets variables.
  const char* text = std::getenv("INGLE_PROPERTY_RUNS");   // NOLINT(concurrency-mt-unsafe)
  const int runs = text == nullptr ? 0 : std::atoi(text);  // NOLINT(cert-err34-c)
  return runs > 0 ? runs : otherwise;
}

}  // namespace ingle::testing
