#include "ingle/session/time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace ingle {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year;

constexpr Timestamp kFirst = sys_days{year{0} / 1 / 1};
constexpr Timestamp kLast = Timestamp{sys_days{year{10000} / 1 / 1}} - milliseconds{1};

constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd.dddZ";

bool has_shape(std::string_view text) {
  if (text.size() != kShape.size()) {
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool fits = kShape[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == kShape[i];
    if (!fits) {
      return false;
    }
  }
  return true;
}

int number_at(std::string_view text, std::size_t offset, std::size_t digits) {
  int number = 0;
  for (const char digit : text.substr(offset, digits)) {
    number = number * 10 + (digit - '0');
  }
  return number;
}

}  // namespace

std::string format_time(Timestamp time) {
  time = std::clamp(time, kFirst, kLast);
  const sys_days day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss<milliseconds> clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<Timestamp> parse_time(std::string_view text) {
  if (!has_shape(text)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{
      year{number_at(text, 0, 4)}, std::chrono::month{static_cast<unsigned>(number_at(text, 5, 2))},
      std::chrono::day{static_cast<unsigned>(number_at(text, 8, 2))}};
  const int hour = number_at(text, 11, 2);
  const int minute = number_at(text, 14, 2);
  const int second = number_at(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  return sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
         std::chrono::seconds{second} + milliseconds{number_at(text, 20, 3)};
}

}  // namespace ingle
