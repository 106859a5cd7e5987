#include "engine_llama/template_guard.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace ingle {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;
constexpr std::size_t kMaxBlockDepth = 500;
constexpr std::size_t kMaxBracketDepth = 100;
// Without string literals. A chain of n operators makes a tree n deep.
constexpr std::size_t kMaxCodeBytes = 4096;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Walks over the "{% %}" and "{{ }}" of a template. It need not understand them: what it cannot
/// tell apart it counts as deep.
class Walker {
 public:
  explicit Walker(std::string_view source) : source_(source) {}

  /// What is too much, or empty.
  std::string_view walk() {
    if (source_.size() > kMaxBytes) {
      return "it is longer than 1 MiB";
    }
    for (;;) {
      at_ = source_.find('{', at_);
      if (at_ == std::string_view::npos || at_ + 1 >= source_.size()) {
        return {};
      }
      const char kind = source_[at_ + 1];
      if (kind == '#') {
        const std::size_t end = source_.find("#}", at_ + 2);
        at_ = end == std::string_view::npos ? source_.size() : end + 2;
      } else if (kind == '%' || kind == '{') {
        at_ += 2;
        if (kind == '%') {
          count_block();
        }
        if (const std::string_view fault = walk_code(kind == '%' ? '%' : '}'); !fault.empty()) {
          return fault;
        }
      } else {
        ++at_;
      }
      if (block_depth_ > kMaxBlockDepth) {
        return "its blocks nest too deep";
      }
    }
  }

 private:
  void count_block() {
    std::size_t begin = at_;
    while (begin < source_.size() && !is_letter(source_[begin]) && source_[begin] != '%') {
      ++begin;
    }
    std::size_t end = begin;
    while (end < source_.size() && is_letter(source_[end])) {
      ++end;
    }
    const std::string_view word = source_.substr(begin, end - begin);
    if (word.starts_with("end")) {
      block_depth_ -= std::min<std::size_t>(block_depth_, 1);
    } else if (word != "set" && word != "else" && word != "break" && word != "continue") {
      ++block_depth_;  // "elif" too: each is a level of the tree
    }
  }

  /// From inside a pair of braces to behind its end, which is `closer` and "}".
  std::string_view walk_code(char closer) {
    std::size_t brackets = 0;
    std::size_t bytes = 0;
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '"' || c == '\'') {
        skip_literal(c);
        ++bytes;
        continue;
      }
      if (brackets == 0 && c == closer && source_.substr(at_ + 1).starts_with('}')) {
        at_ += 2;
        return {};
      }
      if (c == '(' || c == '[' || c == '{') {
        ++brackets;
      } else if (c == ')' || c == ']' || c == '}') {
        brackets -= std::min<std::size_t>(brackets, 1);
      }
      bytes += c == ' ' || c == '\n' || c == '\t' ? 0 : 1;
      if (brackets > kMaxBracketDepth) {
        return "its brackets nest too deep";
      }
      if (bytes > kMaxCodeBytes) {
        return "it has an expression of more than 4096 bytes";
      }
      ++at_;
    }
    return {};
  }

  void skip_literal(char quote) {
    for (++at_; at_ < source_.size() && source_[at_] != quote; ++at_) {
      at_ += source_[at_] == '\\' ? 1U : 0U;
    }
    at_ = std::min(at_ + 1, source_.size());
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::size_t block_depth_ = 0;
};

}  // namespace

Result<void> check_template_bounds(std::string_view source) {
  if (const std::string_view fault = Walker(source).walk(); !fault.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "chat_template_invalid",
                 "the model's chat template is refused: " + std::string(fault),
                 {}};
  }
  return {};
}

}  // namespace ingle
