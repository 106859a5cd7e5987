/// Aborts on bugs of ours; never used for input.
#pragma once

#include <string_view>

namespace ingle {

/// Prints the condition, the place and the text to stderr, then aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line,
                               std::string_view text);

}  // namespace ingle

#define INGLE_CHECK(condition, text)                               \
  do {                                                             \
    if (!(condition)) [[unlikely]] {                               \
      ::ingle::check_failed(#condition, __FILE__, __LINE__, text); \
    }                                                              \
  } while (false)
