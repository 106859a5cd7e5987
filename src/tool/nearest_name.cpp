#include "ingle/tool/nearest_name.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ingle {
namespace {

constexpr std::size_t kMaxNameBytes = 256;

/// What is compared: lower case, without the characters by which words are joined.
std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != ' ') {
      result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the dynamic programme: two characters of `a` ago, one ago, now.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  if (name.size() > kMaxNameBytes) {
    return std::nullopt;
  }
  const std::string wanted = folded(name);
  std::optional<std::string> nearest;
  std::size_t nearest_distance = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kMaxNameBytes) {
      continue;
    }
    const std::string offered = folded(candidate);
    const std::size_t distance = edit_distance(wanted, offered);
    // A third of the letters may be wrong, and one in short names.
    const std::size_t length = std::max(wanted.size(), offered.size());
    const bool is_close =
        distance == 0 || (length > 1 && distance <= std::max<std::size_t>(1, length / 3));
    if (is_close && (!nearest || distance < nearest_distance)) {
      nearest = candidate;
      nearest_distance = distance;
    }
  }
  return nearest;
}

}  // namespace ingle
