#include "ingle/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace ingle {

void check_failed(const char* condition, const char* file, int line, std::string_view text) {
  std::fprintf(stderr, "%s:%d: check failed: %s: %.*s\n", file, line, condition,
               static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace ingle
