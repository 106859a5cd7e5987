/// How long a test waits for something that another thread does.
#pragma once

#include <chrono>

namespace ingle::testing {

/// Long enough for a busy machine under a sanitizer: reaching it means that the test failed.
inline constexpr std::chrono::seconds kMaxTestWait{30};

}  // namespace ingle::testing
