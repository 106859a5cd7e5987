#include "cli/prompt_text.h"

#include <array>
#include <istream>

#include "ingle/core/utf8.h"

namespace ingle::cli {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;

Error invalid(std::string reason, std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(reason), std::move(message), {}};
}

Result<std::string> read_all(std::istream& in) {
  std::string text;
  std::array<char, 4096> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMaxBytes) {
      return invalid("prompt_too_large", "the prompt on standard input is longer than 16 MiB");
    }
  }
  if (text.ends_with('\n')) {
    text.pop_back();
  }
  return text;
}

}  // namespace

Result<std::string> read_prompt(const std::optional<std::string>& argument, Streams& streams) {
  std::string text;
  if (argument && *argument != "-") {
    text = *argument;
  } else if (argument || !streams.in_is_terminal) {
    INGLE_TRY(text, read_all(streams.in));
  }
  if (text.empty()) {
    return invalid("prompt_missing", "there is no prompt; see ingle run --help");
  }
  if (!is_valid_utf8(text)) {
    return invalid("prompt_not_utf8", "the prompt is not UTF-8 text");
  }
  return text;
}

}  // namespace ingle::cli
