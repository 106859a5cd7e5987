#include "ingle/core/ids.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include "ingle/core/check.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxSessionIdBytes = 128;
constexpr std::size_t kTimeDigits = 10;  // 48 bits of milliseconds, two leading zero bits.

bool is_id_char(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

/// Crockford's base 32 in lower case: in byte order, without i, l, o and u.
void append_base32(std::string& out, std::uint64_t value, std::size_t digits) {
  constexpr std::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";
  for (std::size_t left = digits; left > 0; --left) {
    out += kDigits[(value >> (5 * (left - 1))) & 31U];
  }
}

}  // namespace

// As a ULID: 48 bits of Unix time in milliseconds, then 80 random bits.
SessionId new_session_id() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  std::array<std::uint8_t, 10> random{};
  INGLE_CHECK(getentropy(random.data(), random.size()) == 0, "the system gives no random bytes");

  std::string text;
  append_base32(text, static_cast<std::uint64_t>(now.time_since_epoch().count()), kTimeDigits);
  for (std::size_t half = 0; half < random.size(); half += 5) {
    std::uint64_t bits = 0;
    for (std::size_t i = half; i < half + 5; ++i) {
      bits = (bits << 8U) | random[i];
    }
    append_base32(text, bits, 8);
  }
  return SessionId(std::move(text));
}

Result<SessionId> parse_session_id(std::string_view text) {
  const bool fits = !text.empty() && text.size() <= kMaxSessionIdBytes;
  if (!fits || text.front() == '.' || text.front() == '-' ||
      !std::all_of(text.begin(), text.end(), is_id_char)) {
    return Error{ErrorCode::kInvalidArgument,
                 "session_id_invalid",
                 "a session id is 1 to 128 characters of A-Z a-z 0-9 . _ - and does not start "
                 "with . or -",
                 {}};
  }
  return SessionId(std::string(text));
}

}  // namespace ingle
